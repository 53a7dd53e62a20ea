/** Durations are counted in steps of one second, up to two hours; longer ones count as that. */
const STEP_MS = 1_000;
const STEPS = 7_200;

/**
 * How long edits took that finished in this batch, and what that says of those still running.
 * Constant time a question and constant memory, however many edits there are.
 */
export class SeenDurations {
	/** At each step, how many edits took at most that long. */
	private readonly atMost = new Uint32Array(STEPS + 1);

	private count = 0;

	/** Takes in the processing time of a finished edit. */
	add(durationMs: number): void {
		this.count += 1;
		for (let step = stepOf(durationMs); step <= STEPS; step++) this.atMost[step] += 1;
	}

	/**
	 * How likely an edit that was still being processed at one age has finished at another.
	 *
	 * @param fromMs its age when it was last seen running
	 * @param toMs its age now
	 * @param prior the answer to give without any knowledge, which weighs as much as two edits
	 */
	finishedBetween(fromMs: number, toMs: number, prior: number): number {
		const PRIOR_WEIGHT = 2;
		const before = this.atMost[stepOf(fromMs)];
		const finished = this.atMost[stepOf(toMs)] - before;
		const outlived = this.count - before;
		return (finished + PRIOR_WEIGHT * prior) / (outlived + PRIOR_WEIGHT);
	}
}

function stepOf(ms: number): number {
	return Math.min(STEPS, Math.max(0, Math.round(ms / STEP_MS)));
}
