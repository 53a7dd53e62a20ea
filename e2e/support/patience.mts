import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 100;

/**
 * Asks again and again until there is an answer.
 *
 * @throws when there is none in time, saying what did not happen
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
