import type { Edit } from '../../api/contract';
import { type RequestFailure, failed, success } from '../../api/failure';
import { Watch } from '../../waiting/watch';

const BEGAN_MS = 100_000;

const watchOf = (submittedAtMs?: number) =>
	new Watch({ editId: 'a', submittedAtMs }, BEGAN_MS, BEGAN_MS + 30_000);

const RESULT = { download_url: 'https://files.example.com/a' } as Edit['result'];

const edit = (status: string, result?: Edit['result']) => success({ task_id: 'a', status, result });

const trouble = (kind: RequestFailure['kind'], status?: number) =>
	failed<Edit>({ kind, status, request: 'GET /v2/edits/a' });

describe('a report', () => {
	it('contains everything seen, with times in seconds to one decimal', () => {
		const watch = watchOf();
		watch.learn(trouble('status', 503), 130_000, 130_100);
		watch.learn(trouble('timeout'), 135_000, 135_100);
		watch.learn(trouble('timeout'), 140_000, 140_100);
		expect(watch.learn(edit('EDITING'), 145_000, 145_060)).toEqual({
			status: 'EDITING',
			atSeconds: 45.1,
		});
		expect(watch.learn(edit('EDITING'), 155_000, 155_100)).toBeUndefined();
		expect(watch.report(156_000)).toEqual({
			editId: 'a',
			end: 'stillRunning',
			edit: { task_id: 'a', status: 'EDITING', result: undefined },
			failure: undefined,
			troubles: { '503': 1, timeout: 2 },
			history: [{ status: 'EDITING', atSeconds: 45.1 }],
			polls: 5,
			waitedSeconds: 56,
		});
	});

	it('counts statuses from the submission if that is known, and the wait from its own start', () => {
		const watch = watchOf(60_000);
		watch.learn(edit('FAILURE'), 130_000, 131_000);
		expect(watch.report(131_000)).toMatchObject({
			end: 'failed',
			history: [{ status: 'FAILURE', atSeconds: 71 }],
			waitedSeconds: 31,
		});
	});

	it('names the failure of an edit that was refused before its first poll', () => {
		const watch = watchOf();
		const failure: RequestFailure = { kind: 'invalid', request: 'GET' };
		watch.refuse(failure);
		expect(watch.report(BEGAN_MS)).toMatchObject({ end: 'refused', failure, polls: 0 });
	});
});

describe('a failed status call', () => {
	it.each<[string, ReturnType<typeof trouble>]>([
		['without a connection', trouble('unreachable')],
		['answered 429', trouble('status', 429)],
	])('%s is counted and retried', (_title, outcome) => {
		const watch = watchOf();
		for (let poll = 0; poll < 20; poll++) watch.learn(outcome, 130_000, 130_000);
		expect(watch.end).toBeUndefined();
		expect(Object.values(watch.troubles)).toEqual([20]);
		expect(watch.failure).toBeDefined();
		watch.learn(edit('EDITING'), 140_000, 140_000);
		expect(watch.failure).toBeUndefined();
	});

	it('that can never succeed ends the wait, and is not counted as trouble', () => {
		const watch = watchOf();
		watch.learn(trouble('status', 401), 130_000, 130_000);
		expect(watch.report(130_000)).toMatchObject({ end: 'refused', troubles: {}, polls: 1 });
	});

	it('that the Stop button ended abandons the edit', () => {
		const watch = watchOf();
		watch.learn(trouble('stopped'), 130_000, 130_000);
		expect(watch.report(130_000)).toMatchObject({ end: 'abandoned', troubles: {} });
	});

	it('with an unreadable response ends the wait at the third in a row', () => {
		const watch = watchOf();
		const learn = (outcome: ReturnType<typeof trouble>) => {
			watch.learn(outcome, 130_000, 130_000);
			return watch.end;
		};
		const unreadable = trouble('unreadable');
		expect([learn(unreadable), learn(unreadable), learn(edit('EDITING'))]).toEqual([
			undefined,
			undefined,
			undefined,
		]);
		expect([learn(unreadable), learn(unreadable)]).toEqual([undefined, undefined]);
		// A network failure in between does not affect the count of unreadable responses.
		expect([learn(trouble('broken')), learn(unreadable)]).toEqual([undefined, 'refused']);
		expect(watch.troubles).toEqual({ unreadable: 4, broken: 1 });
	});
});

