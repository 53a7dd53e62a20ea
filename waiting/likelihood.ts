import type { SeenDurations } from './durations';

/** What is known of one edit when it is weighed against the others. */
export interface EditView {
	/** Its status when last asked; PENDING before the first time. */
	readonly status: string;
	/** When it was last asked about, or submitted, in milliseconds since 1970. */
	readonly lastSeenAtMs: number;
	/** When it was first seen to be processed; undefined while it is PENDING. */
	readonly startedAtMs?: number;
}

/** What is known of the batch. */
export interface BatchView {
	readonly durations: SeenDurations;
	/** From 0, edits start in any order, to 1, they start in the order of their submission. */
	readonly orderFaith: number;
}

/** Without any knowledge, an edit is expected to take about so long. */
const EXPECTED_MS = 120_000;

/** In these states the end is near, whatever the durations of the others were. */
const EXPECTED_IN_STATUS_MS: Readonly<Record<string, number>> = {
	EXPORT: 10_000,
	POSTPROCESSING: 40_000,
};

/**
 * How likely it is that an edit has finished without our knowing, from 0 to 1. Asking about the edit
 * with the highest likelihood is what shortens the waiting most.
 *
 * @param startsAtMs for a PENDING edit, when it starts if edits start in the order of submission; in
 *   milliseconds since 1970, infinity if not yet
 */
export function finishedLikelihood(
	edit: EditView,
	startsAtMs: number,
	{ durations, orderFaith }: BatchView,
	nowMs: number,
): number {
	const { status, lastSeenAtMs, startedAtMs } = edit;
	const unseenMs = nowMs - lastSeenAtMs;
	if (startedAtMs === undefined) {
		const inOrderMs = Math.min(unseenMs, Math.max(0, nowMs - startsAtMs));
		const inOrder = durations.finishedBetween(0, inOrderMs, reached(inOrderMs, EXPECTED_MS));
		const inAnyOrder = durations.finishedBetween(0, unseenMs, reached(unseenMs, EXPECTED_MS));
		const faith = orderFaith ** 2;
		return faith * inOrder + (1 - faith) * inAnyOrder;
	}
	const ageMs = nowMs - startedAtMs;
	const prior = reached(unseenMs, EXPECTED_MS);
	const byAge = durations.finishedBetween(ageMs - unseenMs, ageMs, prior);
	const expectedMs = EXPECTED_IN_STATUS_MS[status];
	return expectedMs === undefined ? byAge : Math.max(byAge, reached(unseenMs, expectedMs));
}

/** How likely something that takes a while on average is over after this time. */
function reached(afterMs: number, averageMs: number): number {
	return 1 - Math.exp(-afterMs / averageMs);
}
