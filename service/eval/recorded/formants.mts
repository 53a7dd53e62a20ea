import { lowPassed, RATE_HZ } from '../../../testkit/media/signals.mts';

/** Formants are looked for at 8 kHz. */
const STEP = 6;
const THIN_RATE_HZ = RATE_HZ / STEP;
const ORDER = 10;
const GRID_HZ = 25;

/** The lowest resonances of the vocal tract in a voiced piece, Hz. */
export function formantsOf(samples: Float32Array): number[] {
	const envelope = lpcEnvelope(samples);
	return envelope.flatMap((level, index) =>
		index > 0 && level > envelope[index - 1] && level >= (envelope[index + 1] ?? level)
			? [index * GRID_HZ]
			: [],
	);
}

/** The spectral envelope of a piece as gains of bands a third of a kilohertz wide. */
export function envelopeOf(samples: Float32Array): { hz: number; gain: number }[] {
	const envelope = lpcEnvelope(samples);
	const bands = Array.from({ length: 11 }, (_, band) => 300 + band * 330);
	const gains = bands.map((hz) => Math.sqrt(envelope[Math.round(hz / GRID_HZ)] ?? 0));
	const most = Math.max(...gains);
	return bands.map((hz, band) => ({ hz, gain: gains[band] / most }));
}

/** The power of an all-pole model on a grid of frequencies up to 4 kHz. */
function lpcEnvelope(samples: Float32Array): number[] {
	const low = lowPassed(lowPassed(samples, 3_800), 3_800);
	const length = Math.floor(low.length / STEP);
	const thin = Float64Array.from({ length }, (_, i) => {
		const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / length);
		return window * (low[i * STEP] - 0.95 * (low[(i - 1) * STEP] ?? 0));
	});
	const predictor = levinson(autocorrelation(thin));
	return Array.from({ length: Math.floor(THIN_RATE_HZ / 2 / GRID_HZ) }, (_, index) => {
		const angle = (2 * Math.PI * index * GRID_HZ) / THIN_RATE_HZ;
		let [re, im] = [0, 0];
		predictor.forEach((value, lag) => {
			re += value * Math.cos(angle * lag);
			im -= value * Math.sin(angle * lag);
		});
		return 1 / (re * re + im * im + 1e-12);
	});
}

function autocorrelation(samples: Float64Array): number[] {
	return Array.from({ length: ORDER + 1 }, (_, lag) => {
		let sum = 0;
		for (let i = lag; i < samples.length; i++) sum += samples[i] * samples[i - lag];
		return lag === 0 ? sum * 1.0001 + 1e-12 : sum;
	});
}

/** Levinson and Durbin's recursion: the prediction error filter. */
function levinson(correlation: readonly number[]): number[] {
	const filter = [1];
	let error = correlation[0];
	for (let order = 1; order <= ORDER; order++) {
		let sum = 0;
		for (let i = 0; i < order; i++) sum += filter[i] * correlation[order - i];
		const reflection = -sum / error;
		const before = [...filter, 0];
		for (let i = 0; i <= order; i++) {
			filter[i] = before[i] + reflection * before[order - i];
		}
		error *= 1 - reflection * reflection;
	}
	return filter;
}
