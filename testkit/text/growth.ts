/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they measure the processor's time */

/*
 * n8n and the service do nothing else while they read or make a text. These functions compare the time for one
 * large text with that for the same amount in 32 pieces: linear growth makes it as long, quadratic growth 32
 * times. The limit leaves room for what the garbage collector does in one of the two.
 */
export const PIECES = 32;
export const MAX_SLOWDOWN = 6;

/** The processor time of some work, because the wall clock includes other work. */
export function millisecondsOf(work: () => unknown): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}

/** How much slower a whole is than 32 times its 32nd part: the best of six turns of each. */
export function slowdown(whole: () => unknown, piece: () => unknown): number {
	const pieces = () => {
		for (let done = 0; done < PIECES; done += 1) piece();
	};
	pieces();
	const turns = [1, 2, 3, 4, 5, 6].map(() => [millisecondsOf(pieces), millisecondsOf(whole)]);
	return Math.min(...turns.map(([, ms]) => ms)) / Math.min(...turns.map(([ms]) => ms));
}
