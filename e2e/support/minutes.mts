/** Returns the most of these times, in milliseconds, within any minute. */
export function mostInAMinute(times: readonly number[]): number {
	const within = (endMs: number) => times.filter((ms) => ms <= endMs && ms > endMs - 60_000).length;
	return Math.max(0, ...times.map(within));
}
