import { SeenDurations } from '../../waiting/durations';
import { type EditView, finishedLikelihood } from '../../waiting/likelihood';
import { StartOrder } from '../../waiting/startOrder';

function seen(...seconds: number[]): SeenDurations {
	const durations = new SeenDurations();
	for (const second of seconds) durations.add(second * 1_000);
	return durations;
}

describe('the likelihood from durations', () => {
	const durations = seen(60, 70, 80, 300, 310);

	it.each([
		// (finished in between + 2 × prior) ÷ (outlived + 2)
		['one of four', 65_000, 75_000, 0.5, 2 / 6],
		['all that remain', 65_000, 400_000, 0.5, 5 / 6],
		['none yet', 0, 59_000, 0, 0],
		['up to and including its own second', 0, 60_000, 0, 1 / 7],
		['rounded to seconds', 0, 59_500, 0, 1 / 7],
		['the prior alone for an empty span', 100_000, 100_000, 1, 2 / 4],
	])('%s', (_title, fromMs, toMs, prior, expected) => {
		expect(durations.finishedBetween(fromMs, toMs, prior)).toBeCloseTo(expected, 12);
	});

	it('is the prior while no duration is known', () => {
		expect(seen().finishedBetween(0, 60_000, 0.3)).toBeCloseTo(0.3, 12);
	});

	it('counts durations and ages above two hours as two hours, and negative ones as zero', () => {
		const long = seen(100_000, -5);
		expect(long.finishedBetween(-90_000, 7_199_000, 0)).toBe(0);
		expect(long.finishedBetween(0, 7_200_000, 0)).toBeCloseTo(1 / 3, 12);
		expect(long.finishedBetween(0, 9e9, 0)).toBeCloseTo(1 / 3, 12);
	});
});

describe('the likelihood that an edit has finished unseen', () => {
	const NOW_MS = 1_000_000;
	const reached = (afterMs: number, averageMs: number) => 1 - Math.exp(-afterMs / averageMs);
	const likelihood = (
		edit: EditView,
		{ startsAtMs = Infinity, orderFaith = 1, durations = seen() } = {},
	) => finishedLikelihood(edit, startsAtMs, { durations, orderFaith }, NOW_MS);
	const started = (ageMs: number, unseenMs: number, status = 'EDITING'): EditView => ({
		status,
		lastSeenAtMs: NOW_MS - unseenMs,
		startedAtMs: NOW_MS - ageMs,
	});
	const pending = (unseenMs: number): EditView => ({
		status: 'PENDING',
		lastSeenAtMs: NOW_MS - unseenMs,
	});

	it('grows with the time unseen towards two minutes on average, while nothing is known', () => {
		expect(likelihood(started(90_000, 30_000))).toBeCloseTo(reached(30_000, 120_000), 12);
	});

	it('includes what other edits of its age have shown since it was last seen', () => {
		const durations = seen(60, 70, 80, 300, 310);
		const prior = reached(10_000, 120_000);
		expect(likelihood(started(75_000, 10_000), { durations })).toBeCloseTo(
			(1 + 2 * prior) / (4 + 2),
			12,
		);
	});

	it.each([
		['EXPORT', 10_000],
		['POSTPROCESSING', 40_000],
	])('is at least that of its status in %s', (status, averageMs) => {
		const edit = started(90_000, 20_000, status);
		expect(likelihood(edit)).toBeCloseTo(reached(20_000, averageMs), 12);
		// If other edits of its age have all finished, that counts for more.
		const durations = seen(...Array<number>(200).fill(80));
		expect(likelihood(edit, { durations })).toBeGreaterThan(0.99);
	});

	it('counts a PENDING edit from its start in the order, weighted by the confidence in that order', () => {
		const inOrder = reached(40_000, 120_000);
		const inAnyOrder = reached(100_000, 120_000);
		const startsAtMs = NOW_MS - 40_000;
		const of = (orderFaith: number) => likelihood(pending(100_000), { startsAtMs, orderFaith });
		expect(of(1)).toBeCloseTo(inOrder, 12);
		expect(of(0)).toBeCloseTo(inAnyOrder, 12);
		expect(of(0.5)).toBeCloseTo(0.25 * inOrder + 0.75 * inAnyOrder, 12);
	});

	it('counts a PENDING edit from when it was last seen, if it should have started earlier', () => {
		const edit = pending(40_000);
		const expected = reached(40_000, 120_000);
		expect(likelihood(edit, { startsAtMs: NOW_MS - 90_000 })).toBeCloseTo(expected, 12);
	});

	it('is zero for a PENDING edit that starts later', () => {
		expect(likelihood(pending(40_000), { startsAtMs: NOW_MS + 5_000 })).toBe(0);
	});

	it('includes known durations for a PENDING edit, too', () => {
		const durations = seen(30, 50);
		const edit = pending(100_000);
		const options = { startsAtMs: NOW_MS - 40_000, durations };
		const inOrder = (1 + 2 * reached(40_000, 120_000)) / (2 + 2);
		const inAnyOrder = (2 + 2 * reached(100_000, 120_000)) / (2 + 2);
		expect(likelihood(edit, options)).toBeCloseTo(inOrder, 12);
		expect(likelihood(edit, { ...options, orderFaith: 0 })).toBeCloseTo(inAnyOrder, 12);
	});
});

