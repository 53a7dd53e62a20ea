/** One of the project's claims, as printed by the bench commands. */
export interface Bar {
	readonly name: string;
	readonly figure: number;
	readonly limit: number;
	/** Whether the figure has to stay below the limit (the usual) or to reach it. */
	readonly goal?: '<=' | '>=';
	/** Decimals to print. */
	readonly decimals?: number;
	/** Printed after the figure and the limit, such as `%`. */
	readonly unit?: string;
}

/** Prints each bar in one line and sets the exit code to 1 if one is short. */
export function printBars(bars: readonly Bar[]): void {
	for (const { name, figure, limit, goal = '<=', decimals = 2, unit } of bars) {
		const isMet = goal === '<=' ? figure <= limit : figure >= limit;
		if (!isMet) process.exitCode = 1;
		const end = unit === undefined ? '' : ` ${unit}`;
		console.log(
			`bar ${name}: ${figure.toFixed(decimals)}${end} (goal ${goal} ${limit}${end}) ${isMet ? 'ok' : 'SHORT'}`,
		);
	}
}
