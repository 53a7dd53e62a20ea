import assert from 'node:assert/strict';

/** Asserts that a number is within the tolerance of what is expected. */
export function assertNear(
	actual: number,
	expected: number,
	tolerance: number,
	what: string,
): void {
	const distance = Math.abs(actual - expected);
	assert.ok(distance <= tolerance, `${what}: ${actual} instead of ${expected} ± ${tolerance}`);
}
