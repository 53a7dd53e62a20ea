import { isIPv6, type AddressInfo } from 'node:net';

import { Accounts } from '../shared/accounts.mts';
import { createServiceClock } from '../shared/clock.mts';
import type { ServiceContext } from '../http/context.mts';
import { createMailer, type LinkMaker, type Mailer } from '../mail/mailer.mts';
import { createApp } from '../http/app.mts';
import { downloadLink } from '../http/downloadLinks.mts';
import { SignedLinks } from '../http/signedLinks.mts';
import { lockForOne, openDatabase, openSharedDatabase } from '../store/database.mts';
import { EnginePool } from '../engine/pool/enginePool.mts';
import { FileStore } from '../store/fileStore.mts';
import { FolderAge } from '../store/folderAge.mts';
import { announceFront, type Front } from '../store/front.mts';
import { InProcessQueue } from '../queue/inProcessQueue.mts';
import { EditStore } from '../store/editStore.mts';
import { createOutboundClient } from '../outbound/httpClient.mts';
import { OutboundRules } from '../outbound/addressRules.mts';
import { RedisQueue } from '../queue/redisQueue.mts';
import { keepSweeping } from '../work/retention.mts';
import type { Workbench } from '../work/workbench.mts';
import { Slots } from '../work/turn.mts';
import { UploadStore } from '../store/uploadStore.mts';
import type { Log } from '../shared/log.mts';
import { findFfmpeg } from '../media/ffmpeg.mts';
import { openRedisWorkerOptions } from '../queue/redisWorkerOptions.mts';
import { readOrMakeSecrets } from '../store/secrets.mts';
import { readTemplates } from '../shared/templates.mts';
import { chooseTextTools } from '../text/textTools.mts';
import type { TextTools } from '../text/textStage.mts';
import { type Settings, isLoopback } from '../shared/settings.mts';
import { WrongUsage } from '../shared/settings.mts';

const DAY_MS = 86_400_000;

/** A service that listens. */
export interface LocalService {
	/** The public URL, without a slash at the end. */
	url: string;
	/** The accepted keys; the generated one when none was given. */
	apiKeys: [string, ...string[]];
	/** What texts are made with, and where mail goes; for the greeting. */
	texts: TextTools;
	mailer: Mailer;
	/** Stops taking requests and working; interrupted edits are taken up at the next start. */
	close(): Promise<void>;
}

/**
 * Opens a storage folder with everything the work on its edits needs.
 * @param frontOf describes the process that answers requests; called when it is needed.
 */
export async function openWorkbench(
	settings: Settings,
	log: Log,
	frontOf: () => Front = () => ownFront(settings, null),
) {
	const files = new FileStore(settings.storageFolder);
	const { databasePath } = files;
	const isShared = settings.queue !== undefined;
	const database = isShared ? await openSharedDatabase(databasePath) : openDatabase(databasePath);
	const store = new EditStore(database);
	const uploads = new UploadStore(database);
	if (!settings.worker) await files.emptyIncoming();
	await files.prepare();
	const folderAge = new FolderAge(database);
	const clock = createServiceClock(settings.clockSpeed, folderAge.read());
	const links = new SignedLinks(readOrMakeSecrets(settings.storageFolder).linkSecret, clock);
	const linkOf: LinkMaker = (jobId, fileName) => {
		const { url, retentionDays } = frontOf();
		return downloadLink(links, url, { jobId, fileName }, retentionDays * DAY_MS);
	};
	const outbound = new OutboundRules(() => frontOf().allowPrivateSources);
	const workbench: Workbench = {
		files,
		store,
		uploads,
		log,
		clock,
		folderAge,
		texts: chooseTextTools(settings.text),
		mailer: createMailer(settings.mail, files.outboxFolder, linkOf),
		client: createOutboundClient(outbound),
		// A pool of none cannot be; its threads begin when there is something to do.
		engine: new EnginePool(Math.max(1, settings.concurrency)),
		slots: new Slots(Math.max(1, settings.concurrency)),
		longestSourceSeconds: settings.longestSourceHours * 3_600,
		sizeLimitBytes: settings.sourceSizeLimitBytes,
		quotaBytes: settings.quotaBytes,
		timeoutSeconds: settings.sourceTimeoutSeconds,
		minimumStateMs: settings.minimumStateSeconds * 1000,
	};
	return { workbench, links, database };
}

/** What this process is when it answers requests. */
function ownFront(settings: Settings, address: AddressInfo | string | null): Front {
	const [url] = baseUrlsOf(settings, address);
	const { allowPrivateSources, retentionDays } = settings;
	return { url, allowPrivateSources, retentionDays };
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

/**
 * The ffmpeg that npm brings is of 2018 and has known holes: strangers must not hand it their files.
 * @throws WrongUsage when it is the one in use and others than this machine reach the service.
 */
function refuseOldFfmpegFor(host: string): void {
	if (findFfmpeg().source !== 'npm' || isLoopback(host)) return;
	throw new WrongUsage(
		`--host ${host} needs an ffmpeg of today: the one that npm brings is of 2018, has known ` +
			'security holes, and would open the files of strangers. Install ffmpeg (apt-get install ' +
			'ffmpeg), or listen on 127.0.0.1',
	);
}

/** Starts the service. @throws Error when the storage is in use or the port is taken. */
export async function startLocalService(settings: Settings, log: Log): Promise<LocalService> {
	refuseOldFfmpegFor(settings.host);
	const secrets = readOrMakeSecrets(settings.storageFolder);
	const { frontLockPath } = new FileStore(settings.storageFolder);
	// One of those who share a folder answers requests, deletes what is old and takes uploads.
	const lock = settings.queue === undefined ? undefined : lockForOne(frontLockPath);
	const generated = { key: secrets.apiKey, plan: 'standard' } as const;
	const [firstKey = generated, ...otherKeys] = settings.apiKeys;
	let front = ownFront(settings, null);
	const { workbench, links, database } = await openWorkbench(settings, log, () => front);
	const { concurrency } = settings;
	const queue =
		settings.queue === undefined
			? new InProcessQueue(workbench)
			: await RedisQueue.open(
					await openRedisWorkerOptions({
						settings: settings.queue,
						workbench,
						database,
						secrets,
						concurrency,
					}),
				);
	const context: ServiceContext = {
		settings,
		accounts: new Accounts([firstKey, ...otherKeys]),
		templates: readTemplates(settings.templates),
		links,
		workbench,
		queue,
		baseUrls: baseUrlsOf(settings, null),
	};
	const app = await createApp(context);
	await app.listen({ host: settings.host, port: settings.port });
	context.baseUrls = baseUrlsOf(settings, app.server.address());
	front = ownFront(settings, app.server.address());
	if (settings.queue !== undefined) announceFront(database, front);

	queue.resume();
	const closing = new AbortController();
	const sweeping = keepSweeping(workbench, settings.retentionDays * DAY_MS, closing.signal);
	return {
		url: context.baseUrls[0],
		apiKeys: [firstKey.key, ...otherKeys.map(({ key }) => key)],
		texts: workbench.texts,
		mailer: workbench.mailer,
		close: async () => {
			closing.abort();
			await app.close();
			await Promise.all([queue.close(), sweeping]);
			await workbench.engine.close();
			workbench.folderAge.keep(workbench.clock.moment().ageMs);
			database.close();
			lock?.close();
		},
	};
}
