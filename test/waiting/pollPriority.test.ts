import type { Edit } from '../../api/contract';
import { failed, success } from '../../api/failure';
import { PolledEdit } from '../../waiting/polledEdit';
import { PollPriority } from '../../waiting/pollPriority';

const NOW_MS = 1_000_000;
const DEADLINE_MS = 2_000_000;
const RESULT = { download_url: 'https://files.example.com/a' } as Edit['result'];

/** Edits submitted one after the other and due at once, and their priority. */
function setUp(count: number) {
	const edits = Array.from(
		{ length: count },
		(_, n) => new PolledEdit({ editId: `${n}`, submittedAtMs: n }, 0, 0, DEADLINE_MS),
	);
	const priority = new PollPriority(edits);
	/** A poll that reads a status of an edit. */
	const see = (place: number, status: string, atMs: number) => {
		const result = status === 'SUCCESS' ? RESULT : undefined;
		const edit = edits[place];
		edit.learn(success({ task_id: edit.editId, status, result }), atMs, atMs);
		priority.learn(edit, atMs);
	};
	/** The edits in the order of their priority; each stays in flight. */
	const order = (length = count, nowMs = NOW_MS) =>
		Array.from({ length }, () => {
			const next = priority.next(nowMs);
			if (next) next.isInFlight = true;
			return Number(next?.editId);
		});
	return { edits, priority, see, order };
}

/** Ends the belief in submission order: edits still PENDING while a later one has started. */
function breakOrder({ see }: ReturnType<typeof setUp>, last: number, looks = 21): void {
	see(last, 'EDITING', 1_000);
	for (let look = 0; look < looks; look++) see(0, 'PENDING', 1_000);
}

describe('of the edits at work', () => {
	it('the one unseen longest is next', () => {
		const { see, order } = setUp(3);
		see(0, 'EDITING', 900_000);
		see(1, 'EDITING', 800_000);
		see(2, 'CLASSIFICATION', 850_000);
		expect(order()).toEqual([1, 2, 0]);
	});

	it.each([
		['POSTPROCESSING', 3],
		['EXPORT', 12],
	])('one in %s is %d times as urgent, where the order is unknown', (status, weight) => {
		const unseenMs = 100_000;
		for (const [moreMs, expected] of [
			[-1_000, [1, 0]],
			[1_000, [0, 1]],
		] as const) {
			const given = setUp(4);
			breakOrder(given, 3, 100);
			given.see(3, 'SUCCESS', 2_000);
			given.edits[2].isInFlight = given.edits[0].isInFlight = true;
			given.see(0, 'EDITING', NOW_MS - unseenMs * Math.sqrt(weight) - moreMs);
			given.edits[0].isInFlight = false;
			given.see(1, status, NOW_MS - unseenMs);
			expect(given.order(2)).toEqual(expected);
		}
	});
});

describe('only an edit', () => {
	it('that is due and not in flight is next', () => {
		const { edits, see, priority } = setUp(3);
		see(0, 'EDITING', 1_000);
		see(1, 'EDITING', 2_000);
		edits[0].isInFlight = true;
		edits[1].nextPollAtMs = NOW_MS + 1;
		expect(priority.next(NOW_MS)).toBe(edits[2]);
		edits[2].isInFlight = true;
		expect(priority.next(NOW_MS)).toBeUndefined();
		expect(priority.next(NOW_MS + 1)).toBe(edits[1]);
	});

	it('whose time is up comes before the next poll that the rate limit allows', () => {
		const { edits, priority } = setUp(2);
		for (const edit of edits) edit.nextPollAtMs = DEADLINE_MS + 5_000;
		expect(priority.nextTurnAtMs(0, 0)).toBe(DEADLINE_MS);
		expect(priority.late(DEADLINE_MS - 1)).toEqual([]);
		edits[1].isInFlight = true;
		expect(priority.late(DEADLINE_MS)).toEqual([edits[0]]);
		// Its time is up already, so only its next poll counts.
		expect(priority.nextTurnAtMs(DEADLINE_MS, 0)).toBe(DEADLINE_MS + 5_000);
	});

	it('that is not in flight counts for the time of the next poll', () => {
		const { edits, see, priority } = setUp(3);
		see(0, 'EDITING', 1_000);
		[1_000, 3_000, 5_000].forEach((atMs, place) => (edits[place].nextPollAtMs = atMs));
		expect(priority.nextTurnAtMs(0, 0)).toBe(1_000);
		edits[0].isInFlight = true;
		expect(priority.nextTurnAtMs(0, 0)).toBe(3_000);
		expect(priority.nextTurnAtMs(0, 4_000)).toBe(4_000);
		edits[1].isInFlight = edits[2].isInFlight = true;
		expect(priority.nextTurnAtMs(0, 0)).toBe(Infinity);
	});
});

