import { isIPv6, type AddressInfo } from 'node:net';

import { Accounts } from './accounts.mts';
import { createServiceClock } from './clock.mts';
import type { ServiceContext } from './context.mts';
import { createApp } from './http/app.mts';
import { SignedLinks } from './http/signedLinks.mts';
import { openDatabase } from './jobs/database.mts';
import { EnginePool } from './jobs/enginePool.mts';
import { StorageFiles } from './jobs/files.mts';
import { JobStore } from './jobs/jobStore.mts';
import { createOutboundClient } from './jobs/outboundClient.mts';
import { OutboundRules } from './jobs/outboundRules.mts';
import { JobQueue } from './jobs/queue.mts';
import { keepSweeping } from './jobs/retention.mts';
import type { JobRoom } from './jobs/runJob.mts';
import { UploadStore } from './jobs/uploadStore.mts';
import type { Log } from './log.mts';
import { readOrMakeSecrets } from './secrets.mts';
import type { Settings } from './settings.mts';
import { readTemplates } from './templates.mts';

const DAY_MS = 86_400_000;

/** A service that listens. */
export interface LocalService {
	/** The public URL, without a slash at the end. */
	url: string;
	/** The accepted keys; the generated one when none was given. */
	apiKeys: [string, ...string[]];
	/** Stops taking requests and working; interrupted edits are taken up at the next start. */
	close(): Promise<void>;
}

/** Puts the job room together on the storage folder. */
export async function openJobRoom(settings: Settings, log: Log) {
	const files = new StorageFiles(settings.storageFolder);
	const database = openDatabase(files.databasePath);
	const store = new JobStore(database);
	const uploads = new UploadStore(database);
	await files.prepare();
	const newestTimeMs = Math.max(store.newestTimeMs(), uploads.newestTimeMs());
	const room: JobRoom = {
		files,
		store,
		uploads,
		log,
		clock: createServiceClock(settings.clockSpeed, newestTimeMs),
		client: createOutboundClient(new OutboundRules(settings.allowPrivateSources)),
		engine: new EnginePool(settings.concurrency),
		longestSourceSeconds: settings.longestSourceHours * 3_600,
		sizeLimitBytes: settings.sourceSizeLimitBytes,
		timeoutSeconds: settings.sourceTimeoutSeconds,
		minimumStateMs: settings.minimumStateSeconds * 1000,
	};
	return { room, database };
}

/** Where the service is reached: the public URL, then what it listens on. */
function baseUrlsOf(
	settings: Settings,
	address: AddressInfo | string | null,
): [string, ...string[]] {
	const port = typeof address === 'object' && address !== null ? address.port : settings.port;
	const host = isIPv6(settings.host) ? `[${settings.host}]` : settings.host;
	const own = `http://${host}:${port}`;
	return [settings.publicUrl ?? own, own, `http://localhost:${port}`];
}

/** Starts the service. @throws Error when the storage is in use or the port is taken. */
export async function startLocalService(settings: Settings, log: Log): Promise<LocalService> {
	const secrets = readOrMakeSecrets(settings.storageFolder);
	const [firstKey = secrets.apiKey, ...otherKeys] = settings.apiKeys;
	const apiKeys: [string, ...string[]] = [firstKey, ...otherKeys];
	const { room, database } = await openJobRoom(settings, log);
	const queue = new JobQueue(room, settings.concurrency);
	const context: ServiceContext = {
		settings,
		accounts: new Accounts(apiKeys),
		templates: readTemplates(),
		links: new SignedLinks(secrets.linkSecret, room.clock),
		room,
		queue,
		baseUrls: baseUrlsOf(settings, null),
	};
	const app = await createApp(context);
	await app.listen({ host: settings.host, port: settings.port });
	context.baseUrls = baseUrlsOf(settings, app.server.address());

	queue.resume();
	const closing = new AbortController();
	const sweeping = keepSweeping(room, settings.retentionDays * DAY_MS, closing.signal);
	return {
		url: context.baseUrls[0],
		apiKeys,
		close: async () => {
			closing.abort();
			await app.close();
			await Promise.all([queue.close(), sweeping]);
			await room.engine.close();
			database.close();
		},
	};
}
