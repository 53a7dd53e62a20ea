import type { Redis } from 'ioredis';

import type { Log } from '../shared/log.mts';

/** The host and port of a Redis URL: what may be shown, for there can be a password in it. */
export function redisAddress(url: string): string {
	const { protocol, host } = new URL(url);
	return `${protocol}//${host}`;
}

/**
 * Opens a connection that comes back by itself however long Redis is away, and logs once when it
 * goes and once when it is there.
 *
 * The library is loaded here and in `redisQueue.mts` only, when somebody asks for this queue.
 */
export async function connectRedis(url: string, log: Log): Promise<Redis> {
	const { Redis } = await import('ioredis');
	const redis = new Redis(url, {
		// Asked for by BullMQ: commands wait for the connection and are not given up.
		maxRetriesPerRequest: null,
		retryStrategy: (tries) => Math.min(100 * 2 ** Math.min(tries, 10), 2_000),
	});
	const address = redisAddress(url);
	let isAway = false;
	const away = (why: string) => {
		if (isAway) return;
		isAway = true;
		log(
			`queue: ${address} cannot be reached (${why}). Edits under work go on, waiting ones stay in the database; it is tried again until it answers`,
		);
	};
	redis.on('error', ({ message, code }: NodeJS.ErrnoException) => {
		away(message === '' ? (code ?? 'no answer') : message);
	});
	redis.on('close', () => {
		// This process closed it: nothing to log.
		if (redis.status !== 'end') away('the connection was closed');
	});
	redis.on('ready', () => {
		isAway = false;
		log(`queue: connected to ${address}`);
	});
	return redis;
}
