import { Transform } from 'node:stream';

/** A stream exceeded its size limit. */
export class TooLarge extends Error {
	override readonly name = 'TooLarge';

	constructor(readonly limitBytes: number) {
		super(`The file is larger than ${limitBytes} bytes`);
	}
}

/** Passes bytes through, counts them, and fails with TooLarge above the limit. */
export class SizeLimit extends Transform {
	receivedBytes = 0;

	constructor(readonly limitBytes: number) {
		super();
	}

	override _transform(
		chunk: Buffer,
		_encoding: BufferEncoding,
		callback: (error: Error | null, data?: Buffer) => void,
	): void {
		this.receivedBytes += chunk.length;
		if (this.receivedBytes > this.limitBytes) callback(new TooLarge(this.limitBytes));
		else callback(null, chunk);
	}
}
