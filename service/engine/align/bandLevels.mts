import { PcmReader, type PcmFile } from '../../media/pcmFile.mts';
import { MEL_BANDS, MelSpectrum } from '../detection/melSpectrum.mts';
import { HOP_FRAMES } from '../signal/levels.mts';

export { MEL_BANDS as BANDS };

/** The levels of a sound in bands, every 10 ms, in dB: against the mean of their band, and not below a floor. */
export interface BandLevels {
	hops: number;
	/** Band by band for each hop. */
	levels: Float32Array;
}

/** What is further below the loudest tenth of a band counts as silence: there, noise and its reduction differ, dB. */
const DEPTH_DB = 35;
const LOUD_SHARE = 0.9;

/** Half decibels, as `MelSpectrum` writes them. */
const STEPS_PER_DB = 2;

const HOPS_PER_READ = 2_000;

/** What a spectrum needs before and after the beginning of its hop, in samples. */
const BEFORE = 120;
const WINDOW = 440;

/**
 * Reads the band levels of a sound. They stay nearly the same when it is made louder or softer, filtered, encoded or
 * denoised.
 *
 * @param input 16 kHz, mono.
 * @throws the signal's reason when aborted.
 */
export async function bandLevelsOf(input: PcmFile, signal?: AbortSignal): Promise<BandLevels> {
	const hops = Math.floor(input.frames / HOP_FRAMES);
	const steps = new Uint8Array(hops * MEL_BANDS);
	await using reader = await PcmReader.open(input);
	const mel = new MelSpectrum();
	for (let first = 0; first < hops; first += HOPS_PER_READ) {
		signal?.throwIfAborted();
		const count = Math.min(HOPS_PER_READ, hops - first);
		const from = Math.max(0, first * HOP_FRAMES - BEFORE);
		const frames = Math.min(input.frames - from, count * HOP_FRAMES + WINDOW);
		const samples = new Float32Array(count * HOP_FRAMES + WINDOW + BEFORE);
		const lead = from - (first * HOP_FRAMES - BEFORE);
		await reader.readInto(samples.subarray(lead, lead + frames), from);
		for (let hop = 0; hop < count; hop++) {
			const start = hop * HOP_FRAMES;
			const window = samples.subarray(start, start + WINDOW);
			mel.write(window, steps, (first + hop) * MEL_BANDS);
		}
	}
	return leveled(steps, hops);
}

function leveled(steps: Uint8Array, hops: number): BandLevels {
	const levels = new Float32Array(steps.length);
	for (let band = 0; band < MEL_BANDS; band++) {
		const counts = new Uint32Array(256);
		for (let at = band; at < steps.length; at += MEL_BANDS) counts[steps[at]]++;
		let [loud, seen] = [0, 0];
		while (loud < 255 && seen + counts[loud] <= LOUD_SHARE * hops) seen += counts[loud++];
		const floor = loud - STEPS_PER_DB * DEPTH_DB;
		for (let at = band; at < steps.length; at += MEL_BANDS) {
			levels[at] = (Math.max(floor, steps[at]) - loud) / STEPS_PER_DB;
		}
	}
	return { hops, levels };
}
