import assert from 'node:assert/strict';

/**
 * Prints a figure beside its goal.
 *
 * @throws AssertionError where the goal is not met
 */
export function bar(name: string, figure: number | string, goal: string, isMet: boolean): void {
	const line = `bar ${name}: ${figure} (goal ${goal}) ${isMet ? 'ok' : 'SHORT'}`;
	console.log(line);
	assert.ok(isMet, line);
}
