import { type Result, type RequestFailure, failed, success } from '../../api/failure';
import {
	type Pace,
	type RequestClass,
	backoffMs,
	isTransient,
	mayRepeat,
	parseRetryAfterMs,
} from '../../api/retry';
import { HIDES_NOTHING } from '../../api/secrets';
import { Client } from '../../api/client';
import { VirtualTime } from '../../testkit/time/virtualTime';

const failure = (kind: RequestFailure['kind'], status?: number): RequestFailure => ({
	kind,
	status,
	request: 'GET /x',
});

const EDIT = { task_id: 'a', status: 'PENDING' };

/** A transport whose responses come from the test. */
function doorWith(answer: () => Promise<Result<unknown>>, signal?: AbortSignal) {
	return {
		call: jest.fn(answer),
		open: jest.fn(answer as () => Promise<Result<never>>),
		openOwn: jest.fn(answer as () => Promise<Result<never>>),
		put: jest.fn(),
		hiderFor: () => HIDES_NOTHING,
		signal,
	};
}

describe('which requests are retried', () => {
	const always: RequestClass[] = ['read', 'repeat'];
	const classes: RequestClass[] = [...always, 'submit'];
	type Row = [RequestFailure['kind'], number | undefined, RequestClass[]];
	const never = [400, 401, 404, 409, 422, 499, undefined];

	it.each<Row>([
		['unreachable', undefined, classes],
		['broken', undefined, always],
		['timeout', undefined, always],
		['status', 429, classes],
		...[408, 425, 500, 503, 599].map((status): Row => ['status', status, always]),
		...never.map((status): Row => ['status', status, []]),
		['redirect', 302, []],
		['unreadable', undefined, []],
		['unreadable', 503, []],
		['stopped', undefined, []],
		['invalid', undefined, []],
		['wrongSize', undefined, []],
	])('after %s %s: %j', (kind, status, repeated) => {
		const cause = failure(kind, status);
		expect(classes.filter((requestClass) => mayRepeat(requestClass, cause))).toEqual(repeated);
		expect(isTransient(cause)).toBe(repeated.includes('read'));
	});
});

describe('how long a retry waits', () => {
	it('draws from a range that doubles: up to 1, 2, 4 … s, never over a minute', () => {
		const longest = [1, 2, 3, 4, 5, 6, 7, 8].map((tries) => backoffMs(failure('broken'), tries, 1));
		expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
		expect(backoffMs(failure('broken'), 5, 0)).toBe(0);
	});

	it('obeys Retry-After up to a minute', () => {
		expect(backoffMs({ ...failure('status', 429), retryAfterMs: 7_000 }, 1, 0.5)).toBe(7_000);
		expect(backoffMs({ ...failure('status', 429), retryAfterMs: 9e9 }, 1, 0.5)).toBe(60_000);
	});

	it('reads Retry-After in seconds and as a date', () => {
		const nowMs = Date.parse('2026-01-01T00:00:00Z');
		expect(parseRetryAfterMs('12', nowMs)).toBe(12_000);
		expect(parseRetryAfterMs('Thu, 01 Jan 2026 00:00:30 GMT', nowMs)).toBe(30_000);
		expect(parseRetryAfterMs('1', nowMs)).toBe(1_000);
		expect(parseRetryAfterMs('1.5', nowMs)).toBe(1_500);
		expect(parseRetryAfterMs(12, nowMs)).toBe(12_000);
	});

	it.each<unknown>([
		'0',
		0,
		'0.001',
		'-3',
		'soon',
		'',
		undefined,
		'Wed, 31 Dec 2025 23:59:00 GMT',
		'Infinity',
		true,
		['12'],
	])('uses its own back-off when Retry-After asks for no wait: %p', (header) => {
		const nowMs = Date.parse('2026-01-01T00:00:00Z');
		expect(parseRetryAfterMs(header, nowMs)).toBeUndefined();
	});
});

const tries = async (ask: (client: Client) => Promise<Result<unknown>>, cause: RequestFailure) => {
	const time = new VirtualTime();
	const sleep = jest.spyOn(time, 'sleep');
	const door = doorWith(async () => failed(cause));
	expect(await time.run(ask(new Client(door, { time })))).toEqual(failed(cause));
	const { length: count } = [door.call, door.open, door.openOwn].flatMap(({ mock }) => mock.calls);
	expect(sleep).toHaveBeenCalledTimes(count - 1);
	return count;
};

const read = async (client: Client) => await client.getEdit('a');

const openClip = async (client: Client) =>
	await client.openClip('a', { start: 1, end: 2 }, 'before');

const openDownload = async (client: Client) => await client.openDownload('https://x.test/a');

const create = async (client: Client) =>
	await client.createEdit({ input: { files: ['https://x.test/a.wav'], config: {} } });

/** Makes tries that last `tryMs` and fail without a connection. @returns when each began, in ms */
const unreached = async (
	ask: (client: Client) => Promise<Result<unknown>>,
	tryMs: number,
	turnMs = 0,
) => {
	const time = new VirtualTime();
	const beganAtMs: number[] = [];
	const door = doorWith(async () => {
		beganAtMs.push(time.now());
		await time.sleep(tryMs);
		return failed(failure('unreachable'));
	});
	const turn = async () => await time.sleep(turnMs);
	await time.run(ask(new Client(door, { time, submissionPace: { turn, failed: () => {} } })));
	return beganAtMs;
};

