import { ANALYSIS_RATE_HZ, energyOf, peakOffset } from '../signal/levels.mts';

/** Pitch is looked for in the signal thinned out to 4 kHz. */
const STEP = 4;
const RATE_HZ = ANALYSIS_RATE_HZ / STEP;

/** Voices lie between these, Hz. */
const MIN_VOICE_HZ = 72;
const MAX_VOICE_HZ = 400;
const MIN_LAG = RATE_HZ / MAX_VOICE_HZ;
const MAX_LAG = Math.floor(RATE_HZ / MIN_VOICE_HZ);

const thin = new Float32Array(160);
const likenesses = new Float32Array(MAX_LAG + 2);

/**
 * How alike a sound of 40 ms is to itself one period later (0 to 1), and the period as pitch, by
 * normalized autocorrelation.
 */
export function voicingOf(buffer: Float32Array): { strength: number; pitchHz: number } {
	const length = thinOut(buffer);
	const span = length - MAX_LAG;
	const base = energyOf(thin, 0, span);
	let moved = base;
	let [best, bestLag] = [0, 0];
	likenesses.fill(0);
	for (let lag = 1; lag <= MAX_LAG; lag++) {
		const leaving = thin[lag - 1];
		const coming = thin[lag + span - 1];
		moved += coming * coming - leaving * leaving;
		if (lag < MIN_LAG) continue;
		let product = 0;
		for (let i = 0; i < span; i++) product += thin[i] * thin[i + lag];
		const likeness = product / Math.sqrt(base * moved + 1e-18);
		likenesses[lag] = likeness;
		// A shorter period as good as a longer one is the true one.
		if (likeness > best + 0.02) [best, bestLag] = [likeness, lag];
	}
	return { strength: Math.min(1, best), pitchHz: bestLag > 0 ? RATE_HZ / refined(bestLag) : 0 };
}

/** The top of the parabola through a lag and its neighbors: lags are coarse for high voices. */
function refined(lag: number): number {
	const [before, at, after] = likenesses.subarray(lag - 1, lag + 2);
	return lag + peakOffset(before, at, after);
}

/** Low-passes and keeps every fourth sample. */
function thinOut(buffer: Float32Array): number {
	const length = Math.min(thin.length, Math.floor((buffer.length - STEP) / STEP));
	for (let i = 0; i < length; i++) {
		let sum = 0;
		for (let j = 0; j < 2 * STEP; j++) sum += buffer[i * STEP + j];
		thin[i] = sum;
	}
	return length;
}
