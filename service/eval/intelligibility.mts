import { PowerSpectrum } from '../engine/signal/powerSpectrum.mts';
import { mean } from '../../testkit/measure/median.mts';
import { framesOf, fromDb, RATE_HZ } from '../../testkit/media/signals.mts';

/** As in Taal et al. (2011), but at 48 kHz: windows of 25.6 ms, half of each shared with the next. */
const WINDOW_FRAMES = framesOf(0.0256);
const HOP_FRAMES = framesOf(0.0128);
const FFT_FRAMES = 2_048;

/** Thirds of an octave from 150 Hz up to 4.3 kHz. */
const BANDS = Array.from({ length: 15 }, (_, band) => {
	const centerBin = (150 * 2 ** (band / 3) * FFT_FRAMES) / RATE_HZ;
	return [Math.round(centerBin * 2 ** (-1 / 6)), Math.round(centerBin * 2 ** (1 / 6))] as const;
});

/** Windows over which envelopes are compared: 0.4 s. */
const SEGMENT = 30;
const SEGMENT_STEP = 5;

/** Windows of the clean speech this far below the loudest are pauses and do not count, dB. */
const PAUSE_DB = -40;

/** A window that is worse than this counts no further, dB. */
const CLIP = 1 + fromDb(15);

/**
 * How well speech can be understood, 0 to 1, by the short-time objective intelligibility measure
 * (STOI): how alike the envelopes of clean and processed speech are in each band.
 */
export function intelligibility(clean: Float32Array, output: Float32Array): number {
	const [reference, processed] = [envelopesOf(clean), envelopesOf(output)];
	const energies = reference.map((bands) => bands.reduce((sum, value) => sum + value * value, 0));
	const limit = Math.max(...energies) * fromDb(PAUSE_DB) ** 2;
	const spoken = energies.flatMap((energy, window) => (energy > limit ? [window] : []));
	let [sum, count] = [0, 0];
	for (let end = SEGMENT; end <= spoken.length; end += SEGMENT_STEP) {
		const windows = spoken.slice(end - SEGMENT, end);
		for (let band = 0; band < BANDS.length; band++) {
			const of = (envelopes: readonly Float64Array[]) => windows.map((at) => envelopes[at][band]);
			sum += likeness(of(reference), of(processed));
			count++;
		}
	}
	return sum / count;
}

/** The amplitude of each band in each window. */
function envelopesOf(samples: Float32Array): Float64Array[] {
	const spectrum = new PowerSpectrum(FFT_FRAMES, WINDOW_FRAMES);
	const windows = Math.floor((samples.length - WINDOW_FRAMES) / HOP_FRAMES);
	return Array.from({ length: windows }, (_, window) => {
		const powers = spectrum.of(samples, window * HOP_FRAMES);
		return Float64Array.from(BANDS, ([from, to]) =>
			Math.sqrt(powers.subarray(from, to).reduce((sum, power) => sum + power, 0)),
		);
	});
}

/** The correlation of two envelopes, the second scaled to the first and clipped. */
function likeness(clean: readonly number[], output: readonly number[]): number {
	const gain = Math.hypot(...clean) / (Math.hypot(...output) + 1e-12);
	const clipped = output.map((value, i) => Math.min(gain * value, CLIP * clean[i]));
	const [one, other] = [centered(clean), centered(clipped)];
	const product = one.reduce((sum, value, i) => sum + value * other[i], 0);
	return product / (Math.hypot(...one) * Math.hypot(...other) + 1e-12);
}

function centered(values: readonly number[]): number[] {
	const middle = mean(values);
	return values.map((value) => value - middle);
}
