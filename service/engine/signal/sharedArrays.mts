/** Zeros in memory that threads share. */
export function sharedFloats(length: number): Float32Array {
	return new Float32Array(new SharedArrayBuffer(length * Float32Array.BYTES_PER_ELEMENT));
}

/** Zeros in memory that threads share. */
export function sharedDoubles(length: number): Float64Array {
	return new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
}

/** Zeros in memory that threads share. */
export function sharedBytes(length: number): Uint8Array {
	return new Uint8Array(new SharedArrayBuffer(length));
}
