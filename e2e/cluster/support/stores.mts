import { type PostgresServer, postgresServer } from '../../../test/support/postgresServer.mts';
import { type RedisServer, redisServer } from '../../../test/support/redisServer.mts';
import type { Sandbox } from '../../support/sandbox.mts';
import { type Bucket, startBucket } from './bucket.mts';
import type { ServiceSettings } from './serviceProcess.mts';

export const API_KEY = 'cluster-key-0123456789abcdef';

/** Limits that neither n8n nor a measurement reaches. */
export const UNLIMITED: ServiceSettings = {
	LOCAL_SERVICE_SUBMISSIONS_PER_MINUTE: '1000000',
	LOCAL_SERVICE_STATUS_CALLS_PER_MINUTE: '1000000',
};

/** What all processes of a service on several machines share. */
export interface Stores {
	readonly postgres: PostgresServer;
	readonly redis: RedisServer;
	readonly bucket: Bucket;
	/** Connects a process to these servers. */
	readonly settings: ServiceSettings;
}

/** Starts PostgreSQL with its default durability, Redis without storage, and an S3 server. */
export async function startStores(sandbox: Sandbox): Promise<Stores> {
	const postgres = sandbox.use(await postgresServer([], sandbox.logOf('service-postgres')));
	const redis = sandbox.use(await redisServer(sandbox.logOf('service-redis')));
	await redis.start();
	const bucket = await startBucket(sandbox);
	const settings = {
		LOCAL_SERVICE_DATABASE: postgres.urlOf('postgres'),
		LOCAL_SERVICE_QUEUE: redis.url,
		LOCAL_SERVICE_FILES: bucket.files,
		AWS_ACCESS_KEY_ID: process.env['AWS_ACCESS_KEY_ID'] ?? '',
		AWS_SECRET_ACCESS_KEY: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
	};
	return { postgres, redis, bucket, settings };
}
