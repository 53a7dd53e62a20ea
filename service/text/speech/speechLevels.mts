import { highPass, RunningBiquad } from '../../engine/signal/biquad.mts';
import { energyOf, HOP_FRAMES, SILENCE_DB } from '../../engine/signal/levels.mts';
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
