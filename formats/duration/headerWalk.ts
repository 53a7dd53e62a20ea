/** Bytes of a file that a reading wants to see: so many from an offset, which only grows. */
interface Wish {
	readonly at: number;
	readonly bytes: number;
}

/** Looks at the headers of a file, until it knows the length by the size of the file. */
export type HeaderReading = Generator<Wish, (fileBytes: number) => number | undefined, Buffer>;

/** Shows a reading the headers of a file that comes in chunks, and keeps nothing else. */
export class HeaderWalk {
	private held: Buffer = Buffer.alloc(0);

	/** Where the held bytes begin in the file. */
	private heldFrom = 0;

	private fileBytes = 0;

	private step: ReturnType<HeaderReading['next']>;

	constructor(private readonly reading: HeaderReading) {
		this.step = reading.next();
	}

	push(chunk: Buffer): void {
		this.fileBytes += chunk.length;
		const bytes = this.held.length > 0 ? Buffer.concat([this.held, chunk]) : chunk;
		while (!this.step.done) {
			const { at, bytes: wanted } = this.step.value;
			const start = at - this.heldFrom;
			if (start + wanted > bytes.length) {
				const passed = Math.min(start, bytes.length);
				this.heldFrom += passed;
				// A copy, so that the chunk's memory becomes free.
				this.held = Buffer.from(bytes.subarray(passed));
				return;
			}
			this.step = this.reading.next(bytes.subarray(start, start + wanted));
		}
	}

	seconds(): number | undefined {
		return this.step.done ? this.step.value(this.fileBytes) : undefined;
	}
}
