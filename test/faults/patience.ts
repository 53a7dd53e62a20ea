import { sleep } from 'n8n-workflow';

/** The one real limit for everything that a case waits for: long enough for the busiest machine. */
const PATIENCE_MS = 3 * 60_000;

/** Returns the result of `work`; undefined if it does not come, since nothing could end the wait. */
export async function patiently<T>(work: Promise<T>): Promise<T | undefined> {
	const over = new AbortController();
	const limit = sleep(PATIENCE_MS, over.signal).catch(() => {});
	try {
		return (await Promise.race([work, limit])) ?? undefined;
	} finally {
		over.abort();
	}
}
