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

/** A running service. */
export interface LocalService {
	/** The public URL, without a trailing slash. */
	url: string;
	/** The accepted keys; the generated one without `--api-key`. */
	apiKeys: [string, ...string[]];
	/** For the greeting: what writes texts, and where e-mails go. */
	texts: TextTools;
	mailer: Mailer;
	/** Stops serving requests and running edits. The next start runs interrupted edits again. */
	close(): Promise<void>;
}

/**
 * Opens a storage folder with everything that running its edits needs.
 * @param frontOf describes the process that answers requests; called whenever that is needed.
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
	const linkOf: LinkMaker = (editId, fileName) => {
		const { url, retentionDays } = frontOf();
		return downloadLink(links, url, { editId, fileName }, retentionDays * DAY_MS);
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
		// A pool needs at least one thread; threads start on demand, so concurrency 0 starts none.
		engine: new EnginePool(Math.max(1, settings.concurrency)),
		slots: new Slots(Math.max(1, settings.concurrency)),
		editLimits: () => frontOf().editLimits,
		longestSourceSeconds: settings.longestSourceHours * 3_600,
		sizeLimitBytes: settings.sourceSizeLimitBytes,
		quotaBytes: settings.quotaBytes,
		timeoutSeconds: settings.sourceTimeoutSeconds,
		minimumStateMs: settings.minimumStateSeconds * 1000,
	};
	return { workbench, links, database };
}

/** Describes this process as the one that answers requests. */
function ownFront(settings: Settings, address: AddressInfo | string | null): Front {
	const [url] = baseUrlsOf(settings, address);
	const { allowPrivateSources, retentionDays, editLimits } = settings;
	return { url, allowPrivateSources, retentionDays, editLimits };
}

/** Returns the URLs of the service: the public one first, then the addresses it listens on. */
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
 * Refuses to serve other machines with the ffmpeg from npm: it dates from 2018 and has known security
 * holes, so strangers must not make it open their files.
 * @throws WrongUsage when that ffmpeg is in use and `host` is not a loopback address.
 */
function refuseOldFfmpegFor(host: string): void {
	if (findFfmpeg().source !== 'npm' || isLoopback(host)) return;
	throw new WrongUsage(
		`--host ${host} needs a current ffmpeg: the one from npm dates from 2018, has known security ` +
			"holes, and would open strangers' files. Install ffmpeg (apt-get install ffmpeg), or " +
			'listen on 127.0.0.1',
	);
}

/** Starts the service. @throws Error when the storage folder or the port is in use. */
export async function startLocalService(settings: Settings, log: Log): Promise<LocalService> {
	refuseOldFfmpegFor(settings.host);
	const secrets = readOrMakeSecrets(settings.storageFolder);
	const { frontLockPath } = new FileStore(settings.storageFolder);
	// Of the processes that share a folder, only one may answer requests, receive uploads and sweep.
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
