import type { Sandbox } from '../../support/sandbox.mts';
import { type FrontProxy, type Seen, startFrontProxy } from './frontProxy.mts';
import {
	type Front,
	type ServiceProcess,
	type ServiceSettings,
	startFront,
	startWorker,
} from './serviceProcess.mts';
import { API_KEY, type Stores, UNLIMITED, startStores } from './stores.mts';

/** Fronts leave all edits to the workers. */
const FRONT: ServiceSettings = { LOCAL_SERVICE_API_KEY: API_KEY, LOCAL_SERVICE_CONCURRENCY: '0' };

/** A service of several processes with no common folder, which clients reach through a proxy. */
export interface Cluster {
	readonly stores: Stores;
	readonly proxy: FrontProxy;
	/** The processes that should be running now. */
	readonly fronts: Set<Front>;
	readonly workers: Set<ServiceProcess>;
	/** Starts another front, on a free port by default, and lets the proxy use it once it listens. */
	addFront(program: string, port?: number): Promise<Front>;
	/**
	 * @param concurrency number of edits that it works on at the same time
	 * @param core the number of the only core that it may use
	 */
	addWorker(
		program: string,
		options?: { concurrency?: number; core?: number },
	): Promise<ServiceProcess>;
	/** Returns the log lines of all processes, dead ones included. */
	lines(): string[];
}

/**
 * Starts PostgreSQL, Redis, an S3 server and a proxy, but no process of the service.
 *
 * @param onSeen called with every response that a client of the proxy received completely
 */
export async function startCluster(
	sandbox: Sandbox,
	onSeen: (seen: Seen) => void = () => undefined,
): Promise<Cluster> {
	const stores = await startStores(sandbox);
	const proxy = await startFrontProxy(sandbox, onSeen);
	const fronts = new Set<Front>();
	const workers = new Set<ServiceProcess>();
	const all: ServiceProcess[] = [];
	const settings: ServiceSettings = { ...stores.settings, ...UNLIMITED };
	const named = (kind: string) => `service-${kind}-${all.length + 1}`;
	return {
		stores,
		proxy,
		fronts,
		workers,
		addFront: async (program, port) => {
			const own = { ...settings, ...FRONT, LOCAL_SERVICE_PUBLIC_URL: proxy.url };
			const start = { name: named('front'), program, settings: own };
			const front = await startFront(sandbox, start, port);
			all.push(front);
			fronts.add(front);
			proxy.ports.add(front.port);
			return front;
		},
		addWorker: async (program, { concurrency = 1, core } = {}) => {
			const own = { ...settings, LOCAL_SERVICE_CONCURRENCY: String(concurrency) };
			const start = { name: named('worker'), program, settings: own, core };
			const worker = await startWorker(sandbox, start);
			all.push(worker);
			workers.add(worker);
			return worker;
		},
		lines: () => all.flatMap((process) => process.lines()),
	};
}
