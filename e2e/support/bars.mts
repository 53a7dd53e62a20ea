import assert from 'node:assert/strict';

/**
 * Prints a measurement and its goal, as the benches do.
 *
 * @param goal such as `<= 10`
 * @throws AssertionError if the goal is not met, which fails the test
 */
export function bar(name: string, figure: number | string, goal: string, isMet: boolean): void {
	const line = `bar ${name}: ${figure} (goal ${goal}) ${isMet ? 'ok' : 'SHORT'}`;
	console.log(line);
	assert.ok(isMet, line);
}
