/** The weight of the doubt before anything was seen. */
const DOUBT = 1;

/**
 * What a batch has shown of the order in which the service starts its edits, and of how many it works
 * on at once. Both together tell when a PENDING edit starts without asking about it: the one at place
 * 70 of a service that works on 50 at once starts when the 21st of the batch has finished.
 */
export class StartOrder {
	/** When the finished edits ended, earliest first. */
	private readonly finishedAtMs: number[] = [];

	/** How many edits the service seems to work on at once. */
	private width = 1;

	/** The latest place in the order of submission that was seen to have started. */
	private furthestStart = -1;

	/** Edits seen to have started, and looks at one that had not while a later one had. */
	private inOrder = DOUBT;

	private outOfOrder = DOUBT;

	/** @param beganAtMs when the first edits could start, in milliseconds since 1970 */
	constructor(private readonly beganAtMs: number) {}

	/** From 0, edits start in any order, to 1, they start in the order of their submission. */
	get faith(): number {
		return this.inOrder / (this.inOrder + this.outOfOrder);
	}

	/** When the edit at this place starts, in milliseconds since 1970; infinity if not yet. */
	startsAtMs(place: number): number {
		const before = place - this.width;
		return before < 0 ? this.beganAtMs : (this.finishedAtMs[before] ?? Infinity);
	}

	/** Takes in that the edit at this place is now first seen to have started, or is still PENDING. */
	sawStart(place: number, hasStarted: boolean): void {
		if (hasStarted) this.inOrder += 1;
		else if (place < this.furthestStart) this.outOfOrder += 1;
		const finished = this.finishedAtMs.length;
		if (hasStarted) {
			this.furthestStart = Math.max(this.furthestStart, place);
			this.width = Math.max(this.width, place + 1 - finished);
		} else if (place < finished + this.width) {
			this.width = Math.max(1, place - finished);
		}
	}

	/** Takes in when an edit ended, in milliseconds since 1970. */
	sawEnd(endedAtMs: number): void {
		const last = this.finishedAtMs.findLastIndex((atMs) => atMs <= endedAtMs);
		this.finishedAtMs.splice(last + 1, 0, endedAtMs);
	}
}
