import { success } from '../../api/failure';
import { Watch } from '../../waiting/watch';
import { WatchQueue } from '../../waiting/watchQueue';

const NOW_MS = 1_000_000;

interface Given {
	readonly status?: string;
	readonly unseenMs?: number;
	readonly ageMs?: number;
	readonly submittedAtMs?: number;
	readonly dueAtMs?: number;
}

/** Returns an edit as it is at {@link NOW_MS}; PENDING without an age. */
function watchOf(editId: string, given: Given = {}): Watch {
	const { submittedAtMs, unseenMs = 0, ageMs, dueAtMs = 0 } = given;
	const watch = new Watch({ editId, submittedAtMs }, 0, dueAtMs);
	watch.lastSeenAtMs = NOW_MS - unseenMs;
	watch.status = given.status ?? (ageMs === undefined ? 'PENDING' : 'EDITING');
	if (ageMs !== undefined) watch.startedAtMs = NOW_MS - ageMs;
	return watch;
}

const nextId = (queue: WatchQueue) => queue.next(NOW_MS, NOW_MS)?.watched.editId;

/** Records a poll that shows an edit in a status. */
function see(queue: WatchQueue, watch: Watch, status: string, askedAtMs: number): void {
	const result = status === 'SUCCESS' ? { download_url: 'https://files.example.com/a' } : undefined;
	const edit = { task_id: watch.watched.editId, status, result };
	watch.learn(success(edit as Parameters<typeof success<never>>[0]), askedAtMs, askedAtMs);
	queue.learn(watch, askedAtMs);
}

describe('the next edit to poll', () => {
	it('is the one most likely to have finished, and every tenth time the one unseen longest', () => {
		const likely = watchOf('likely', { ageMs: 90_000, unseenMs: 10_000, status: 'EXPORT' });
		const unseen = watchOf('unseen', { ageMs: 90_000, unseenMs: 60_000 });
		const queue = new WatchQueue([unseen, likely]);
		// A request while none is due does not count as one of the ten.
		for (let call = 0; call < 5; call++) expect(queue.next(NOW_MS, -1)).toBeUndefined();
		const turns = Array.from({ length: 20 }, () => nextId(queue));
		const ten = [...Array<string>(9).fill('likely'), 'unseen'];
		expect(turns).toEqual([...ten, ...ten]);
	});

	it('is only one that is due and has no call under way', () => {
		const due = watchOf('due', { ageMs: 1, dueAtMs: NOW_MS });
		const later = watchOf('later', { ageMs: 900_000, unseenMs: 60_000, dueAtMs: NOW_MS + 1 });
		const asked = watchOf('asked', { ageMs: 900_000, unseenMs: 60_000 });
		asked.isInFlight = true;
		const queue = new WatchQueue([later, asked, due]);
		expect(nextId(queue)).toBe('due');
		due.isInFlight = true;
		expect(nextId(queue)).toBeUndefined();
	});

	it('is the earliest submission among equals', () => {
		const queue = new WatchQueue([
			watchOf('second', { submittedAtMs: 2_000 }),
			watchOf('first', { submittedAtMs: 1_000 }),
		]);
		expect(nextId(queue)).toBe('first');
		const unknown = new WatchQueue([
			watchOf('known', { submittedAtMs: 2_000 }),
			watchOf('unknown', {}),
		]);
		expect(nextId(unknown)).toBe('unknown');
	});

	it('is the PENDING edit whose start is expected', () => {
		const [a, b] = ['a', 'b'].map((id) => watchOf(id, { unseenMs: 60_000 }));
		expect(nextId(new WatchQueue([a, b]))).toBe('a');
		// The second has been unseen a little longer, but the first is expected to be in progress.
		b.lastSeenAtMs -= 1_000;
		expect(nextId(new WatchQueue([a, b]))).toBe('a');
	});

	it('depends on expected starts from when the first edit could start', () => {
		const early = watchOf('early', { unseenMs: 50_000 });
		const started = watchOf('started', { ageMs: 200_000, unseenMs: 49_000 });
		expect(nextId(new WatchQueue([early, started]))).toBe('early');
		// An edit that was just submitted cannot have been in progress for long.
		const late = watchOf('late', { submittedAtMs: NOW_MS - 1_000 });
		const queue = new WatchQueue([late, watchOf('other', { submittedAtMs: NOW_MS - 500 })]);
		late.lastSeenAtMs = NOW_MS - 50_000;
		expect(nextId(queue)).toBe('late');
	});
});

describe('the time when the next edit is due', () => {
	it('is the earliest time of those without a call under way', () => {
		const [a, b, c] = [5_000, 3_000, 1_000].map((dueAtMs) => watchOf('x', { dueAtMs }));
		c.isInFlight = true;
		const queue = new WatchQueue([a, b, c]);
		expect(queue.nextDueAtMs()).toBe(3_000);
		a.isInFlight = b.isInFlight = true;
		expect(queue.nextDueAtMs()).toBe(Infinity);
		expect(new WatchQueue([]).nextDueAtMs()).toBe(Infinity);
	});
});

