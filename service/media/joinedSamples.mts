/** Samples, one part after the other. */
export function joinedSamples(parts: readonly Float32Array[]): Float32Array {
	const samples = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
	let place = 0;
	for (const part of parts) {
		samples.set(part, place);
		place += part.length;
	}
	return samples;
}
