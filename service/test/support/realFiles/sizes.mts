/** Changes what files say about their sizes. */

const FIELDS = {
	u32le: (file: Buffer, value: number, at: number) => file.writeUInt32LE(value, at),
	u32be: (file: Buffer, value: number, at: number) => file.writeUInt32BE(value, at),
	u64le: (file: Buffer, value: number, at: number) => file.writeBigInt64LE(BigInt(value), at),
	u64be: (file: Buffer, value: number, at: number) => file.writeBigInt64BE(BigInt(value), at),
} as const;

/** Where the size of the sound is: so many bytes behind the beginning of an id. */
interface SizeField {
	readonly id: string;
	readonly offset: number;
	readonly type: keyof typeof FIELDS;
	/** What the size counts besides the samples. */
	readonly besides: number;
}

/** The size of the sound in each container that has one. */
export const SIZE_FIELDS = {
	wav: { id: 'data', offset: 4, type: 'u32le', besides: 0 },
	rifx: { id: 'data', offset: 4, type: 'u32be', besides: 0 },
	rf64: { id: 'ds64', offset: 16, type: 'u64le', besides: 0 },
	w64: { id: 'data', offset: 16, type: 'u64le', besides: 24 },
	aiff: { id: 'SSND', offset: 4, type: 'u32be', besides: 8 },
	caf: { id: 'data', offset: 4, type: 'u64be', besides: 4 },
	au: { id: '.snd', offset: 8, type: 'u32be', besides: 0 },
	mp4: { id: 'mdat', offset: -4, type: 'u32be', besides: 8 },
} as const satisfies Record<string, SizeField>;

/** Returns a file that says how many bytes of sound it has, true or not. */
export function saying(file: Buffer, field: SizeField, soundBytes: number): Buffer {
	const changed = Buffer.from(file);
	const at = changed.indexOf(field.id) + field.offset;
	FIELDS[field.type](changed, soundBytes + field.besides, at);
	return changed;
}

/** Returns a WAV or RIFX with chunks before and behind its sound, as they are written by some programs. */
export function withChunks(
	wav: Buffer,
	{ before = Buffer.alloc(0), behind = Buffer.alloc(0) }: { before?: Buffer; behind?: Buffer },
): Buffer {
	const data = wav.indexOf('data');
	const changed = Buffer.concat([wav.subarray(0, data), before, wav.subarray(data), behind]);
	changed.writeUInt32LE(changed.length - 8, 4);
	return changed;
}

/** Returns a chunk of a WAV; a body of odd size gets its byte of padding, unless a program forgets it. */
export function waveChunk(id: string, body: string, isPadded = true): Buffer {
	const size = Buffer.alloc(4);
	size.writeUInt32LE(body.length);
	const padding = isPadded && body.length % 2 === 1 ? '\0' : '';
	return Buffer.concat([Buffer.from(id), size, Buffer.from(body + padding, 'latin1')]);
}

/** Returns a WAV with the other order of bytes. */
export function asRifx(wav: Buffer): Buffer {
	const changed = Buffer.from(wav);
	changed.write('RIFX', 0);
	for (const at of [4, 16, 24, 28, 40]) changed.subarray(at, at + 4).reverse();
	for (const at of [20, 22, 32, 34]) changed.subarray(at, at + 2).reverse();
	changed.subarray(44).swap16();
	return changed;
}
