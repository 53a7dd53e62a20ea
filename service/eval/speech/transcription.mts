import { join } from 'node:path';

import type { Transcriber } from '../../text/speech/transcriber.mts';
import type { SpeechAudio } from '../../text/speech/speech.mts';
import { TEXT_HELP } from '../../../testkit/service/textHelp.mts';
import type { Bar } from '../../../testkit/measure/bars.mts';
import { childrenOf, livingBytes, procText } from '../../../testkit/measure/peak.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import type { Half } from '../recorded/speakers.mts';
import { activeRms, fromDb, RATE_HZ } from '../../../testkit/media/signals.mts';
import { noiseSound } from '../sounds.mts';
import { trackOf } from '../editors/editor.mts';
import { pinkNoise } from '../conditions.mts';
import { speechOfPcm } from './heardTalk.mts';
import { bareWords, type Reading, readingsOf } from './readings.mts';
import { wordErrors } from '../../../testkit/measure/wordErrors.mts';

const LEVELS_DB = [30, 25, 20, 15, 10, 5] as const;

/** The package's process, or whisper.cpp's program. */
const RECOGNIZER = /recognizer|whisper-cli/;

/** What is added to a recording; the level is that of the speech above it. */
const NOISES = [
	{ name: 'none', kind: 'pink', snrDb: Infinity },
	...LEVELS_DB.flatMap((snrDb) => [
		{ name: `pink ${snrDb} dB`, kind: 'pink', snrDb } as const,
		{ name: `fan ${snrDb} dB`, kind: 'fan', snrDb } as const,
	]),
] as const;

/**
 * Lets a recognizer hear recordings of real people, untouched and after noise removal, at several noise
 * levels, and prints how many words are wrong and how fast it was.
 */
export async function transcriptionBars(
	half: Half,
	recognizer: Transcriber,
	folder: string,
): Promise<Bar[]> {
	const readings = await readingsOf(half);
	if (readings.length === 0) throw new Error('The recordings are missing: run .ci/packages eval');
	const all: Transcription[] = [];
	const start = performance.now();
	let peakBytes = 0;
	const watching = setInterval(() => (peakBytes = Math.max(peakBytes, recognizerPeakBytes())), 200);
	console.log(recognizer.name);
	console.log('noise | words wrong in %: untouched | denoised');
	for (const noise of NOISES) {
		const transcriptions: Transcription[] = [];
		for (const reading of readings) {
			transcriptions.push(await transcriptionsOf(reading, noise, recognizer, folder));
		}
		const figures = [untouchedOf, denoisedOf].map((rule) => wrongOf(transcriptions, rule));
		console.log([noise.name, ...figures.map((it) => it.toFixed(1))].join(' | '));
		all.push(...transcriptions);
	}
	const frames = readings.reduce((sum, { samples }) => sum + samples.length, 0);
	const soundSeconds = (2 * NOISES.length * frames) / RATE_HZ;
	const took = (performance.now() - start) / 1_000 / soundSeconds;
	clearInterval(watching);
	console.log(
		`${took.toFixed(2)} × real time, with the noise removal; ${(peakBytes / 1e6).toFixed(0)} MB of memory`,
	);
	const name = `words wrong after noise removal, of ${readings.length * NOISES.length} recordings`;
	const limit = Math.round(wrongOf(all, untouchedOf) * 10) / 10;
	return [{ name, figure: wrongOf(all, denoisedOf), limit, decimals: 1, unit: '%' }];
}

/** Returns the peak of memory of the recognizer that runs as a child of this process; 0 while none does. */
function recognizerPeakBytes(): number {
	const recognizers = childrenOf().filter((pid) => RECOGNIZER.test(procText(pid, 'cmdline')));
	return Math.max(0, ...livingBytes('VmHWM', recognizers));
}

/** The words that are wrong, in percent of those that were said. */
function wrongOf(
	transcriptions: readonly Transcription[],
	errorsOf: (one: Transcription) => number,
): number {
	const said = transcriptions.reduce((sum, one) => sum + one.said, 0);
	return (100 * transcriptions.reduce((sum, one) => sum + errorsOf(one), 0)) / said;
}

const untouchedOf = ({ untouched }: Transcription) => untouched;
const denoisedOf = ({ denoised }: Transcription) => denoised;

/** Lets the recognizer hear a recording in noise, untouched and after noise removal: wrong words of those said. */
async function transcriptionsOf(
	{ samples, words }: Reading,
	{ kind, snrDb }: (typeof NOISES)[number],
	recognizer: Transcriber,
	folder: string,
) {
	const chance = new Chance(words.length);
	const make = kind === 'pink' ? pinkNoise : (frames: number) => noiseSound('fan', frames, chance);
	const noise = make(samples.length, chance);
	const gain = activeRms(samples) * fromDb(-snrDb);
	const noisy = samples.map((sample, frame) => sample + gain * noise[frame]);
	const track = await trackOf(noisy, join(folder, 'track'));
	const untouched = await speechOfPcm(track.pcm, folder, 'untouched');
	const denoised = await speechOfPcm(track.clean, folder, 'denoised');
	return {
		said: words.length,
		untouched: wordErrors(words, await recognizedIn(untouched, recognizer)),
		denoised: wordErrors(words, await recognizedIn(denoised, recognizer)),
	};
}

type Transcription = Awaited<ReturnType<typeof transcriptionsOf>>;

async function recognizedIn(speech: SpeechAudio, recognizer: Transcriber): Promise<string[]> {
	const { words } = await recognizer.transcribe(speech, TEXT_HELP);
	return words.flatMap(({ text }) => bareWords(text));
}