describe('the tries', () => {
	it.each([
		['a read', read],
		['the opening of a download', openDownload],
		['the opening of a clip', openClip],
	])('for %s stop at four, after a 429 at ten', async (_title, ask) => {
		expect(await tries(ask, failure('broken'))).toBe(4);
		expect(await tries(ask, failure('status', 503))).toBe(4);
		expect(await tries(ask, failure('status', 429))).toBe(10);
	});

	it('without a connection stop at four, begun within 6 s if a batch waits for them', async () => {
		for (const ask of [create, async (client: Client) => await client.deleteEdit('a')]) {
			expect(await unreached(ask, 0)).toEqual([0, 500, 1_500, 3_500]);
			expect(await unreached(ask, 1_000)).toEqual([0, 1_500, 3_500]);
			expect(await unreached(ask, 20_000)).toEqual([0]);
		}
		expect(await unreached(read, 20_000)).toHaveLength(4);
	});

	it('wait as long as the rate limit requires', async () => {
		expect(await unreached(create, 0, 9_000)).toHaveLength(4);
	});

	it('stop at one for a request that is made once', async () => {
		expect(await tries(async (client) => await client.getEditOnce('a'), failure('broken'))).toBe(1);
	});
});

describe('a deletion of what is not there', () => {
	/** Deletes, with these failures of its tries. */
	const deleteAfter = async (...failures: RequestFailure[]) => {
		const time = new VirtualTime();
		const door = doorWith(async () => failed(failures.shift()!));
		return await time.run(new Client(door, { time }).deleteEdit('a'));
	};
	const missing = failure('status', 404);

	it('has failed at the first try: the ID may be wrong', async () => {
		expect(await deleteAfter(missing)).toEqual(failed(missing));
	});

	it('has failed after a try that the service did not take', async () => {
		expect(await deleteAfter(failure('status', 429), missing)).toEqual(failed(missing));
	});

	it('counts as done after a try whose response was lost', async () => {
		expect(await deleteAfter(failure('broken'), missing)).toMatchObject({ ok: true });
		expect(await deleteAfter(failure('status', 502), missing)).toMatchObject({ ok: true });
	});
});

describe('the tries of a request', () => {
	it('stop at one for an edit whose connection was cut: it may have been charged', async () => {
		expect(await tries(create, failure('broken'))).toBe(1);
		expect(await tries(create, failure('unreachable'))).toBe(4);
	});

	it('outlast a one-minute rate window even with average luck', async () => {
		const time = new VirtualTime();
		const door = doorWith(async () => failed(failure('status', 429)));
		await time.run(read(new Client(door, { time })));
		expect(time.now()).toBeGreaterThan(60_000);
	});

	it.each(['stopped', 'given up'])('stop at once when the execution is %s', async (how) => {
		const [stop, giveUp] = [new AbortController(), new AbortController()];
		const time = new VirtualTime();
		const retryLater = { ...failure('status', 429), retryAfterMs: 30_000 };
		const door = doorWith(async () => failed(retryLater), stop.signal);
		const client = new Client(door, { time, givesUp: giveUp.signal });
		void time.sleep(100).then(() => (how === 'stopped' ? stop : giveUp).abort());
		await time.run(read(client));
		expect(door.call).toHaveBeenCalledTimes(1);
		expect(time.now()).toBe(100);
	});
});

describe('the pace of requests', () => {
	it('schedules each try and hears of each failure when it will be retried', async () => {
		const time = new VirtualTime({ startMs: 5_000 });
		const sleep = jest.spyOn(time, 'sleep');
		const { signal } = new AbortController();
		const causes = [failure('status', 429), failure('broken')];
		const answers = [...causes.map((cause) => failed<unknown>(cause)), success(EDIT)];
		const events: unknown[] = [];
		const statusPace: Pace = {
			turn: async (given) => void events.push(['turn', given === signal]),
			failed: ({ kind, status }, retryAtMs) => void events.push([kind, status, retryAtMs]),
		};
		const door = doorWith(async () => {
			events.push('attempt');
			return answers.shift()!;
		}, signal);
		expect((await time.run(new Client(door, { time, statusPace }).getEdit('a'))).ok).toBe(true);
		expect(events).toEqual([
			['turn', true],
			'attempt',
			['status', 429, 5_500],
			['turn', true],
			'attempt',
			['broken', undefined, 6_500],
			['turn', true],
			'attempt',
		]);
		expect(sleep.mock.calls).toEqual([
			[500, signal],
			[1_000, signal],
		]);
	});

	it('does not hear of a failure that is not retried', async () => {
		const learnt = jest.fn();
		const statusPace: Pace = { turn: async () => {}, failed: learnt };
		const door = doorWith(async () => failed(failure('status', 401)));
		await new Client(door, { time: new VirtualTime(), statusPace }).getEdit('a');
		expect(learnt).not.toHaveBeenCalled();
	});
});
