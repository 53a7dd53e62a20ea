import type { Redis } from 'ioredis';

import { serverAddress, type Log } from '../shared/log.mts';

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
	return redis;
}
