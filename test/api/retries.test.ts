import { type Outcome, type RequestFailure, failed, success } from '../../api/outcome';
import { type Pace, isTransient, parseRetryAfterMs, withRetries } from '../../api/retry';
import type { Time } from '../../api/time';

const failure = (kind: RequestFailure['kind'], status?: number): RequestFailure => ({
	kind,
	status,
	request: 'GET /x',
});

/** A clock that moves only when somebody sleeps; every back-off is half of what it may be. */
class SleepingTime implements Time {
	nowMs = 5_000;
	readonly sleeps: Array<[number, AbortSignal | undefined]> = [];

	now() {
		return this.nowMs;
	}

	timeOfDay() {
		return this.nowMs;
	}

	random() {
		return 0.5;
	}

	async sleep(ms: number, signal?: AbortSignal) {
		this.sleeps.push([ms, signal]);
		this.nowMs += ms;
	}
}

describe('a failure may go away by itself', () => {
	it.each<[RequestFailure['kind'], number | undefined, boolean]>([
		['unreachable', undefined, true],
		['broken', undefined, true],
		['timeout', undefined, true],
		['status', 408, true],
		['status', 425, true],
		['status', 429, true],
		['status', 500, true],
		['status', 599, true],
		['status', 499, false],
		['status', 404, false],
		['status', undefined, false],
		['unreadable', 503, false],
		['redirect', 302, false],
		['stopped', undefined, false],
		['invalid', undefined, false],
		['wrongSize', undefined, false],
	])('%s %s: %s', (kind, status, expected) => {
		expect(isTransient(failure(kind, status))).toBe(expected);
	});
});

describe('Retry-After', () => {
	it.each<[unknown, number | undefined]>([
		[12, 12_000],
		['1.5', 1_500],
		['Infinity', undefined],
		[true, undefined],
		[['12'], undefined],
	])('%j is %s ms', (header, expectedMs) => {
		expect(parseRetryAfterMs(header, 0)).toBe(expectedMs);
	});
});

describe('tries', () => {
	const tries = async (requestClass: 'once' | 'read', cause: RequestFailure) => {
		const time = new SleepingTime();
		const attempt = jest.fn(async () => failed<string>(cause));
		expect(await withRetries(requestClass, attempt, { time })).toEqual(failed(cause));
		expect(time.sleeps).toHaveLength(attempt.mock.calls.length - 1);
		return attempt.mock.calls.length;
	};

	it('end with the fourth, after 429 with the tenth', async () => {
		expect(await tries('read', failure('broken'))).toBe(4);
		expect(await tries('read', failure('status', 503))).toBe(4);
		expect(await tries('read', failure('status', 429))).toBe(10);
	});

	/** Tries that take so long and fail without a connection. @returns when each began, in milliseconds */
	const unreached = async (
		requestClass: 'read' | 'repeat' | 'submit',
		tryMs: number,
		turnMs = 0,
	) => {
		const time = new SleepingTime();
		const beganAtMs: number[] = [];
		const attempt = async () => {
			beganAtMs.push(time.nowMs - 5_000);
			time.nowMs += tryMs;
			return failed<string>(failure('unreachable'));
		};
		const turn = async () => void (time.nowMs += turnMs);
		await withRetries(requestClass, attempt, { time, pace: { turn, failed: () => {} } });
		return beganAtMs;
	};

	it('without a connection are four, and begin within 6 s where a batch waits for them', async () => {
		for (const requestClass of ['submit', 'repeat'] as const) {
			expect(await unreached(requestClass, 0)).toEqual([0, 500, 1_500, 3_500]);
			expect(await unreached(requestClass, 1_000)).toEqual([0, 1_500, 3_500]);
			expect(await unreached(requestClass, 20_000)).toEqual([0]);
		}
		expect(await unreached('read', 20_000)).toHaveLength(4);
	});

	it('may wait for their turn as long as the rate limit wants', async () => {
		expect(await unreached('submit', 0, 9_000)).toHaveLength(4);
	});

	it('end with the first for a request that is made once', async () => {
		expect(await tries('once', failure('broken'))).toBe(1);
	});
});

describe('the pace of requests', () => {
	it('gives each try its turn, and learns of each failure when it will be tried again', async () => {
		const time = new SleepingTime();
		const { signal } = new AbortController();
		const causes = [failure('status', 429), failure('broken')];
		const answers: Array<Outcome<string>> = [
			...causes.map((cause) => failed<string>(cause)),
			success('ok'),
		];
		const events: unknown[] = [];
		const pace: Pace = {
			turn: async (given) => void events.push(['turn', given === signal]),
			failed: ({ kind, status }, retryAtMs) => void events.push([kind, status, retryAtMs]),
		};
		const attempt = async () => {
			events.push('attempt');
			return answers.shift()!;
		};
		expect(await withRetries('read', attempt, { time, signal, pace })).toEqual(success('ok'));
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
		expect(time.sleeps).toEqual([
			[500, signal],
			[1_000, signal],
		]);
	});

	it('does not learn of a failure after which nothing is tried', async () => {
		const learnt = jest.fn();
		const pace: Pace = { turn: async () => {}, failed: learnt };
		const attempt = async () => failed<string>(failure('status', 401));
		await withRetries('read', attempt, { time: new SleepingTime(), pace });
		expect(learnt).not.toHaveBeenCalled();
	});
});
