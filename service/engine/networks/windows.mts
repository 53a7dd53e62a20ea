/*
 * The windows of 16 kHz sound in which YAMNet and the voice encoder hear: of 25 ms, one every 10 ms.
 */

export const WINDOW_SAMPLES = 400;
export const STEP_SAMPLES = 160;

/** Each is filled up to this for its spectrum. */
export const FFT_SAMPLES = 512;

/** Samples that a number of windows take. */
export function samplesOf(windows: number): number {
	return (windows - 1) * STEP_SAMPLES + WINDOW_SAMPLES;
}
