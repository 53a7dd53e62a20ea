import { systemTime } from '../../api/time';
import { rateLimitsFor } from '../../waiting/rateLimit';

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
		submissions.take(systemTime.now());
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
