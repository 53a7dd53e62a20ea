import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Requests at a fixed rate, whether or not earlier ones have been answered. */
export interface Load {
	readonly urls: readonly string[];
	readonly headers: Readonly<Record<string, string>>;
	readonly perSecond: number;
	readonly seconds: number;
}

/**
 * Sends the requests of a load, each of the URLs in turn.
 *
 * @returns the 99th percentile of the response times in milliseconds, counted from when a request was
 *   due: a server that stops answering for a moment delays all requests that were due then
 */
export async function p99Of({ urls, headers, perSecond, seconds }: Load): Promise<number> {
	const agent = new Agent({ keepAlive: true, maxSockets: 64 });
	const startMs = performance.now();
	const answers: Promise<number>[] = [];
	const total = Math.round(perSecond * seconds);
	while (answers.length < total) {
		const dueMs = startMs + (answers.length * 1_000) / perSecond;
		if (dueMs > performance.now()) {
			await sleep(1);
			continue;
		}
		answers.push(responseMs(urls[answers.length % urls.length] ?? '', headers, agent, dueMs));
	}
	const times = (await Promise.all(answers)).sort((one, other) => one - other);
	agent.destroy();
	return times[Math.floor(times.length * 0.99)] ?? Infinity;
}

/** Returns how long after `dueMs` a response was complete; Infinity if it was none or not 200. */
async function responseMs(
	url: string,
	headers: Readonly<Record<string, string>>,
	agent: Agent,
	dueMs: number,
): Promise<number> {
	return await new Promise((resolve) => {
		const request = get(url, { headers, agent }, (response) => {
			response.resume();
			response.once('end', () => {
				resolve(response.statusCode === 200 ? performance.now() - dueMs : Infinity);
			});
		});
		request.once('error', () => {
			resolve(Infinity);
		});
	});
}

/**
 * Returns the highest rate in requests a second at which the 99th percentile keeps to the limit, to
 * within 5 %.
 */
export async function highestRate(
	load: Omit<Load, 'perSecond'>,
	limitMs: number,
	firstPerSecond: number,
): Promise<number> {
	const isKept = async (perSecond: number) => (await p99Of({ ...load, perSecond })) <= limitMs;
	let kept = 0;
	let next = firstPerSecond;
	while (await isKept(next)) {
		kept = next;
		next *= 1.5;
	}
	let missed = next;
	while (missed > kept * 1.05 && missed > 1) {
		next = (kept + missed) / 2;
		if (await isKept(next)) kept = next;
		else missed = next;
	}
	return kept;
}
