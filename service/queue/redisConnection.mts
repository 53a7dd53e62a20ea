import { performance } from 'node:perf_hooks';

import type { Redis } from 'ioredis';

import { serverAddress, type Log } from '../shared/log.mts';

/** Real milliseconds between checks whether Redis answers, and the longest wait for the answer. */
const CHECK_MS = 5_000;
const MAX_ANSWER_MS = 10_000;

/**
 * Opens a connection that reconnects by itself, however long Redis is down. Logs once per outage and
 * once per connection.
 *
 * `ioredis` is imported on demand: without `--queue` it is never loaded.
 */
export async function connectRedis(url: string, log: Log): Promise<Redis> {
	const { Redis } = await import('ioredis');
	const redis = new Redis(url, {
		// BullMQ requires this: commands wait for the connection instead of failing.
		maxRetriesPerRequest: null,
		retryStrategy: (tries) => Math.min(100 * 2 ** Math.min(tries, 10), 2_000),
	});
	const address = serverAddress(url);
	let isAway = false;
	const away = (why: string) => {
		if (isAway) return;
		isAway = true;
		log(
			`queue: cannot reach ${address} (${why}). Running edits continue, queued edits stay in the database; reconnecting until it answers`,
		);
	};
	redis.on('error', ({ message, code }: NodeJS.ErrnoException) => {
		away(message === '' ? (code ?? 'no response') : message);
	});
	redis.on('close', () => {
		// With status 'end' this process closed the connection itself.
		if (redis.status !== 'end') away('the connection was closed');
	});
	redis.on('ready', () => {
		isAway = false;
		log(`queue: connected to ${address}`);
	});
	reconnectWhenSilent(redis);
	return redis;
}

/**
 * Replaces a connection on which Redis does not answer: one to a machine that vanished looks alive for
 * a quarter of an hour. The option `socketTimeout` would also break the connection that follows.
 */
export function reconnectWhenSilent(redis: Redis): void {
	let askedAtMs: number | undefined;
	const answered = () => (askedAtMs = undefined);
	redis.on('ready', answered);
	const timer = setInterval(() => {
		if (redis.status !== 'ready') askedAtMs = undefined;
		else if (askedAtMs === undefined) {
			askedAtMs = performance.now();
			// A connection that waits for each answer for a limited time gives up on this one, too.
			redis.ping().then(answered, () => undefined);
		} else if (performance.now() - askedAtMs > MAX_ANSWER_MS) redis.disconnect(true);
	}, CHECK_MS);
	timer.unref();
	redis.once('end', () => {
		clearInterval(timer);
	});
}