describe('the order of starts', () => {
	const starts = (order: StartOrder, ...places: number[]) =>
		places.map((place) => order.startsAtMs(place));

	it('expects one edit at a time at first', () => {
		expect(starts(new StartOrder(7), 0, 1)).toEqual([7, Infinity]);
	});

	it('starts an edit when another has finished and made room for it', () => {
		const order = new StartOrder(0);
		order.sawStart(2, true);
		for (const endedAtMs of [5_000, 9_000, 7_000, 7_000]) order.sawEnd(endedAtMs);
		expect(starts(order, 2, 3, 4, 5, 6, 7)).toEqual([0, 5_000, 7_000, 7_000, 9_000, Infinity]);
	});

	it('counts only edits in progress together, not finished ones', () => {
		const order = new StartOrder(0);
		order.sawEnd(1_000);
		order.sawEnd(2_000);
		order.sawStart(3, true);
		// Places 2 and 3 are in progress together.
		expect(starts(order, 1, 2, 3, 4)).toEqual([0, 1_000, 2_000, Infinity]);
	});

	it('narrows down to one edit, and only for a place that should have started', () => {
		const order = new StartOrder(0);
		order.sawStart(4, true);
		order.sawStart(5, false);
		expect(starts(order, 4, 5)).toEqual([0, Infinity]);
		order.sawStart(2, false);
		expect(starts(order, 1, 2)).toEqual([0, Infinity]);
		order.sawStart(0, false);
		expect(starts(order, 0, 1)).toEqual([0, Infinity]);
	});

	it('does not widen when an edit that should not have started is still PENDING', () => {
		const order = new StartOrder(0);
		order.sawStart(3, false);
		expect(starts(order, 0, 1)).toEqual([0, Infinity]);
	});

	it('narrows by the edits that have finished', () => {
		const order = new StartOrder(0);
		order.sawEnd(1_000);
		order.sawStart(4, true);
		expect(starts(order, 3, 4, 5)).toEqual([0, 1_000, Infinity]);
		order.sawStart(2, false);
		expect(starts(order, 0, 1, 2)).toEqual([0, 1_000, Infinity]);
	});

	it('keeps its confidence while the first edit is still PENDING', () => {
		const order = new StartOrder(0);
		order.sawStart(0, false);
		expect(order.faith).toBe(0.5);
	});

	it('takes its confidence from the share of starts in order', () => {
		const order = new StartOrder(0);
		expect(order.faith).toBe(0.5);
		order.sawStart(3, true);
		expect(order.faith).toBeCloseTo(2 / 3, 12);
		// A later edit still PENDING means nothing; an earlier one is out of order.
		order.sawStart(4, false);
		order.sawStart(3, false);
		expect(order.faith).toBeCloseTo(2 / 3, 12);
		order.sawStart(2, false);
		expect(order.faith).toBeCloseTo(2 / 4, 12);
		// The latest start remains the latest when an earlier edit starts after it.
		order.sawStart(1, true);
		order.sawStart(2, false);
		expect(order.faith).toBeCloseTo(3 / 6, 12);
	});
});
