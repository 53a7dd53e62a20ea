/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they write files */
import { scrypt } from 'crypto';
import { mkdtemp, open, rm } from 'fs/promises';
import { tmpdir } from 'os';
import { join } from 'path';
import { promisify } from 'util';

import { systemTime } from '../../api/time';
import { rateLimitsFor } from '../../waiting/rateLimit';
import { systemTime as leapingTime } from '../../testkit/time/leapingTime';

/** Longer than any test may take, so that a sleep that misses the stop ends the test. */
const ENDLESS_MS = 86_400_000;

it('a sleep ends when the execution is stopped, and does not reject', async () => {
	const stop = new AbortController();
	const sleeping = systemTime.sleep(ENDLESS_MS, stop.signal);
	await systemTime.sleep(50);
	stop.abort();
	await sleeping;
});

it('a sleep of zero length, or after a stop, ends at once', async () => {
	const stop = AbortSignal.abort();
	await systemTime.sleep(0);
	await systemTime.sleep(-5);
	await systemTime.sleep(ENDLESS_MS, stop);
});

it('a sleep of NaN milliseconds still yields', async () => {
	const startedAtMs = systemTime.now();
	await systemTime.sleep(NaN);
	expect(systemTime.now() - startedAtMs).toBeGreaterThan(100);
});

/** Sets the system clock, as an administrator or a time server would. */
function setClock(byMs: number): void {
	const realNow = Date.now;
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + byMs);
}

const HOUR_MS = 3_600_000;

afterEach(() => {
	jest.restoreAllMocks();
});

describe.each([
	['back', -HOUR_MS],
	['forward', HOUR_MS],
])('setting the system clock %s an hour', (direction, jumpMs) => {
	it('changes no interval', () => {
		const beforeMs = systemTime.now();
		setClock(jumpMs);
		const passedMs = systemTime.now() - beforeMs;
		expect(passedMs).toBeGreaterThanOrEqual(0);
		expect(passedMs).toBeLessThan(60_000);
	});

	it('neither stalls nor opens the rate limit', () => {
		const { submissions } = rateLimitsFor(direction, 'https://clock.example', 1);
		submissions.begin(systemTime.now());
		setClock(jumpMs);
		const nowMs = systemTime.now();
		const waitMs = submissions.nextFreeAtMs(nowMs) - nowMs;
		expect(waitMs).toBeGreaterThan(30_000);
		expect(waitMs).toBeLessThanOrEqual(61_000);
	});

	it('ends no sleep early or late', async () => {
		const sleeping = systemTime.sleep(200);
		const startedMs = performance.now();
		setClock(jumpMs);
		await sleeping;
		expect(performance.now() - startedMs).toBeGreaterThan(150);
	});

	it('changes the time of day', () => {
		setClock(jumpMs);
		expect(Math.abs(systemTime.timeOfDay() - Date.now())).toBeLessThan(60_000);
	});
});

/** Keeps all threads for file operations at work, as on a busy machine. */
const occupyThreads = () =>
	Array.from({ length: 8 }, async () => await promisify(scrypt)('a', 'b', 64));

describe('the leaping clock', () => {
	it('leaps when only a sleep is left', async () => {
		const beganAtMs = leapingTime.now();
		await leapingTime.sleep(HOUR_MS);
		expect(leapingTime.now() - beganAtMs).toBe(HOUR_MS);
	});

	it('does not leap while a file is being written or closed', async () => {
		const events: string[] = [];
		const folder = await mkdtemp(join(tmpdir(), 'leaping-'));
		const file = await open(join(folder, 'a'), 'w');
		for (const work of [async () => await file.write('a'), async () => await file.close()]) {
			const threads = occupyThreads();
			const working = work().then(() => events.push('done'));
			await leapingTime.sleep(HOUR_MS).then(() => events.push('leapt'));
			await Promise.all([...threads, working]);
		}
		await rm(folder, { recursive: true });
		expect(events).toEqual(['done', 'leapt', 'done', 'leapt']);
	});
});
