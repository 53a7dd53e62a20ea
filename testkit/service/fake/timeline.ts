/** The life of an edit: each status, and the second at which it begins. It is PENDING before. */
export type Timeline = ReadonlyArray<readonly [fromSeconds: number, status: string]>;

/** The statuses of an edit at work, and the part of its time after which each begins. */
const WORK = [
	['PREPROCESSING', 0],
	['CLASSIFICATION', 0.1],
	['EDITING', 0.3],
	['POSTPROCESSING', 0.7],
	['EXPORT', 0.9],
] as const;

/** The life of an edit that is worked on for so long. */
export function working(seconds: number, end = 'SUCCESS', fromSeconds = 0): Timeline {
	const statuses = WORK.map(([status, part]) => [fromSeconds + part * seconds, status] as const);
	return [...statuses, [fromSeconds + seconds, end]];
}

/** The status that an edit with this life has after so long. */
export function statusAt(life: Timeline, seconds: number): string {
	return life.findLast(([from]) => from <= seconds)?.[1] ?? 'PENDING';
}

/** When an edit with this life has ended, in seconds. */
export function endOf(life: Timeline): number {
	return life.at(-1)?.[0] ?? 0;
}
