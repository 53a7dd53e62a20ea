import { systemTime } from '../../api/time';

/** A stop ends sleeps within this time, however the host's own sleep handles the signal. */
const STOP_WITHIN_MS = 1_000;

it('a sleep ends when the execution is stopped, and does not reject', async () => {
	const stop = new AbortController();
	const startedAtMs = systemTime.now();
	const sleeping = systemTime.sleep(60_000, stop.signal);
	await systemTime.sleep(50);
	stop.abort();
	await sleeping;
	expect(systemTime.now() - startedAtMs).toBeLessThan(STOP_WITHIN_MS + 50);
});

it('a sleep of zero length, or after a stop, ends at once', async () => {
	const stop = AbortSignal.abort();
	await systemTime.sleep(0);
	await systemTime.sleep(-5);
	await systemTime.sleep(60_000, stop);
});

it('a sleep of NaN milliseconds still yields', async () => {
	const startedAtMs = systemTime.now();
	await systemTime.sleep(NaN);
	expect(systemTime.now() - startedAtMs).toBeGreaterThan(100);
});
