import { systemTime } from '../../api/time';

/** Stop means stop: sleeps end within this time, whatever the host's own sleep makes of the signal. */
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

it('a sleep of no length, or with the execution stopped already, is over at once', async () => {
	const stop = AbortSignal.abort();
	await systemTime.sleep(0);
	await systemTime.sleep(-5);
	await systemTime.sleep(60_000, stop);
});

it('a sleep of a time that is no number lets others have their turn', async () => {
	const startedAtMs = systemTime.now();
	await systemTime.sleep(NaN);
	expect(systemTime.now() - startedAtMs).toBeGreaterThan(100);
});
