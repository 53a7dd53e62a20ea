/** Channels that are denoised together. */
export interface ChannelGroup {
	channels: number[];
	/** How much of the noise reduction each second gets: 0 leaves it as it is, 1 is full. */
	strengths: Float32Array;
}

/** The strength at a time, gliding from second to second; beyond the ends that of the ends. */
export function strengthAt({ strengths }: ChannelGroup, seconds: number): number {
	const last = strengths.length - 1;
	const place = Math.min(last, Math.max(0, seconds - 0.5));
	const before = Math.floor(place);
	const after = Math.min(last, before + 1);
	return strengths[before] + (place - before) * (strengths[after] - strengths[before]);
}

/** Whether anything is to be done to a group between two times. */
export function isTouched({ strengths }: ChannelGroup, start: number, end: number): boolean {
	return strengths
		.subarray(Math.max(0, Math.floor(start) - 1), Math.ceil(end) + 1)
		.some((strength) => strength > 0);
}
