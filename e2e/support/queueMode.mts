import { postgresServer } from '../../testkit/process/postgresServer.mts';
import { redisServer } from '../../testkit/process/redisServer.mts';
import { startN8n } from './n8nServer.mts';
import type { Sandbox } from './sandbox.mts';

/** Used only by n8n on loopback and deleted after the tests, so nothing needs to survive a crash. */
const QUICK_DATABASE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/**
 * Starts n8n in queue mode, with Redis and PostgreSQL: the main process, and workers that run executions.
 *
 * @param concurrency number of executions that a worker runs at the same time
 */
export async function startQueueMode(sandbox: Sandbox, workers: number, concurrency: number) {
	const env = { ...(await startQueue(sandbox)), ...(await startDatabase(sandbox)) };
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

/** Starts Redis. @returns the variables that make n8n use it */
async function startQueue(sandbox: Sandbox): Promise<Record<string, string>> {
	const redis = sandbox.use(await redisServer(sandbox.logOf('redis')));
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	};
}

/** Starts PostgreSQL, which n8n needs for more than one process. @returns the variables for n8n */
async function startDatabase(sandbox: Sandbox): Promise<Record<string, string>> {
	const server = await postgresServer(QUICK_DATABASE, sandbox.logOf('postgres'));
	const { host, port, user } = sandbox.use(server);
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: host,
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: user,
		DB_POSTGRESDB_POOL_SIZE: '10',
	};
}
