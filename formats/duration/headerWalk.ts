/** Bytes of a file that a reading wants to see: so many from an offset, which is never less than the last one. */
interface Wish {
	readonly at: number;
	readonly bytes: number;
}

/** Looks at the headers of a file, until it has found what it reads them for. */
export type HeaderReading<Found = LengthBySize> = Generator<Wish, Found, Buffer>;

/** The length of a file in seconds, by its size. */
type LengthBySize = (fileBytes: number) => number | undefined;

/** Shows a reading the headers of a file that comes in chunks, and keeps nothing else. */
export class HeaderWalk<Found = LengthBySize> {
	private held: Buffer = Buffer.alloc(0);

	/** Where the held bytes begin in the file. */
	private heldFrom = 0;

	private bytesSeen = 0;

	private step: ReturnType<HeaderReading<Found>['next']>;

	constructor(private readonly reading: HeaderReading<Found>) {
		this.step = reading.next();
	}

	push(chunk: Buffer): void {
		this.bytesSeen += chunk.length;
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

	/** How many bytes it was shown: after the last chunk, the size of the file. */
	get fileBytes(): number {
		return this.bytesSeen;
	}

	/** Whether the reading wants to see no more. */
	get isDone(): boolean {
		return this.step.done === true;
	}

	/** What the reading has found; undefined as long as it wants to see more. */
	get found(): Found | undefined {
		return this.step.done ? this.step.value : undefined;
	}
}
