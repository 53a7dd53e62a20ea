import assert from 'node:assert/strict';

/** Fails unless a figure is what it should be, give or take the tolerance. */
export function assertNear(
	actual: number,
	expected: number,
	tolerance: number,
	what: string,
): void {
	const distance = Math.abs(actual - expected);
	assert.ok(distance <= tolerance, `${what}: ${actual} instead of ${expected} ± ${tolerance}`);
}
