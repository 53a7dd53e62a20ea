import { highPass, RunningBiquad } from '../../engine/signal/biquad.mts';
import {
	energyOf,
	HOP_FRAMES,
	HOPS_PER_SECOND,
	SILENCE_DB,
	speechLevelDb,
} from '../../engine/signal/levels.mts';
import { SPEECH_FORMAT } from '../../media/decode.mts';
import { openPcm, PcmReader } from '../../media/pcmFile.mts';
import type { SpeechAudio } from './speech.mts';

const HOPS_PER_READ = 2_000;

/** Offsets, thumps and hum are below speech, and would hide its pauses. */
const MIN_HZ = 80;

/**
 * Returns the level of speech every 10 ms in dBFS (RMS, -120 to 0): 4 bytes each, 14 MB for ten
 * hours.
 *
 * @throws the signal's reason when aborted.
 */
export async function levelsOfSpeech(
	{ path }: SpeechAudio,
	signal?: AbortSignal,
): Promise<Float32Array> {
	const pcm = await openPcm(path, SPEECH_FORMAT);
	await using reader = await PcmReader.open(pcm);
	const filter = new RunningBiquad(highPass(MIN_HZ, SPEECH_FORMAT.sampleRateHz));
	const levels = new Float32Array(Math.floor(pcm.frames / HOP_FRAMES));
	for (let hop = 0; hop < levels.length; ) {
		signal?.throwIfAborted();
		const count = Math.min(HOPS_PER_READ, levels.length - hop);
		const samples = await reader.read(hop * HOP_FRAMES, count * HOP_FRAMES);
		filter.process(samples, samples, 0, 1);
		for (let start = 0; start < samples.length; start += HOP_FRAMES, hop++) {
			const meanSquare = energyOf(samples, start, start + HOP_FRAMES) / HOP_FRAMES;
			levels[hop] = Math.max(SILENCE_DB, 10 * Math.log10(meanSquare));
		}
	}
	return levels;
}

/** The noise is the level that a tenth of each half minute stays below. */
const NOISE_HOPS = 30 * HOPS_PER_SECOND;

/**
 * Returns how far speech stands out from the noise in its pauses, in dB. It is the median over the
 * recording, so that one noisy minute or one stretch of digital silence does not decide.
 */
export function signalToNoiseDb(levels: Float32Array): number {
	const floors: number[] = [];
	for (let start = 0; start < levels.length; start += NOISE_HOPS) {
		const sorted = levels.slice(start, start + NOISE_HOPS).sort();
		floors.push(sorted[Math.floor(sorted.length / 10)]);
	}
	const middle = floors.sort((a, b) => a - b).at(floors.length / 2);
	return middle === undefined ? 0 : speechLevelDb(levels) - middle;
}
