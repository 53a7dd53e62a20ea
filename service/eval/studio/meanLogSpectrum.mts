import { PowerSpectrum } from '../../engine/signal/powerSpectrum.mts';
import { mean } from '../../../testkit/measure/median.mts';
import { framesOf, RATE_HZ } from '../../../testkit/media/signals.mts';
import { HOP_SECONDS, WORD } from '../scene.mts';

/** 20 third-octave bands, from 100 Hz to 8 kHz: the middle of each. */
const MIDDLES_HZ = Array.from({ length: 20 }, (_, band) => 1_000 * 2 ** ((band - 10) / 3));

const WINDOW_FRAMES = 2_048;

/** What is this far below the loudest window of its band is not heard, dB. */
const INAUDIBLE_DB = -50;

/** The middle of a voice: vowels. */
const MIDDLE_HZ = [500, 2_000] as const;
const HIGH_HZ = [4_000, 8_000] as const;

/** Mean level of speech in each band, dB: of the windows that lie in words. */
export function meanLogSpectrum(samples: Float32Array, marks: Uint8Array): number[] {
	const windows = bandsIn(samples, marks);
	return MIDDLES_HZ.map((_, band) => {
		const loudest = Math.max(...windows.map((bands) => bands[band]));
		const floor = loudest * 10 ** (INAUDIBLE_DB / 10) + 1e-15;
		return mean(windows.map((bands) => 10 * Math.log10(bands[band] + floor)));
	});
}

/**
 * How far a spectrum is from that of a clean voice, whatever the level: the root of the mean square over the bands that
 * hold speech, dB.
 */
export function apartDb(clean: readonly number[], heard: readonly number[]): number {
	const loudest = Math.max(...clean);
	const differences = clean.flatMap((db, band) => {
		return db > loudest + INAUDIBLE_DB ? db - heard[band] : [];
	});
	const level = mean(differences);
	return Math.sqrt(mean(differences.map((db) => (db - level) ** 2)));
}

/** How loud speech is from 4 to 8 kHz beside its middle, dB. */
export function highsDb(samples: Float32Array, marks: Uint8Array): number {
	const windows = bandsIn(samples, marks);
	const energy = ([from, to]: readonly [number, number]) => {
		const bands = [...MIDDLES_HZ.keys()].filter((band) => {
			return MIDDLES_HZ[band] > from * 0.99 && MIDDLES_HZ[band] < to * 1.01;
		});
		return bands.reduce((sum, band) => sum + mean(windows.map((one) => one[band])), 1e-15);
	};
	return 10 * Math.log10(energy(HIGH_HZ) / energy(MIDDLE_HZ));
}

/** The energies of the bands in each window that lies in words. */
function bandsIn(samples: Float32Array, marks: Uint8Array): Float64Array[] {
	const spectrum = new PowerSpectrum(WINDOW_FRAMES);
	const edges = [...MIDDLES_HZ, MIDDLES_HZ[19] * 2 ** (1 / 3)].map((hz) => {
		return Math.round((hz / 2 ** (1 / 6) / RATE_HZ) * WINDOW_FRAMES);
	});
	const hop = framesOf(HOP_SECONDS);
	const windows: Float64Array[] = [];
	for (let start = 0; start + WINDOW_FRAMES <= samples.length; start += WINDOW_FRAMES / 2) {
		const [from, to] = [Math.floor(start / hop), Math.ceil((start + WINDOW_FRAMES) / hop)];
		if (!marks.subarray(from, to).every((mark) => mark === WORD)) continue;
		const powers = spectrum.of(samples, start);
		windows.push(
			Float64Array.from(MIDDLES_HZ, (_, band) => {
				let sum = 0;
				for (let bin = edges[band]; bin < edges[band + 1]; bin++) sum += powers[bin];
				return sum;
			}),
		);
	}
	return windows;
}
