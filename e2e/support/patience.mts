import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 100;

/**
 * Repeats a question until there is an answer.
 *
 * @throws if there is none in time, naming what did not happen
 */
export async function eventually<T>(
	what: string,
	ask: () => Promise<T | undefined>,
	patienceMs = 60_000,
): Promise<T> {
	const endMs = Date.now() + patienceMs;
	while (Date.now() < endMs) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		await sleep(LOOK_EVERY_MS);
	}
	throw new Error(`It did not happen in ${patienceMs / 1_000} s: ${what}`);
}
