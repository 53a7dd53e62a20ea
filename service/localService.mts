import { isIPv6, type AddressInfo } from 'node:net';

import { Accounts } from './accounts.mts';
import { createServiceClock } from './clock.mts';
import type { ServiceContext } from './context.mts';
import { createMailer, type LinkMaker, type Mailer } from './delivery/mail.mts';
import { createApp } from './http/app.mts';
import { downloadLink } from './http/downloadLinks.mts';
import { SignedLinks } from './http/signedLinks.mts';
import { lockForOne, openDatabase, openSharedDatabase } from './jobs/database.mts';
import { EnginePool } from './jobs/enginePool.mts';
import { StorageFiles } from './jobs/files.mts';
import { FolderAge } from './jobs/folderAge.mts';
import { announceFront, type Front } from './jobs/front.mts';
import { InProcessQueue } from './jobs/inProcessQueue.mts';
import { JobStore } from './jobs/jobStore.mts';
import { createOutboundClient } from './jobs/outboundClient.mts';
import { OutboundRules } from './jobs/outboundRules.mts';
import { RedisQueue } from './jobs/redisQueue.mts';
import { keepSweeping } from './jobs/retention.mts';
import type { JobRoom } from './jobs/run.mts';
import { Slots } from './jobs/turn.mts';
import { UploadStore } from './jobs/uploadStore.mts';
import type { Log } from './log.mts';
import { findFfmpeg } from './media/ffmpeg.mts';
import { openRedisRoom } from './redisRoom.mts';
import { readOrMakeSecrets } from './secrets.mts';
import { isLoopback, WrongUsage, type Settings } from './settings.mts';
import { readTemplates } from './templates.mts';
import { openTextRoom } from './text/textRoom.mts';
import type { TextRoom } from './text/textStage.mts';

const DAY_MS = 86_400_000;

/** A service that listens. */
export interface LocalService {
	/** The public URL, without a slash at the end. */
	url: string;
	/** The accepted keys; the generated one when none was given. */
	apiKeys: [string, ...string[]];
	/** What texts are made with, and where mail goes; for the greeting. */
	texts: TextRoom;
	mailer: Mailer;
	/** Stops taking requests and working; interrupted edits are taken up at the next start. */
	close(): Promise<void>;
}

/**
 * Puts the job room together on the storage folder.
 * @param frontOf what answers requests; asked for when it is needed.
 */
export async function openJobRoom(
	settings: Settings,
	log: Log,
	frontOf: () => Front = () => ownFront(settings, null),
) {
	const files = new StorageFiles(settings.storageFolder);
	const { databasePath } = files;
	const isShared = settings.queue !== undefined;
	const database = isShared ? await openSharedDatabase(databasePath) : openDatabase(databasePath);
	const store = new JobStore(database);
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
	const room: JobRoom = {
		files,
		store,
		uploads,
		log,
		clock,
		folderAge,
		texts: openTextRoom(settings.text),
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
	return { room, links, database };
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
	const { frontLockPath } = new StorageFiles(settings.storageFolder);
	// One of those who share a folder answers requests, deletes what is old and takes uploads.
	const lock = settings.queue === undefined ? undefined : lockForOne(frontLockPath);
	const generated = { key: secrets.apiKey, plan: 'standard' } as const;
	const [firstKey = generated, ...otherKeys] = settings.apiKeys;
	let front = ownFront(settings, null);
	const { room, links, database } = await openJobRoom(settings, log, () => front);
	const { concurrency } = settings;
	const queue =
		settings.queue === undefined
			? new InProcessQueue(room)
			: await RedisQueue.open(
					await openRedisRoom({ settings: settings.queue, room, database, secrets, concurrency }),
				);
	const context: ServiceContext = {
		settings,
		accounts: new Accounts([firstKey, ...otherKeys]),
		templates: readTemplates(settings.templatesFile),
		links,
		room,
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
	const sweeping = keepSweeping(room, settings.retentionDays * DAY_MS, closing.signal);
	return {
		url: context.baseUrls[0],
		apiKeys: [firstKey.key, ...otherKeys.map(({ key }) => key)],
		texts: room.texts,
		mailer: room.mailer,
		close: async () => {
			closing.abort();
			await app.close();
			await Promise.all([queue.close(), sweeping]);
			await room.engine.close();
			room.folderAge.keep(room.clock.moment().ageMs);
			database.close();
			lock?.close();
		},
	};
}