describe('an edit that has finished', () => {
	it('leaves the queue, and other edits stay', () => {
		const [a, b] = ['a', 'b'].map((id) => watchOf(id));
		const queue = new WatchQueue([a, b]);
		see(queue, a, 'EDITING', NOW_MS);
		expect(queue.size).toBe(2);
		see(queue, a, 'SUCCESS', NOW_MS + 10_000);
		expect(queue.size).toBe(1);
		expect([...queue.watches]).toEqual([b]);
		queue.remove(b);
		expect(queue.size).toBe(0);
	});

	/** Ends five edits of 100 s, each first seen in progress `startDoubtMs` after it was last PENDING. */
	function afterFive(startDoubtMs: number): string | undefined {
		const old = watchOf('old', { ageMs: 105_000, unseenMs: 10_000 });
		const young = watchOf('young', { ageMs: 45_000, unseenMs: 25_000 });
		const done = Array.from({ length: 5 }, (_, n) => watchOf(`done-${n}`));
		const queue = new WatchQueue([...done, old, young]);
		for (const watch of done) {
			const startedAtMs = 500_000;
			watch.pendingUntilMs = startedAtMs - startDoubtMs;
			watch.lastSeenAtMs = watch.pendingUntilMs;
			see(queue, watch, 'EDITING', startedAtMs + startDoubtMs);
			expect(watch.startedAtMs).toBe(startedAtMs);
			see(queue, watch, 'EDITING', startedAtMs + 95_000);
			see(queue, watch, 'SUCCESS', startedAtMs + 105_000);
		}
		return nextId(queue);
	}

	it('shows how long edits take, if its start is known well enough', () => {
		expect(
			nextId(
				new WatchQueue([
					watchOf('old', { ageMs: 105_000, unseenMs: 10_000 }),
					watchOf('young', { ageMs: 45_000, unseenMs: 25_000 }),
				]),
			),
		).toBe('young');
		expect(afterFive(5_000)).toBe('old');
		expect(afterFive(100_000 - 5_001)).toBe('old');
	});
});

describe('the start of an edit', () => {
	it('is halfway between the last poll that showed PENDING and the first that did not', () => {
		const watch = watchOf('a', { submittedAtMs: 10_000 });
		const queue = new WatchQueue([watch]);
		see(queue, watch, 'PENDING', 40_000);
		expect(watch.startedAtMs).toBeUndefined();
		see(queue, watch, 'EDITING', 50_000);
		expect(watch.startedAtMs).toBe(45_000);
		see(queue, watch, 'EXPORT', 60_000);
		expect(watch.startedAtMs).toBe(45_000);
	});

	/** Returns `atWork` edits in progress since 0 s, the first of which ends between 100 and 120 s. */
	function inOrder(atWork = 9) {
		const watches = Array.from({ length: 12 }, (_, n) => watchOf(`${n}`, { submittedAtMs: n }));
		const queue = new WatchQueue(watches);
		for (const watch of watches.slice(0, atWork)) see(queue, watch, 'EDITING', 1_000);
		see(queue, watches[0], 'EDITING', 100_000);
		see(queue, watches[0], 'SUCCESS', 120_000);
		return { queue, watches };
	}

	it.each([
		[
			'when the edit before it made room, once starts are known to come in order',
			80_000,
			150_000,
			110_000,
		],
		['not before it was last seen PENDING', 115_000, 150_000, 115_000],
		['not after it was first seen in progress', 80_000, 105_000, 105_000],
	])('is %s', (_title, pendingUntilMs, askedAtMs, startedAtMs) => {
		const { queue, watches } = inOrder();
		watches[9].pendingUntilMs = pendingUntilMs;
		see(queue, watches[9], 'EDITING', askedAtMs);
		expect(watches[9].startedAtMs).toBe(startedAtMs);
	});

	it('is halfway if no room was seen for it', () => {
		const { queue, watches } = inOrder();
		watches[10].pendingUntilMs = 80_000;
		see(queue, watches[10], 'EDITING', 150_000);
		expect(watches[10].startedAtMs).toBe(115_000);
	});

	it('is not learnt from a failed call', () => {
		const watch = watchOf('a');
		const queue = new WatchQueue([watch]);
		watch.learn({ ok: false, failure: { kind: 'broken', request: 'GET' } }, 50_000, 50_000);
		watch.status = 'EDITING';
		queue.learn(watch, 50_000);
		expect(watch.startedAtMs).toBeUndefined();
		expect(queue.size).toBe(1);
	});

	it.each([
		[7, 115_000],
		[8, 110_000],
	])('follows the order from eight starts on: with %d it is at %d ms', (atWork, startedAtMs) => {
		const { queue, watches } = inOrder(atWork);
		watches[atWork].pendingUntilMs = 80_000;
		see(queue, watches[atWork], 'EDITING', 150_000);
		expect(watches[atWork].startedAtMs).toBe(startedAtMs);
	});

	it('is not before the first edit could start', () => {
		const watches = Array.from({ length: 10 }, (_, n) => watchOf(`${n}`, { submittedAtMs: n }));
		watches[0].lastSeenAtMs = 70_000;
		const queue = new WatchQueue(watches);
		for (const watch of watches) if (watch !== watches[8]) see(queue, watch, 'EDITING', 90_000);
		watches[8].pendingUntilMs = 60_000;
		see(queue, watches[8], 'EDITING', 150_000);
		expect(watches[8].startedAtMs).toBe(70_000);
	});
});

it('an edit that ends without a response does not affect when the next one starts', () => {
	const [a, b] = ['a', 'b'].map((id) => watchOf(id, { unseenMs: 60_000 }));
	const queue = new WatchQueue([a, b]);
	see(queue, a, 'EDITING', 500_000);
	a.learn(
		{ ok: false, failure: { kind: 'status', status: 401, request: 'GET' } },
		510_000,
		510_000,
	);
	queue.learn(a, 510_000);
	expect(queue.size).toBe(1);
	expect(nextId(queue)).toBe('b');
});
