import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Chance } from '../../testkit/measure/chance.mts';
import { doubtFrom } from '../engine/review/doubt/reasons.mts';
import { leastCertain } from '../engine/review/doubt/leastCertain.mts';
import { planAfter, planBefore } from '../engine/review/clipPlaces.mts';
import type { Cut } from '../shared/cuts.mts';

const SCALE = { mode: 'cut', sampleRateHz: 100, samples: 100_000 } as const;

function cutAt(start: number, end: number, more: Partial<Cut> = {}): Cut {
	return { kind: 'breath', track: null, start, end, sure: 0.5, by: 'engine', keep: false, ...more };
}

/** The samples that a plan plays once its cuts are made. */
function heard({ stretches, cuts }: ReturnType<typeof planAfter>): number[] {
	const read = stretches.flatMap(({ start, end }) =>
		Array.from({ length: end - start }, (_, at) => start + at),
	);
	return read.filter((_, at) => !cuts.some(({ start, end }) => start <= at && at < end));
}

await test('a clip plays what stays around a cut, and nothing else, wherever it is', () => {
	const chance = new Chance(3);
	for (let round = 0; round < 200; round++) {
		const samples = chance.whole(50, 4_000);
		const borders = Array.from({ length: 2 * chance.whole(1, 12) }, () => chance.whole(0, samples));
		const sorted = [...new Set(borders)].sort((a, b) => a - b);
		const cuts = Array.from({ length: Math.floor(sorted.length / 2) }, (_, at) =>
			cutAt(sorted[2 * at], sorted[2 * at + 1]),
		);
		if (cuts.length === 0) continue;
		const cut = chance.pick(cuts);
		const plan = planAfter(cut, cuts, { ...SCALE, samples });
		const kept = Array.from({ length: samples }, (_, at) => at).filter(
			(at) => !cuts.some(({ start, end }) => start <= at && at < end),
		);
		const join = kept.filter((at) => at < cut.start).length;
		const left = Math.min(join, Math.max(300, 600 - (kept.length - join)));
		const expected = kept.slice(join - left, join - left + 600);
		assert.deepEqual(heard(plan), expected);
		assert.ok(plan.stretches.every(({ start, end }) => end > start && end - start <= samples));
	}
});

await test('reads little of a cut of ten minutes, and hears all of one of ten seconds', () => {
	const long = cutAt(2_000, 62_000);
	const read = planAfter(long, [long], SCALE).stretches.reduce(
		(sum, one) => sum + one.end - one.start,
		0,
	);
	assert.equal(read, 600 + 2 * 100);
	assert.deepEqual(planBefore(long, SCALE).stretches, [{ start: 1_900, end: 7_900 }]);
	const short = cutAt(2_000, 3_000);
	assert.deepEqual(planBefore(short, SCALE).stretches, [{ start: 1_900, end: 3_100 }]);
	assert.deepEqual(planBefore(cutAt(0, 100), SCALE).stretches, [{ start: 0, end: 600 }]);
	assert.deepEqual(planBefore(cutAt(99_900, 100_000), SCALE).stretches, [
		{ start: 99_400, end: 100_000 },
	]);
	const muted = planAfter(cutAt(1_000, 1_100), [cutAt(900, 950), cutAt(1_000, 1_100)], {
		...SCALE,
		mode: 'mute',
	});
	assert.deepEqual(muted, {
		stretches: [{ start: 750, end: 1_350 }],
		cuts: [
			{ start: 150, end: 200 },
			{ start: 250, end: 350 },
		],
	});
});

await test('what speaks against a cut is more doubtful than anything near a limit', () => {
	const nearly = doubtFrom(0, [{ reason: 'speech', strength: 0 }]);
	assert.deepEqual(nearly, { doubt: 0.5, reason: 'near_limit' });
	assert.ok(doubtFrom(1, [{ reason: 'changes', strength: 0.01 }]).doubt > nearly.doubt);
	const both = [
		{ reason: 'other_voice', strength: -Infinity },
		{ reason: 'changes', strength: 7 },
	] as const;
	assert.deepEqual(doubtFrom(1, both), { doubt: 1, reason: 'changes' });
	const cuts = [
		cutAt(0, 10, { sure: 0.9 }),
		cutAt(20, 30, { sure: 0.1 }),
		cutAt(40, 50),
		cutAt(60, 70, { sure: 0, keep: true }),
		cutAt(80, 90, { sure: null, by: 'Ann' }),
	];
	const doubts = [{ start: 0, end: 10, doubt: 0.8, reason: 'speech' as const }];
	assert.deepEqual(
		leastCertain(cuts, doubts, 2).map(({ start }) => start),
		[0, 20],
	);
	// Of a recording that was kept earlier, only what the detectors said is known.
	assert.deepEqual(
		leastCertain(cuts, undefined, 9).map(({ start }) => start),
		[20, 40, 0],
	);
});
