import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { fileArgument } from '../../../service/media/ffmpeg/guardedInput.mts';
import {
	pcmFormatArguments,
	pcmInputArguments,
	type PcmFile,
} from '../../../service/media/pcmFile.mts';
import { runFfmpeg } from '../../../service/media/ffmpeg/runFfmpeg.mts';
import { findPocketsphinx } from '../../../service/text/speech/pocketsphinx.mts';
import {
	SPEECH_RATE_HZ,
	SPEECH_SAMPLE_BYTES,
	type SpeechAudio,
} from '../../../service/text/speech/speech.mts';
import { levelsOfSpeech, signalToNoiseDb } from '../../../service/text/speech/speechLevels.mts';
import { CLEAN_ENOUGH_DB } from '../../../service/text/trackWords.mts';
import { Chance } from '../../eval/chance.mts';
import { activeRms, fromDb } from '../../eval/signals.mts';
import { noiseSound } from '../../eval/sounds.mts';
import { trackOf } from '../../eval/trial.mts';
import { pinkNoise } from '../conditions.mts';
import { bareWords, type Reading } from './readings.mts';
import { wordErrors } from './wordErrors.mts';

const LEVELS_DB = [30, 25, 20, 15, 10, 5] as const;

/** What is added to a recording; the level is that of the speech above it. */
export const NOISES = [
	{ name: 'none', kind: 'pink', snrDb: Infinity },
	...LEVELS_DB.flatMap((snrDb) => [
		{ name: `pink ${snrDb} dB`, kind: 'pink', snrDb } as const,
		{ name: `fan ${snrDb} dB`, kind: 'fan', snrDb } as const,
	]),
] as const;

/** What the recogniser made of one recording: wrong words of those that were said. */
export interface Hearing {
	said: number;
	untouched: number;
	denoised: number;
	/** As the service measures it. */
	snrDb: number;
}

/** The wrong words with the service's rule. */
export function ruleOf({ snrDb, untouched, denoised }: Hearing): number {
	return snrDb >= CLEAN_ENOUGH_DB ? untouched : denoised;
}

/** Lets the recogniser hear a recording in noise, untouched and after noise removal. */
export async function hearingsOf(
	{ samples, words }: Reading,
	{ kind, snrDb }: (typeof NOISES)[number],
	folder: string,
): Promise<Hearing> {
	const chance = new Chance(words.length);
	const make = kind === 'pink' ? pinkNoise : (frames: number) => noiseSound('fan', frames, chance);
	const noise = make(samples.length, chance);
	const gain = activeRms(samples) * fromDb(-snrDb);
	const noisy = samples.map((sample, frame) => sample + gain * noise[frame]);
	const track = await trackOf({ samples: noisy }, join(folder, 'track'));
	const untouched = await speechOfPcm(track.pcm, folder, 'untouched');
	const denoised = await speechOfPcm(track.clean, folder, 'denoised');
	return {
		said: words.length,
		untouched: wordErrors(words, await heardIn(untouched)),
		denoised: wordErrors(words, await heardIn(denoised)),
		snrDb: signalToNoiseDb(await levelsOfSpeech(untouched)),
	};
}

async function heardIn(speech: SpeechAudio): Promise<string[]> {
	const recogniser = findPocketsphinx();
	if (!recogniser) throw new Error('Install pocketsphinx and pocketsphinx-en-us');
	const { words } = await recogniser.transcribe(speech, {
		signal: new AbortController().signal,
		retried: (step) => step(),
		say: () => undefined,
		takeTurn: () => Promise.resolve(),
	});
	return words.flatMap(({ text }) => bareWords(text));
}

async function speechOfPcm(pcm: PcmFile, folder: string, name: string): Promise<SpeechAudio> {
	const path = join(folder, `${name}.raw`);
	const format = { sampleRateHz: SPEECH_RATE_HZ, channels: 1, sampleFormat: 's16le' } as const;
	await runFfmpeg([...pcmInputArguments(pcm), ...pcmFormatArguments(format), fileArgument(path)]);
	const { size } = await stat(path);
	return { path, folder, seconds: size / SPEECH_SAMPLE_BYTES / SPEECH_RATE_HZ };
}
