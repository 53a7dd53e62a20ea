/** Channels that are denoised together. */
export interface ChannelGroup {
	channels: number[];
	/** Strength of the noise reduction in each second: 0 leaves it unchanged, 1 is full. */
	strengths: Float32Array;
	/** Mean square of the noise around each second, without rumble. */
	noise: Float32Array;
	/** Mean square of the speech around each second. */
	speech: Float32Array;
}

/** Returns a value for each second at a time, interpolated between the middles of the seconds. */
export function valueAt(values: Float32Array, seconds: number): number {
	const last = values.length - 1;
	const place = Math.min(last, Math.max(0, seconds - 0.5));
	const before = Math.floor(place);
	const after = Math.min(last, before + 1);
	return values[before] + (place - before) * (values[after] - values[before]);
}

/** Returns whether a group needs any noise reduction between two times, in seconds. */
export function isTouched({ strengths }: ChannelGroup, start: number, end: number): boolean {
	return strengths
		.subarray(Math.max(0, Math.floor(start) - 1), Math.ceil(end) + 1)
		.some((strength) => strength > 0);
}
