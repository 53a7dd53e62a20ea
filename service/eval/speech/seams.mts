import { alignedWords } from '../../../testkit/measure/alignedWords.mts';
import { type Bar, count } from '../../../testkit/measure/bars.mts';
import { TEXT_HELP } from '../../../testkit/service/textHelp.mts';
import { searchVoice } from '../../engine/voice/searchVoice.mts';
import { SPEECH_FORMAT } from '../../media/decode.mts';
import { openPcm } from '../../media/pcmFile.mts';
import { piecesOf } from '../../text/speech/pieces.mts';
import type { SpeechAudio } from '../../text/speech/speech.mts';
import { levelsOfSpeech } from '../../text/speech/speechLevels.mts';
import type { Transcriber } from '../../text/speech/transcriber.mts';
import type { Half } from '../recorded/speakers.mts';
import { percent, plainHeard, speechOfSamples } from './heardTalk.mts';
import { fluentTalks } from './knownTalks.mts';

/** Sentences with short pauses, a voice. */
const TALK_SECONDS = 240;

/** What is near a seam, seconds, and how many words of all must be known. */
const NEAR_SECONDS = 3;
const MIN_WORDS = 1_000;

/** Compares how many words are wrong near the seams of a recognizer's pieces with how many are elsewhere. */
export async function seamBars(
	half: Half,
	recognizer: Transcriber,
	folder: string,
): Promise<Bar[]> {
	const near = { said: 0, wrong: 0 };
	const elsewhere = { said: 0, wrong: 0 };
	for (const { name, samples, said } of await fluentTalks(half, TALK_SECONDS)) {
		const speech = await speechOfSamples(samples, folder, 'fluent');
		const seams = await seamsIn(speech);
		const heard = plainHeard((await recognizer.transcribe(speech, TEXT_HELP)).words);
		const pairs = alignedWords(
			said.map(({ text }) => text),
			heard.map(({ text }) => text),
		);
		// A word that is missing would have come after the one before it.
		let seconds = 0;
		for (const [one, other] of pairs) {
			if (other !== undefined) seconds = heard[other].startSeconds;
			const isNear = seams.some((seam) => Math.abs(seam - seconds) <= NEAR_SECONDS);
			const place = isNear ? near : elsewhere;
			const text = one === undefined ? undefined : said[one].text;
			if (text !== undefined) place.said++;
			if (other === undefined || heard[other].text !== text) place.wrong++;
		}
		console.log(`${name}: ${said.length} words, ${seams.length} seams`);
	}
	const [nearby, others] = [near, elsewhere].map(({ wrong, said }) => percent(wrong, said));
	console.log(
		`near seams ${nearby.toFixed(1)} % of ${near.said} words are wrong, elsewhere ${others.toFixed(1)} % of ${elsewhere.said}`,
	);
	return [
		{ name: 'words wrong near seams, times elsewhere', figure: nearby / others, limit: 1.25 },
		count('words near seams and elsewhere', near.said + elsewhere.said, MIN_WORDS, '>='),
	];
}

/** Where one piece of a recording ends and the next begins, seconds. */
async function seamsIn(speech: SpeechAudio): Promise<number[]> {
	const voice = await searchVoice(await openPcm(speech.path, SPEECH_FORMAT));
	const levels = await levelsOfSpeech(speech);
	const pieces = piecesOf({ voice, levels, seconds: speech.seconds });
	const last = pieces.length - 1;
	return pieces.flatMap((piece, at) => [
		...(at > 0 ? [piece[0].startSeconds] : []),
		...(at < last ? [piece[piece.length - 1].endSeconds] : []),
	]);
}
