import type { Bar } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { addAt, framesOf, fromDb } from '../../../testkit/media/signals.mts';
import { TEXT_HELP } from '../../../testkit/service/textHelp.mts';
import { type RecognizedTrack, withoutCrosstalk } from '../../text/crosstalk.mts';
import { paragraphsOf } from '../../text/paragraphs.mts';
import { levelsOfSpeech } from '../../text/speech/speechLevels.mts';
import type { Transcriber } from '../../text/speech/transcriber.mts';
import { transcriptionOf } from '../../text/transcript.mts';
import { roomTone } from '../conditions.mts';
import type { Half } from '../recorded/speakers.mts';
import type { Take } from '../recorded/takes.mts';
import { SPEECH_RMS } from '../scene.mts';
import { judged, speechOfSamples, sumOf } from './heardTalk.mts';
import { plainWords, ROOM_DB, type SaidWord, sentenceTakes } from './knownTalks.mts';

const TURNS = 16;

/** The other's voice in a microphone, against its own, dB. */
const BLEED_DB = -24;

/** Lets two people talk in turn, each with a microphone, and compares the transcript in time order with each alone. */
export async function trackBars(
	half: Half,
	recognizer: Transcriber,
	folder: string,
): Promise<Bar[]> {
	const [one, other] = await sentenceTakes(half);
	const { tracks, said, order } = conversation([one.takes, other.takes]);
	const heard: RecognizedTrack[] = [];
	for (const [at, samples] of tracks.entries()) {
		const speech = await speechOfSamples(samples, folder, `track${at}`);
		const { words } = await recognizer.transcribe(speech, TEXT_HELP);
		heard.push({ words, levels: await levelsOfSpeech(speech) });
	}
	const own = withoutCrosstalk(heard);
	const alone = sumOf(said.map((words, at) => judged(words, own[at])));
	const paragraphs = paragraphsOf(own);
	const { words } = transcriptionOf(paragraphs).transcription;
	const inOrder = judged(
		order,
		words.map(({ text, start, end }) => ({ text, startSeconds: start, endSeconds: end })),
	);
	const early = paragraphs.filter(({ startSeconds }, at) => {
		return at > 0 && startSeconds < paragraphs[at - 1].endSeconds;
	});
	const percent = (wrong: number) => (100 * wrong) / order.length;
	console.log(
		`two tracks, ${one.name} and ${other.name}: ${percent(alone.wrong).toFixed(1)} % of ${order.length} words ` +
			`wrong, ${percent(inOrder.wrong).toFixed(1)} % in time order`,
	);
	const name = 'words of two tracks more wrong in time order';
	const figure = percent(inOrder.wrong - alone.wrong);
	return [
		{ name, figure, limit: 3, decimals: 1, unit: '%' },
		{ name: 'paragraphs that begin too early', figure: early.length, limit: 0, decimals: 0 },
	];
}

/** Sentences in turn: the tracks, the words of each, and all words in the order in which they are said. */
function conversation(people: readonly (readonly Take[])[]) {
	const chance = new Chance(1);
	const said: SaidWord[][] = people.map(() => []);
	const order: SaidWord[] = [];
	const placed: { take: Take; person: number; frame: number }[] = [];
	let frame = framesOf(0.5);
	for (let turn = 0; turn < TURNS; turn++) {
		const person = turn % people.length;
		const takes = people[person];
		const take = takes[Math.floor(turn / people.length) % takes.length];
		placed.push({ take, person, frame });
		const words = plainWords(take.text ?? '').map((text) => ({ text, place: undefined }));
		said[person].push(...words);
		order.push(...words);
		frame += take.samples.length + framesOf(chance.between(0.05, 0.7));
	}
	const tracks = people.map((_, track) => {
		const samples = roomTone(frame + framesOf(0.5), ROOM_DB, new Chance(track + 2));
		for (const { take, person, frame: start } of placed) {
			const gain = person === track ? 1 : fromDb(BLEED_DB);
			addAt(samples, take.samples, start, SPEECH_RMS * gain);
		}
		return samples;
	});
	return { tracks, said, order };
}
