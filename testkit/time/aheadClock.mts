import { isMainThread } from 'node:worker_threads';

/**
 * Loaded with `--import` into a process, it sets the clock of that process ahead by CLOCK_AHEAD_MS: from SIGUSR2 on, or
 * from the start if CLOCK_AHEAD_FROM_START is `true`.
 */
const { CLOCK_AHEAD_MS, CLOCK_AHEAD_FROM_START } = process.env;
const jumpMs = Number(CLOCK_AHEAD_MS);
let aheadMs = CLOCK_AHEAD_FROM_START === 'true' ? jumpMs : 0;

const rightDate = Date;
const now = () => rightDate.now() + aheadMs;

globalThis.Date = new Proxy(rightDate, {
	construct: (target, args) =>
		args.length === 0 ? new rightDate(now()) : (Reflect.construct(target, args) as Date),
	get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
});

if (isMainThread) {
	process.on('SIGUSR2', () => {
		aheadMs = jumpMs;
	});
}
