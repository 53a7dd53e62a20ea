import type { Edit } from '../../api/contract';
import { type RequestFailure, failed, success } from '../../api/failure';
import { PolledEdit } from '../../waiting/polledEdit';

const BEGAN_MS = 100_000;

const polledEdit = (submittedAtMs?: number) =>
	new PolledEdit({ editId: 'a', submittedAtMs }, BEGAN_MS, BEGAN_MS + 30_000, BEGAN_MS + 60_000);

const RESULT = { download_url: 'https://files.example.com/a' } as Edit['result'];

const edit = (status: string, result?: Edit['result']) => success({ task_id: 'a', status, result });

const trouble = (kind: RequestFailure['kind'], status?: number) =>
	failed<Edit>({ kind, status, request: 'GET /v2/edits/a' });

describe('a report', () => {
	it('is everything the polls read, with times in seconds to one decimal', () => {
		const polled = polledEdit();
		polled.learn(trouble('status', 503), 130_000, 130_100);
		polled.learn(trouble('timeout'), 135_000, 135_100);
		polled.learn(trouble('timeout'), 140_000, 140_100);
		expect(polled.learn(edit('EDITING'), 145_000, 145_060)).toEqual({
			status: 'EDITING',
			atSeconds: 45.1,
		});
		expect(polled.learn(edit('EDITING'), 155_000, 155_100)).toBeUndefined();
		expect(polled.report(156_000)).toEqual({
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
		const polled = polledEdit(60_000);
		polled.learn(edit('FAILURE'), 130_000, 131_000);
		expect(polled.report(131_000)).toMatchObject({
			end: 'failed',
			history: [{ status: 'FAILURE', atSeconds: 71 }],
			waitedSeconds: 31,
		});
	});
});

it('an edit is not asked about where its next poll would come after its time is up', () => {
	const polled = polledEdit();
	polled.nextPollAtMs = polled.deadlineMs;
	expect(polled.isDue(polled.deadlineMs + 5_000)).toBe(true);
	polled.nextPollAtMs += 1;
	expect(polled.isDue(polled.deadlineMs + 5_000)).toBe(false);
});

describe('a failed status call', () => {
	it.each<[string, ReturnType<typeof trouble>]>([
		['without a connection', trouble('unreachable')],
		['answered 429', trouble('status', 429)],
	])('%s is counted and waited out', (_title, result) => {
		const polled = polledEdit();
		for (let poll = 0; poll < 20; poll++) polled.learn(result, 130_000, 130_000);
		expect(polled.end).toBeUndefined();
		expect(Object.values(polled.troubles)).toEqual([20]);
		expect(polled.failure).toBeDefined();
		polled.learn(edit('EDITING'), 140_000, 140_000);
		expect(polled.failure).toBeUndefined();
	});

	it.each([
		['can never succeed', trouble('status', 401), 'refused'],
		['the Stop button ended', trouble('stopped'), 'abandoned'],
	])('that %s ends the wait, and is not counted as trouble', (_title, result, end) => {
		const polled = polledEdit();
		polled.learn(result, 130_000, 130_000);
		expect(polled.report(130_000)).toMatchObject({ end, troubles: {}, polls: 1 });
	});

	it('with an unreadable response ends the wait at the third in a row', () => {
		const polled = polledEdit();
		const learn = (result: ReturnType<typeof trouble>) => {
			polled.learn(result, 130_000, 130_000);
			return polled.end;
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
		expect(polled.troubles).toEqual({ unreadable: 4, broken: 1 });
	});
});

describe('SUCCESS', () => {
	it('ends the wait when its result is there', () => {
		const polled = polledEdit();
		polled.learn(edit('SUCCESS'), 130_000, 130_000);
		expect(polled.end).toBeUndefined();
		polled.learn(edit('SUCCESS', RESULT), 140_000, 140_000);
		expect(polled.end).toBe('succeeded');
		expect(polled.edit?.result).toBe(RESULT);
	});

	it('without a result ends the wait at the seventh poll', () => {
		const polled = polledEdit();
		const ends = Array.from({ length: 7 }, () => {
			polled.learn(edit('SUCCESS'), 130_000, 130_000);
			return polled.end;
		});
		expect(ends).toEqual([...Array<undefined>(6).fill(undefined), 'succeeded']);
	});
});

describe('an edit that stays PENDING', () => {
	const NOTICE_MS = 60_000;

	it('is reported once, when the time since the submission is over', () => {
		const polled = polledEdit(BEGAN_MS - 10_000);
		expect(polled.isPendingTooLong(BEGAN_MS + 90_000, NOTICE_MS)).toBe(false);
		polled.learn(edit('PENDING'), 130_000, 130_000);
		expect(polled.isPendingTooLong(BEGAN_MS + 49_900, NOTICE_MS)).toBe(false);
		expect(polled.secondsSinceSubmission(BEGAN_MS + 50_000)).toBe(60);
		expect(polled.isPendingTooLong(BEGAN_MS + 50_000, NOTICE_MS)).toBe(true);
		expect(polled.isPendingTooLong(BEGAN_MS + 60_000, NOTICE_MS)).toBe(false);
	});

	it('counts from the start of the wait if the submission is unknown', () => {
		expect(polledEdit().secondsSinceSubmission(BEGAN_MS + 12_345)).toBe(12.3);
	});

	it.each([[['EDITING']], [['EDITING', 'PENDING']], [['PENDING', 'EDITING']]])(
		'is not reported when it was seen as %j',
		(statuses) => {
			const polled = polledEdit();
			for (const status of statuses) polled.learn(edit(status), 130_000, 130_000);
			expect(polled.isPendingTooLong(BEGAN_MS + 900_000, NOTICE_MS)).toBe(false);
		},
	);
});

describe('the times of the last poll', () => {
	it('begin with the submission, or with the wait', () => {
		expect(polledEdit(60_000)).toMatchObject({ lastSeenAtMs: 60_000, lastAskedAtMs: 60_000 });
		expect(polledEdit()).toMatchObject({ lastSeenAtMs: BEGAN_MS, lastAskedAtMs: BEGAN_MS });
		expect(polledEdit()).toMatchObject({ status: 'PENDING', polls: 0, isInFlight: false });
	});

	it('follow the polls, of which a failed one has seen nothing', () => {
		const polled = polledEdit();
		polled.learn(edit('EDITING'), 130_000, 130_500);
		expect(polled).toMatchObject({ lastSeenAtMs: 130_000, lastAskedAtMs: 130_000 });
		polled.learn(trouble('broken'), 140_000, 140_500);
		expect(polled).toMatchObject({ lastSeenAtMs: 130_000, lastAskedAtMs: 140_000, polls: 2 });
	});
});

describe('an edit that is PENDING again', () => {
	/** Polls every 10 s and reads these statuses, null for a failed poll. Returns the ends. */
	function endsAfter(statuses: ReadonlyArray<string | null>, everyMs = 10_000) {
		const polled = polledEdit();
		return statuses.map((status, poll) => {
			const atMs = BEGAN_MS + poll * everyMs;
			polled.learn(status === null ? trouble('broken') : edit(status), atMs, atMs);
			return polled.report(atMs);
		});
	}
	const pending = (polls: number) => Array<string>(polls).fill('PENDING');

	it('has vanished after two minutes, and says for how long', () => {
		const reports = endsAfter(['EDITING', ...pending(13)]);
		expect(reports.map(({ end }) => end)).toEqual([
			...Array<string>(13).fill('stillRunning'),
			'vanished',
		]);
		expect(reports[0]).not.toHaveProperty('pendingAgainSeconds');
		expect(reports.slice(1).map((report) => report.pendingAgainSeconds)).toEqual(
			Array.from({ length: 13 }, (_, poll) => poll * 10),
		);
	});

	it('has vanished at the sixth poll where that comes later', () => {
		const ends = endsAfter(['EDITING', ...pending(6)], 60_000).map(({ end }) => end);
		expect(ends.slice(-2)).toEqual(['stillRunning', 'vanished']);
	});

	it('counts polls that were answered, not failed ones', () => {
		const ends = endsAfter(['EDITING', 'PENDING', ...Array<null>(20).fill(null), ...pending(5)]);
		expect(ends.slice(-2).map(({ end }) => end)).toEqual(['stillRunning', 'vanished']);
	});

	it.each([
		'STARTED',
		'PREPROCESSING',
		'CLASSIFICATION',
		'POSTPROCESSING',
		'EXPORT',
		' Editing ',
		// Without its result.
		'SUCCESS',
	])('has vanished after %s, too', (status) => {
		expect(endsAfter([status, ...pending(13)]).at(-1)?.end).toBe('vanished');
	});

	it.each([
		['RETRY: a queue tries it again', ['EDITING', 'RETRY']],
		['a status that the API does not document', ['QUEUED_FOR_GPU']],
		['nothing else: a long queue', []],
	])('still runs after %s', (_title, statuses) => {
		expect(endsAfter([...statuses, ...pending(200)]).at(-1)?.end).toBe('stillRunning');
	});

	it('is counted from the start when its work has gone on meanwhile', () => {
		const again = endsAfter(['EDITING', ...pending(5), 'EXPORT', ...pending(5)], 100_000);
		expect(again.at(-1)?.end).toBe('stillRunning');
		expect(endsAfter(['EDITING', ...pending(5), 'RETRY', ...pending(9)]).at(-1)).not.toHaveProperty(
			'pendingAgainSeconds',
		);
	});
});