describe('SUCCESS', () => {
	it('ends the wait when its result is there', () => {
		const watch = watchOf();
		watch.learn(edit('SUCCESS'), 130_000, 130_000);
		expect(watch.end).toBeUndefined();
		watch.learn(edit('SUCCESS', RESULT), 140_000, 140_000);
		expect(watch.end).toBe('succeeded');
		expect(watch.edit?.result).toBe(RESULT);
	});

	it('without a result ends the wait at the seventh poll', () => {
		const watch = watchOf();
		const ends = Array.from({ length: 7 }, () => {
			watch.learn(edit('SUCCESS'), 130_000, 130_000);
			return watch.end;
		});
		expect(ends).toEqual([...Array<undefined>(6).fill(undefined), 'succeeded']);
	});
});

describe('an edit that stays PENDING', () => {
	const NOTICE_MS = 60_000;

	it('is pointed out once, when the time since the submission is up', () => {
		const watch = watchOf(BEGAN_MS - 10_000);
		expect(watch.isPendingTooLong(BEGAN_MS + 90_000, NOTICE_MS)).toBe(false);
		watch.learn(edit('PENDING'), 130_000, 130_000);
		expect(watch.isPendingTooLong(BEGAN_MS + 49_900, NOTICE_MS)).toBe(false);
		expect(watch.pendingSeconds(BEGAN_MS + 50_000)).toBe(60);
		expect(watch.isPendingTooLong(BEGAN_MS + 50_000, NOTICE_MS)).toBe(true);
		expect(watch.isPendingTooLong(BEGAN_MS + 60_000, NOTICE_MS)).toBe(false);
	});

	it('counts from the start of the wait if the submission is unknown', () => {
		expect(watchOf().pendingSeconds(BEGAN_MS + 12_345)).toBe(12.3);
	});

	it.each([[['EDITING']], [['EDITING', 'PENDING']], [['PENDING', 'EDITING']]])(
		'is not pointed out if it was seen as %j',
		(statuses) => {
			const watch = watchOf();
			for (const status of statuses) watch.learn(edit(status), 130_000, 130_000);
			expect(watch.isPendingTooLong(BEGAN_MS + 900_000, NOTICE_MS)).toBe(false);
		},
	);
});

describe('the times for later predictions', () => {
	it('begin with the submission, or with the wait', () => {
		expect(watchOf(60_000)).toMatchObject({ lastSeenAtMs: 60_000, pendingUntilMs: 60_000 });
		expect(watchOf()).toMatchObject({ lastSeenAtMs: BEGAN_MS, pendingUntilMs: BEGAN_MS });
		expect(watchOf()).toMatchObject({ status: 'PENDING', polls: 0, isInFlight: false });
	});

	it('follow what was seen, with an end between the last two polls', () => {
		const watch = watchOf();
		watch.learn(edit('PENDING'), 130_000, 130_500);
		expect(watch).toMatchObject({ lastSeenAtMs: 130_000, pendingUntilMs: 130_000 });
		watch.learn(edit('EDITING'), 140_000, 140_500);
		expect(watch).toMatchObject({ lastSeenAtMs: 140_000, pendingUntilMs: 130_000 });
		expect(watch.endedAtMs).toBeUndefined();
		watch.learn(edit('SUCCESS'), 150_000, 150_500);
		watch.learn(edit('SUCCESS', RESULT), 160_000, 160_500);
		expect(watch).toMatchObject({ endedAtMs: 145_000, lastSeenAtMs: 160_000 });
	});

	it('do not change when a call fails', () => {
		const watch = watchOf();
		watch.learn(trouble('broken'), 130_000, 130_500);
		expect(watch).toMatchObject({ lastSeenAtMs: BEGAN_MS, pendingUntilMs: BEGAN_MS, polls: 1 });
	});
});
