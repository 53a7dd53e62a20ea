import { Transform, type TransformCallback } from 'node:stream';

/** How large a file may be. */
export interface Allowance {
	readonly bytes: number;
	/** What a client gets to read about a larger file. */
	readonly refusal: string;
}

/** A stream exceeded its size limit. */
export class TooLarge extends Error {
	override readonly name = 'TooLarge';
}

/** Passes bytes through, counts them, and fails with TooLarge above the limit. */
export class SizeLimit extends Transform {
	receivedBytes = 0;

	/** @param grow counts bytes before they pass; may refuse them. */
	constructor(
		readonly allowance: Allowance,
		private readonly grow: (bytes: number) => Promise<void> = () => Promise.resolve(),
	) {
		super();
	}

	override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
		this.receivedBytes += chunk.length;
		const { bytes, refusal } = this.allowance;
		if (this.receivedBytes > bytes) callback(new TooLarge(refusal));
		else
			this.grow(chunk.length).then(() => {
				callback(null, chunk);
			}, callback);
	}
}
