import { connect } from 'node:net';
import { once } from 'node:events';

import { freePort, startChild } from './children.mts';
import { type N8nServer, startN8n } from './n8nServer.mts';
import { eventually } from './patience.mts';
import { startPostgres } from './postgres.mts';
import type { Sandbox } from './sandbox.mts';

/** An n8n in queue mode: the main process, and the workers that run executions. */
export interface QueueMode {
	readonly main: N8nServer;
	readonly workers: readonly N8nServer[];
}

/**
 * Starts n8n in queue mode, with Redis and PostgreSQL.
 *
 * @param concurrency number of executions that a worker runs at the same time
 */
export async function startQueueMode(
	sandbox: Sandbox,
	workers: number,
	concurrency: number,
): Promise<QueueMode> {
	const env = { ...(await startQueue(sandbox)), ...(await startPostgres(sandbox)) };
	const main = await startN8n(sandbox, { name: 'main', env });
	const startWorker = async (name: string) =>
		await startN8n(sandbox, {
			name,
			command: ['worker', `--concurrency=${concurrency}`],
			env: { ...env, QUEUE_HEALTH_CHECK_ACTIVE: 'true' },
		});
	const names = Array.from({ length: workers }, (_, index) => `worker-${index + 1}`);
	return { main, workers: await Promise.all(names.map(startWorker)) };
}

/** Starts Redis without storage on disk. @returns the variables that make n8n use it */
async function startQueue(sandbox: Sandbox): Promise<Record<string, string>> {
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
