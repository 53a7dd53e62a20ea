import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { alignedWords } from '../../../testkit/measure/alignedWords.mts';
import { RATE_HZ } from '../../../testkit/media/signals.mts';
import { TEXT_HELP } from '../../../testkit/service/textHelp.mts';
import { fileArgument } from '../../media/ffmpeg/guardedInput.mts';
import { runFfmpeg } from '../../media/ffmpeg/runFfmpeg.mts';
import {
	openPcm,
	pcmFormatArguments,
	pcmInputArguments,
	type PcmFile,
} from '../../media/pcmFile.mts';
import { SPEECH_FORMAT } from '../../media/decode.mts';
import type { SpokenWord } from '../../shared/timeRanges.mts';
import type { SpeechAudio } from '../../text/speech/speech.mts';
import type { Transcriber } from '../../text/speech/transcriber.mts';
import { plainWords, type SaidWord } from './knownTalks.mts';

/** Writes sound as speech for a recognizer. @param samples 48 kHz, mono. */
export async function speechOfSamples(samples: Float32Array, folder: string, name: string) {
	const path = join(folder, `${name}.f32`);
	await writeFile(path, samples);
	return await speechOfPcm(
		await openPcm(path, { sampleRateHz: RATE_HZ, channels: 1 }),
		folder,
		name,
	);
}

/** Writes a recording as speech for a recognizer. */
export async function speechOfPcm(
	pcm: PcmFile,
	folder: string,
	name: string,
): Promise<SpeechAudio> {
	const path = join(folder, `${name}.raw`);
	const format = { ...SPEECH_FORMAT, channels: 1 };
	await runFfmpeg([...pcmInputArguments(pcm), ...pcmFormatArguments(format), fileArgument(path)]);
	const { frames, sampleRateHz } = await openPcm(path, SPEECH_FORMAT);
	return { path, folder, seconds: frames / sampleRateHz };
}

/** What a recognizer made of known words. */
export interface Judgement {
	said: number;
	/** Wrong, missing or too many. */
	wrong: number;
	missing: number;
	/** Each word that was recognized as it was said, where its place is known. */
	placed: { said: SaidWord; heard: SpokenWord }[];
}

/** Lets a recognizer hear sound, and compares its words with those that were said. */
export async function heardWords(
	samples: Float32Array,
	recognizer: Transcriber,
	folder: string,
): Promise<readonly SpokenWord[]> {
	const speech = await speechOfSamples(samples, folder, 'talk');
	const { words } = await recognizer.transcribe(speech, TEXT_HELP);
	return words;
}

/** Recognized words as texts are compared: without punctuation, and those divided that it joins. */
export function plainHeard(words: readonly SpokenWord[]): SpokenWord[] {
	return words.flatMap((word) => plainWords(word.text).map((text) => ({ ...word, text })));
}

export const percent = (part: number, whole: number) => (100 * part) / Math.max(1, whole);

/** Compares words with those that were said. */
export function judged(said: readonly SaidWord[], words: readonly SpokenWord[]): Judgement {
	const heard = plainHeard(words);
	const pairs = alignedWords(
		said.map(({ text }) => text),
		heard.map(({ text }) => text),
	);
	const judgement: Judgement = { said: said.length, wrong: 0, missing: 0, placed: [] };
	for (const [one, other] of pairs) {
		const spoken = one === undefined ? undefined : said[one];
		const recognized = other === undefined ? undefined : heard[other];
		if (spoken?.text !== recognized?.text) judgement.wrong++;
		else if (spoken?.place && recognized)
			judgement.placed.push({ said: spoken, heard: recognized });
		if (recognized === undefined) judgement.missing++;
	}
	return judgement;
}

/** Adds up judgements. */
export function sumOf(judgements: readonly Judgement[]): Judgement {
	const sum = (one: (judgement: Judgement) => number) =>
		judgements.reduce((total, judgement) => total + one(judgement), 0);
	return {
		said: sum(({ said }) => said),
		wrong: sum(({ wrong }) => wrong),
		missing: sum(({ missing }) => missing),
		placed: judgements.flatMap(({ placed }) => placed),
	};
}
