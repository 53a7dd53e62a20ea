import { appendFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

import { startS3Server } from '../../../testkit/service/s3Server.mts';
import { freePort } from '../../../testkit/process/freePort.ts';
import { type ReadyProcess, startUntilReady } from '../../../testkit/service/localService.ts';
import { postgresServer } from '../../../testkit/process/postgresServer.mts';
import { redisServer } from '../../../testkit/process/redisServer.mts';
import { startProxy } from '../../support/proxy.mts';
import type { Sandbox } from '../../support/sandbox.mts';

type Settings = Readonly<Record<string, string>>;

export const API_KEY = 'cluster-key-0123456789abcdef';

/** Limits that neither n8n nor a measurement reaches. */
const UNLIMITED: Settings = {
	LOCAL_SERVICE_SUBMISSIONS_PER_MINUTE: '1000000',
	LOCAL_SERVICE_STATUS_CALLS_PER_MINUTE: '1000000',
};

/** Begins the keys of all objects of the service. */
const PREFIX = 'service/';

/** A running process of the service, and where it would listen. */
export interface ServiceProcess extends ReadyProcess {
	readonly port: number;
	readonly url: string;
}

interface Start {
	/** The name of its log and of its folder. */
	readonly name: string;
	/** The built program; two versions of the service are two programs. */
	readonly program: string;
	readonly settings: Settings;
	/** Any free one by default. */
	readonly port?: number | undefined;
	/** The number of the only core that it may use; all of them by default. */
	readonly core?: number | undefined;
}

/** Starts a process in an empty folder and waits until it is ready. The sandbox stops it. */
export async function startProcess(sandbox: Sandbox, start: Start): Promise<ServiceProcess> {
	const { name, program, settings, port = await freePort(), core } = start;
	const folder = await mkdtemp(join(sandbox.folder, `${name}-`));
	const env = {
		PATH: process.env['PATH'],
		HOME: folder,
		LOCAL_SERVICE_API_KEY: API_KEY,
		LOCAL_SERVICE_JSON_READY: 'true',
		LOCAL_SERVICE_PORT: String(port),
		LOCAL_SERVICE_STORAGE: join(folder, 'storage'),
		...UNLIMITED,
		...settings,
	};
	// Linux's taskset becomes the program that it starts.
	const onCore = core === undefined ? [] : ['taskset', '--cpu-list', String(core)];
	const [command, ...args] = [...onCore, process.execPath, program];
	const onLog = (line: string) => {
		appendFileSync(sandbox.logOf(name), `${line}\n`);
	};
	const child = await startUntilReady(command, args, { cwd: folder, env, onLog });
	sandbox.onEnd(async () => await child.end('SIGTERM'));
	return { ...child, port, url: `http://127.0.0.1:${port}` };
}

/**
 * Starts what all processes of a service on several machines share, and a proxy for the clients. There is no
 * common folder. PostgreSQL has its default durability, Redis no storage.
 */
export async function startCluster(sandbox: Sandbox) {
	const postgres = sandbox.use(await postgresServer([], sandbox.logOf('service-postgres')));
	const redis = sandbox.use(await redisServer(sandbox.logOf('service-redis')));
	const s3 = sandbox.use(await startS3Server());
	const files = `${s3.filesFlag(PREFIX)}&region=us-east-1`;
	const { host: bucket } = new URL(files);
	const proxy = await startProxy(sandbox, []);
	const shared: Settings = {
		LOCAL_SERVICE_DATABASE: postgres.urlOf('postgres'),
		LOCAL_SERVICE_QUEUE: redis.url,
		LOCAL_SERVICE_FILES: files,
		AWS_ACCESS_KEY_ID: process.env['AWS_ACCESS_KEY_ID'] ?? '',
		AWS_SECRET_ACCESS_KEY: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
	};
	/** The processes that should be running now. */
	const fronts = new Set<ServiceProcess>();
	const workers = new Set<ServiceProcess>();
	const all: ServiceProcess[] = [];
	const add = async (start: Omit<Start, 'name'>): Promise<ServiceProcess> => {
		const name = `service-${all.length + 1}`;
		const settings = { ...shared, ...start.settings };
		const added = await startProcess(sandbox, { ...start, name, settings });
		all.push(added);
		return added;
	};
	return {
		postgres,
		redis,
		proxy,
		fronts,
		workers,
		/** Starts another front, which leaves all edits to the workers, and lets the proxy use it. */
		addFront: async (program: string, port?: number): Promise<ServiceProcess> => {
			const own = { LOCAL_SERVICE_CONCURRENCY: '0', LOCAL_SERVICE_PUBLIC_URL: proxy.url };
			const front = await add({ program, settings: own, port });
			fronts.add(front);
			proxy.ports.add(front.port);
			return front;
		},
		/** Starts another worker. @param concurrency number of edits that it works on at the same time */
		addWorker: async (program: string, concurrency = 1, core?: number): Promise<ServiceProcess> => {
			const own = { LOCAL_SERVICE_WORKER: 'true', LOCAL_SERVICE_CONCURRENCY: String(concurrency) };
			const worker = await add({ program, settings: own, core });
			workers.add(worker);
			return worker;
		},
		/** Returns the log lines of all processes, dead ones included. */
		lines: (): string[] => all.flatMap(({ log }) => log),
		/** Returns the paths of all results, as in their URLs: bucket, prefix, `edits`, edit, run, name. */
		results: async (): Promise<string[]> => {
			const keys: string[] = [];
			for (;;) {
				const marker = keys.at(-1) ?? '';
				const query = new URLSearchParams({ prefix: `${PREFIX}edits/`, marker });
				const answer = await fetch(`${s3.origin}/${bucket}?${query.toString()}`);
				if (!answer.ok) throw new Error(`Listing the bucket: ${answer.status}`);
				const page = [...(await answer.text()).matchAll(/<Key>([^<]+)<\/Key>/g)];
				if (page.length === 0) return keys.map((key) => `/${bucket}/${key}`);
				keys.push(...page.map(([, key]) => key));
			}
		},
	};
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;
