import { systemTime } from '../../api/time';

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
