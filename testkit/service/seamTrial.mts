import { writeFile } from 'node:fs/promises';

import type { Chance } from '../measure/chance.mts';
import { MOMENT_SECONDS } from '../../service/engine/voice/searchVoice.mts';
import { wordErrors } from '../measure/wordErrors.mts';
import type { SpokenWord, TimeRange } from '../../service/shared/timeRanges.mts';
import { SPEECH_RATE_HZ, type SpeechAudio } from '../../service/text/speech/speech.mts';
import type { Recognize } from '../../service/text/speech/whisper/findRecognizer.mts';
import type { Piece } from '../../service/text/speech/pieces.mts';
import { transcriberOf } from '../../service/text/speech/whisper/whisper.mts';
import { TEXT_HELP } from './textHelp.mts';

const VOCABULARY = ['so', 'the', 'they', 'answer', 'very', 'never', 'was', 'Ünsal,', 'no.', 'I'];

/** How far a recognizer's times are off, seconds; less of a word than this share is not heard. */
const JITTER_SECONDS = 0.12;
const MIN_OVERLAP_SHARE = 0.6;

/** Words as somebody says them: mostly without pauses, at times for half a minute. */
function plannedWords(chance: Chance, seconds: number): SpokenWord[] {
	const words: SpokenWord[] = [];
	for (let at = 0.3; at < seconds - 1; ) {
		const startSeconds = at;
		const endSeconds = at + chance.between(0.12, 0.6);
		words.push({ text: chance.pick(VOCABULARY), startSeconds, endSeconds });
		const isPause = Math.floor(at / 60) % 2 === 0 && chance.isTrue(0.15);
		at = endSeconds + (isPause ? chance.between(0.2, 1.5) : chance.between(0.01, 0.06));
	}
	return words;
}

async function spoken(words: readonly SpokenWord[], seconds: number, folder: string) {
	const samples = new Int16Array(Math.ceil(seconds * SPEECH_RATE_HZ));
	for (const { startSeconds, endSeconds } of words) {
		const end = Math.floor(endSeconds * SPEECH_RATE_HZ);
		for (let at = Math.floor(startSeconds * SPEECH_RATE_HZ); at < end; at++) {
			samples[at] = at % 80 < 40 ? 8_000 : -8_000;
		}
	}
	const path = `${folder}/spoken.raw`;
	await writeFile(path, samples);
	return { path, seconds, folder };
}

/** A recognizer that hears the planned words, roughly when they are said, and each piece a little differently. */
function scriptedRecognizer(words: readonly SpokenWord[], chance: Chance): Recognize {
	const overlapShare = (word: SpokenWord, range: TimeRange) =>
		(Math.min(word.endSeconds, range.endSeconds) -
			Math.max(word.startSeconds, range.startSeconds)) /
		(word.endSeconds - word.startSeconds);
	return async function* (_speech: SpeechAudio, pieces: readonly Piece[]) {
		await Promise.resolve();
		for (const piece of pieces) {
			const segments: { text: string; t0: number; t1: number }[] = [];
			let before = 0;
			for (const range of piece) {
				const recognized = words.filter((word) => overlapShare(word, range) >= MIN_OVERLAP_SHARE);
				const jitter = chance.between(-JITTER_SECONDS, JITTER_SECONDS);
				const start = range.startSeconds - before;
				const msOf = (time: number) =>
					1_000 * Math.max(0, time - start + jitter + chance.between(-0.01, 0.01));
				segments.push(
					...recognized.map(({ text, startSeconds, endSeconds }) => ({
						text: ` ${text}`,
						t0: msOf(startSeconds),
						t1: msOf(endSeconds),
					})),
				);
				before += range.endSeconds - range.startSeconds;
			}
			yield { language: 'en', segments, result: segments.map(({ text }) => text).join('') };
		}
	};
}

/** A voice wherever words are planned: what Silero hears as one is more than tones. */
function voiceOf(words: readonly SpokenWord[], seconds: number): Float32Array {
	const voice = new Float32Array(Math.ceil(seconds / MOMENT_SECONDS));
	for (const { startSeconds, endSeconds } of words) {
		const [start, end] = [startSeconds, endSeconds].map((time) => time / MOMENT_SECONDS);
		voice.fill(1, Math.floor(start), Math.ceil(end));
	}
	return voice;
}

/** Returns how many words of a recording of this length are lost or doubled, with a scripted recognizer. */
export async function wordsWrongAtSeams(
	chance: Chance,
	seconds: number,
	folder: string,
): Promise<number> {
	const words = plannedWords(chance, seconds);
	const speech = await spoken(words, seconds, folder);
	const transcriber = transcriberOf('scripted', scriptedRecognizer(words, chance), () =>
		Promise.resolve(voiceOf(words, seconds)),
	);
	const recognized = await transcriber.transcribe(speech, TEXT_HELP);
	return wordErrors(
		words.map(({ text }) => text),
		recognized.words.map(({ text }) => text),
	);
}