describe('while edits start in the order of their submission', () => {
	it('PENDING ones are asked about in that order, unknown times first', () => {
		expect(setUp(3).order()).toEqual([0, 1, 2]);
		const [a, b, c] = [2_000, undefined, 1_000].map(
			(submittedAtMs, n) => new PolledEdit({ editId: `${n}`, submittedAtMs }, 0, 0, DEADLINE_MS),
		);
		expect([...new PollPriority([a, b, c]).unfinished()]).toEqual([b, c, a]);
	});

	it('the next one is asked about as soon as one unexpectedly started', () => {
		const { see, order } = setUp(10);
		see(0, 'EDITING', 900_000);
		see(1, 'EDITING', 950_000);
		// Place 2 is the first that was not expected to start; places after it get polls to spare.
		expect(order(4)).toEqual([2, 1, 0, 3]);
	});

	it('the next one is no less urgent because one unexpectedly started', () => {
		const { see, order } = setUp(4);
		see(0, 'PENDING', 100_000);
		see(0, 'EDITING', 900_000);
		see(1, 'POSTPROCESSING', 901_000);
		// 900 s since a PENDING one was seen, though 100 s since place 0 had unexpectedly started.
		expect(order(2)).toEqual([2, 1]);
	});

	it('one more should start when one ends, halfway between its last two polls', () => {
		const { see, order } = setUp(6);
		for (const place of [0, 1, 2]) see(place, 'EDITING', 600_000);
		see(3, 'PENDING', 600_000);
		see(0, 'EDITING', 700_000);
		see(0, 'SUCCESS', 800_000);
		// Place 3 should have started at 750 s, and place 4 may have since its poll at 800 s.
		see(1, 'EDITING', 781_000);
		see(2, 'EDITING', 782_000);
		see(4, 'PENDING', 800_000);
		expect(order()).toEqual([3, 4, 1, 2, 5, NaN]);
	});

	it('one that is still PENDING does not count as started, nor do those after it', () => {
		const { see, order } = setUp(6);
		see(3, 'EDITING', 500_000);
		see(1, 'PENDING', 900_000);
		see(3, 'EDITING', 800_000);
		// Place 0 was expected to start at 500 s.
		expect(order()).toEqual([0, 1, 3, 2, 4, 5]);
	});

	it('an edit that ends unread lets no other start', () => {
		const { edits, priority, see, order } = setUp(4);
		see(0, 'EDITING', 500_000);
		see(1, 'PENDING', 900_000);
		const failure = { kind: 'status', status: 401, request: 'GET' } as const;
		edits[0].learn(failed(failure), 910_000, 910_000);
		priority.learn(edits[0], 910_000);
		expect(priority.size).toBe(3);
		expect(order(3)).toEqual([1, 2, 3]);
	});
});

describe('while edits start in any order', () => {
	it('the PENDING one unseen longest comes first', () => {
		const given = setUp(6);
		breakOrder(given, 5);
		given.see(5, 'EDITING', 990_000);
		given.see(0, 'PENDING', 980_000);
		given.see(1, 'PENDING', 600_000);
		given.see(2, 'PENDING', 500_000);
		given.see(3, 'PENDING', 700_000);
		given.see(4, 'PENDING', 400_000);
		expect(given.order()).toEqual([4, 2, 1, 3, 0, 5]);
	});

	it.each([
		[20, 0],
		[21, 2],
	])('%d edits are seen PENDING after a later one started: %d is next', (looks, expected) => {
		const given = setUp(4);
		breakOrder(given, 3, looks - 3);
		given.see(3, 'EDITING', 999_000);
		given.see(0, 'PENDING', 500_000);
		given.see(1, 'PENDING', 400_000);
		given.see(2, 'PENDING', 300_000);
		expect(given.order(1)).toEqual([expected]);
	});

	it('PENDING ones count less than those at work, the less the fewer of them started', () => {
		const given = setUp(3);
		breakOrder(given, 2, 100);
		given.see(1, 'PENDING', 100_000);
		given.see(0, 'PENDING', 100_000);
		// None of 100 polls read a started edit, so 900 s of a PENDING one count as 285 s.
		given.see(2, 'EDITING', 750_000);
		expect(given.order(1)).toEqual([0]);
		given.see(2, 'EDITING', 700_000);
		given.edits[0].isInFlight = false;
		expect(given.order(1)).toEqual([2]);
	});
});

describe('an edit', () => {
	it('leaves when it has ended or is removed', () => {
		const { edits, priority, see } = setUp(3);
		expect(priority.size).toBe(3);
		see(0, 'EDITING', 1_000);
		expect(priority.size).toBe(3);
		see(0, 'SUCCESS', 2_000);
		see(1, 'EDITING', 3_000);
		expect([...priority.unfinished()]).toEqual([edits[1], edits[2]]);
		priority.remove(edits[1]);
		priority.remove(edits[2]);
		expect(priority.size).toBe(0);
	});

	it('is not learnt about from a failed poll', () => {
		const { edits, priority, order } = setUp(2);
		edits[1].learn(failed({ kind: 'broken', request: 'GET' }), 50_000, 50_000);
		edits[1].status = 'EDITING';
		priority.learn(edits[1], 50_000);
		expect(order()).toEqual([0, 1]);
	});
});

it('one poll in ten goes to the edit unseen longest, even where edits start in order', () => {
	const { priority, see } = setUp(20);
	see(0, 'PENDING', 900_000);
	const asked = Array.from({ length: 10 }, () => priority.next(NOW_MS)?.editId);
	expect(asked).toEqual([...Array<string>(9).fill('0'), '1']);
});
