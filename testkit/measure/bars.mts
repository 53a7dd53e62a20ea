import assert from 'node:assert/strict';

/** A measured figure and its limit, as the bench commands print it. */
export interface Bar {
	readonly name: string;
	readonly figure: number;
	readonly limit: number;
	/** Whether the figure must not exceed the limit (default) or must reach it. */
	readonly goal?: '<=' | '>=';
	readonly decimals?: number;
	/** Unit to print, such as `%`. */
	readonly unit?: string;
}

/** A bar without decimals. */
export function count(
	...[name, figure, limit = 0, goal, unit]: [string, number, number?, Bar['goal']?, string?]
): Bar {
	return { name, figure, limit, goal, decimals: 0, unit };
}

/** Prints a bar, and returns whether it is met. */
function printBar({ name, figure, limit, goal = '<=', decimals = 2, unit }: Bar): boolean {
	const isMet = goal === '<=' ? figure <= limit : figure >= limit;
	const end = unit === undefined ? '' : ` ${unit}`;
	console.log(
		`bar ${name}: ${figure.toFixed(decimals)}${end} (goal ${goal} ${limit}${end}) ${isMet ? 'ok' : 'SHORT'}`,
	);
	return isMet;
}

/** Prints a bar. @throws AssertionError unless it is met */
export function assertBar(bar: Bar): void {
	assert.ok(printBar(bar), bar.name);
}

/** Prints one line per bar, and sets the exit code to 1 if any is missed. */
export function printBars(bars: readonly Bar[]): void {
	for (const bar of bars) if (!printBar(bar)) process.exitCode = 1;
}
