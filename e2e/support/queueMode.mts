import { connect } from 'node:net';
import { once } from 'node:events';

import { freePort, startChild } from './children.mts';
import { eventually } from './patience.mts';
import type { Sandbox } from './sandbox.mts';

/** Starts Redis with nothing kept on disk. @returns what n8n needs to work through it */
export async function startQueue(sandbox: Sandbox): Promise<Record<string, string>> {
	const port = await freePort();
	const flags = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: sandbox.folder };
	const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, String(value)]);
	const log = sandbox.logOf('redis');
	const redis = startChild('redis-server', args, { log, env: process.env, cwd: sandbox.folder });
	sandbox.onEnd(async () => {
		await redis.stop();
	});
	await eventually('Redis listens', async () => ((await listens(port)) ? true : undefined));
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(port),
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	};
}

async function listens(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}
