import { PowerSpectrum } from '../engine/signal/powerSpectrum.mts';
import { mean } from '../../testkit/measure/median.mts';
import { framesOf, RATE_HZ, rms, toDb } from '../../testkit/media/signals.mts';
import { HOP_SECONDS, STILL } from './scene.mts';

const WINDOW_FRAMES = 1_024;
const HOP_FRAMES = 512;

/** Compared from 100 Hz to 8 kHz. */
const [FROM_BIN, TO_BIN] = [100, 8_000].map((hz) => Math.round((hz * WINDOW_FRAMES) / RATE_HZ));

/** What is this far below the loudest is not heard, dB. */
const INAUDIBLE_DB = -60;

/** A pause is judged this far from the words around it, in seconds. */
const APART_SECONDS = 0.05;

/** The mean difference of two log spectra, dB (log-spectral distance). */
export function spectralDistanceDb(clean: Float32Array, output: Float32Array): number {
	const [one, other] = [powersOf(clean), powersOf(output)];
	const loudest = Math.max(...one.map((powers) => powers.reduce((a, b) => Math.max(a, b), 0)));
	const floor = loudest * 10 ** (INAUDIBLE_DB / 10);
	const distances = one.map((powers, window) => {
		const squares = powers.map((power, bin) => {
			return (10 * Math.log10((power + floor) / (other[window][bin] + floor))) ** 2;
		});
		return Math.sqrt(mean(squares));
	});
	return mean(distances);
}

/**
 * Compares the pauses of a recording before and after; undefined when there are none. Residual noise that chirps
 * fluctuates more.
 */
export function pauseFigures(marks: Uint8Array, before: Float32Array, after: Float32Array) {
	const windows = pausesIn(marks);
	if (windows.length < 20) return undefined;
	const level = (samples: Float32Array) => {
		const parts = windows.flatMap((at) => [
			...samples.subarray(at * HOP_FRAMES, (at + 2) * HOP_FRAMES),
		]);
		return toDb(rms(Float32Array.from(parts)));
	};
	return {
		attenuationDb: level(before) - level(after),
		chirpsDb: fluctuationDb(powersOf(after), windows) - fluctuationDb(powersOf(before), windows),
	};
}

function fluctuationDb(powers: readonly Float64Array[], windows: readonly number[]): number {
	const variances = Array.from(powers[0], (_, bin) => {
		const levels = windows.map((window) => 10 * Math.log10(powers[window][bin] + 1e-14));
		const middle = mean(levels);
		return mean(levels.map((level) => (level - middle) ** 2));
	});
	return Math.sqrt(mean(variances));
}

/** The windows in which nobody speaks. */
function pausesIn(marks: Uint8Array): number[] {
	const hop = framesOf(HOP_SECONDS);
	const apart = framesOf(APART_SECONDS);
	const windows: number[] = [];
	for (let start = apart; start + WINDOW_FRAMES + apart < marks.length * hop; start += HOP_FRAMES) {
		const window = Math.ceil(start / HOP_FRAMES);
		const from = window * HOP_FRAMES;
		const around = marks.subarray(
			Math.floor((from - apart) / hop),
			Math.ceil((from + WINDOW_FRAMES + apart) / hop),
		);
		if (around.every((mark) => mark === STILL)) windows.push(window);
	}
	return windows;
}

function powersOf(samples: Float32Array): Float64Array[] {
	const spectrum = new PowerSpectrum(WINDOW_FRAMES);
	const windows = Math.floor((samples.length - WINDOW_FRAMES) / HOP_FRAMES) + 1;
	return Array.from({ length: windows }, (_, window) =>
		spectrum.of(samples, window * HOP_FRAMES).slice(FROM_BIN, TO_BIN),
	);
}
