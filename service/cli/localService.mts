import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { Accounts } from '../shared/accounts.mts';
import { messageOf } from '../shared/failures.mts';
import { createServiceClock } from '../shared/clock.mts';
import type { ServiceContext } from '../http/context.mts';
import { createMailer, type LinkMaker, type Mailer } from '../mail/mailer.mts';
import { createApp, type Patience } from '../http/app.mts';
import { baseUrlsOf, listen } from './listen.mts';
import { downloadLink } from '../http/downloadLinks.mts';
import { SignedLinks } from '../http/signedLinks.mts';
import { EnginePool } from '../engine/pool/enginePool.mts';
import type { Database } from '../store/database.mts';
import { openPostgres } from '../store/postgres.mts';
import { lockFront, openSharedSqlite, openSqlite } from '../store/sqlite.mts';
import { Quota } from '../store/quota.mts';
import { openFiles } from '../store/files/openFiles.mts';
import { Scratch } from '../store/files/scratch.mts';
import { Attempts } from '../store/attempts.mts';
import { FolderAge } from '../store/files/folderAge.mts';
import { objectStorageOf, type FileStore } from '../store/files/fileStore.mts';
import { announceFront, type Front } from '../store/front.mts';
import type { EditQueue } from '../queue/queue.mts';
import { InProcessQueue } from '../queue/inProcessQueue.mts';
import { EditStore } from '../store/editStore.mts';
import { ReviewStore } from '../store/reviewStore.mts';
import { createOutboundClient } from '../outbound/httpClient.mts';
import { OutboundRules } from '../outbound/addressRules.mts';
import { openSharedLimits } from '../http/protocol/rateLimits.mts';
import { RedisQueue } from '../queue/redisQueue.mts';
import { keepDoing, sweep, sweeping } from '../work/retention.mts';
import { endDueReviews, REVIEW_LOOK_MS } from '../work/reviewEnds.mts';
import type { ProcessTools } from '../work/editTools.mts';
import { Places } from '../work/places.mts';
import { UnknownFiles } from '../store/unknownFiles.mts';
import { UploadStore } from '../store/uploadStore.mts';
import type { Log } from '../shared/log.mts';
import { findFfmpeg } from '../media/ffmpeg/ffmpeg.mts';
import { openRedisWorkerOptions } from '../queue/redisWorkerOptions.mts';
import { readOrMakeSecrets, serviceNameOf, sharedSecrets } from '../store/secrets.mts';
import { readTemplates } from '../shared/templates.mts';
import { chooseTextTools } from '../text/textTools.mts';
import type { TextTools } from '../text/textStage.mts';
import { type Settings, WrongUsage, isLoopback } from '../shared/settings.mts';

const DAY_MS = 86_400_000;

/** Real milliseconds after which a file that did not grow is not arriving: its connection was closed long before. */
const MAX_QUIET_MS = 3_600_000;

/** A running service. */
export interface LocalService {
	/** The public URL, without a trailing slash. */
	url: string;
	/** The accepted keys; the generated one without `--api-key`. */
	apiKeys: [string, ...string[]];
	/** For the greeting: what writes texts, and where e-mails and files go. */
	texts: TextTools;
	mailer: Mailer;
	files: FileStore;
	/** Takes back the attempts of the running edits, because this process ends without their fault. */
	acquitEdits(): Promise<void>;
	/** Stops serving requests and running edits. The next start runs interrupted edits again. */
	close(): Promise<void>;
}

/**
 * Opens a storage folder with everything that running its edits needs.
 * @param frontOf describes the process that answers requests; called whenever that is needed.
 */
export async function openTools(
	settings: Settings,
	log: Log,
	frontOf: () => Front = () => ownFront(settings, null),
	{ createClock = createServiceClock, createEngine }: Replacements = {},
) {
	// Refuses a model that is none before anything is opened.
	const texts = await chooseTextTools(settings.text, log);
	const base = new Scratch(settings.storageFolder);
	const { database, secrets } = await openDatabase(settings, base, log);
	const store = new EditStore(database);
	const uploads = new UploadStore(database);
	const { scratch, files } = await openFiles(settings.storageFolder, settings.files, () =>
		database.nowMs(),
	);
	if (!settings.worker && settings.database === undefined) await scratch.emptyIncoming();
	else if (!settings.worker) emptyIncomingLater(scratch, log);
	if (settings.database === undefined && !settings.worker) await scratch.reserve.fill();
	const folderAge = new FolderAge(database);
	const ageMs = await folderAge.read();
	const clock = createClock(settings.clockSpeed, ageMs, () => database.nowMs());
	const links = new SignedLinks(secrets.linkSecret, clock);
	const linkOf: LinkMaker = async (run, fileName) => {
		const { url, retentionDays } = frontOf();
		const lifetimeMs = retentionDays * DAY_MS;
		return await downloadLink({ files, links, clock }, url, { ...run, fileName }, lifetimeMs);
	};
	const outbound = new OutboundRules(() => frontOf().allowPrivateSources);
	// A pool needs at least one thread; threads start on demand, so concurrency 0 starts none.
	const places = Math.max(1, settings.concurrency);
	const tools: ProcessTools = {
		files,
		scratch,
		store,
		reviews: new ReviewStore(database),
		uploads,
		log,
		clock,
		folderAge,
		unknownFiles: new UnknownFiles(database),
		attempts: new Attempts(database),
		serviceName: serviceNameOf(secrets),
		texts,
		mailer: createMailer(settings.mail, scratch, linkOf),
		client: createOutboundClient(outbound),
		engine: createEngine?.(places + 1) ?? new EnginePool(places + 1),
		places: new Places(places),
		editLimits: () => frontOf().editLimits,
		maxSourceSeconds: settings.maxSourceHours * 3_600,
		quota: new Quota(database, settings.sourceSizeLimitBytes, settings.quotaBytes),
		timeoutSeconds: settings.sourceTimeoutSeconds,
		minStateMs: settings.minStateSeconds * 1000,
	};
	const close = async () => {
		await tools.engine.close();
		files.close();
		await database.close();
	};
	return { tools, links, database, secrets, close };
}

/** Removes what earlier processes did not finish receiving, while others may be receiving files in the same folder. */
function emptyIncomingLater(scratch: Scratch, log: Log): void {
	const pause = () => wait(MAX_QUIET_MS, undefined, { ref: false });
	scratch.emptyIncoming(pause).catch((trouble: unknown) => {
		log(`cannot remove unfinished uploads: ${messageOf(trouble)}`);
	});
}

/** Opens the database that the settings name, and reads the secrets that belong to it. */
async function openDatabase(settings: Settings, { databasePath }: Scratch, log: Log) {
	if (settings.database !== undefined) {
		const database = await openPostgres(settings.database, log);
		return { database, secrets: await sharedSecrets(database) };
	}
	const secrets = readOrMakeSecrets(settings.storageFolder);
	const open = settings.queue === undefined ? openSqlite : openSharedSqlite;
	return { database: await open(databasePath), secrets };
}

/** Describes this process as the one that answers requests. */
function ownFront(settings: Settings, address: AddressInfo | string | null): Front {
	const [url] = baseUrlsOf(settings, address);
	const { allowPrivateSources, retentionDays, editLimits } = settings;
	return { url, allowPrivateSources, retentionDays, editLimits };
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

/**
 * Lets only this process, of those that share a folder with an SQLite database, answer requests,
 * receive uploads and sweep. Returns the lock, if one is needed.
 * @throws Error when another process holds it.
 */
function lockFolder({ queue, database, storageFolder }: Settings) {
	if (queue === undefined || database !== undefined) return undefined;
	mkdirSync(storageFolder, { recursive: true, mode: 0o700 });
	return lockFront(new Scratch(storageFolder).frontLockPath);
}

/** Opens the queue: in this process, or in Redis with `--queue`. */
async function openQueue(
	{ queue, concurrency }: Settings,
	tools: ProcessTools,
	database: Database,
): Promise<EditQueue> {
	if (queue === undefined) return new InProcessQueue(tools);
	const options = await openRedisWorkerOptions(queue, concurrency, tools, database);
	return await RedisQueue.open(options);
}

/** What tests pass in instead of the usual. */
export interface Replacements {
	patience?: Patience;
	createClock?: typeof createServiceClock;
	createEngine?: (threads: number) => EnginePool;
}

/**
 * Starts the service.
 * @throws Error when the storage folder or the port is in use.
 */
export async function startLocalService(
	settings: Settings,
	log: Log,
	replaced: Replacements = {},
): Promise<LocalService> {
	refuseOldFfmpegFor(settings.host);
	const lock = lockFolder(settings);
	let front = ownFront(settings, null);
	const opened = await openTools(settings, log, () => front, replaced);
	const { tools, links, database, secrets } = opened;
	const generated = { key: secrets.apiKey, plan: 'standard' } as const;
	const [firstKey = generated, ...otherKeys] = settings.apiKeys;
	const queue = await openQueue(settings, tools, database);
	const context: ServiceContext = {
		settings,
		sharedLimits: await openSharedLimits(settings, tools.serviceName),
		accounts: new Accounts([firstKey, ...otherKeys]),
		templates: readTemplates(settings.templates),
		links,
		tools,
		queue,
		baseUrls: baseUrlsOf(settings, null),
	};
	const app = await createApp(context, replaced.patience ?? {});
	await listen(app, settings);
	context.baseUrls = baseUrlsOf(settings, app.server.address());
	front = ownFront(settings, app.server.address());
	const objectStorage = objectStorageOf(tools.files);
	if (settings.queue !== undefined) await announceFront(database, { ...front, objectStorage });

	await queue.resume();
	const closing = new AbortController();
	const sweepOnce = () => database.ifFree(() => sweep(tools, settings.retentionDays * DAY_MS));
	const endReviews = () => endDueReviews(tools, queue.add.bind(queue));
	const chores = [
		sweeping(sweepOnce),
		{ what: 'reviews', everyMs: REVIEW_LOOK_MS, work: endReviews },
	];
	const doing = keepDoing(tools, chores, closing.signal);
	return {
		url: context.baseUrls[0],
		apiKeys: [firstKey.key, ...otherKeys.map(({ key }) => key)],
		texts: tools.texts,
		mailer: tools.mailer,
		files: tools.files,
		acquitEdits: () => tools.attempts.uncountAll(),
		close: async () => {
			closing.abort();
			await app.close();
			context.sharedLimits?.redis.disconnect();
			await Promise.all([queue.close(), doing]);
			await tools.folderAge.keep(tools.clock.moment().ageMs).catch((trouble: unknown) => {
				log(`cannot store the age of the storage: ${messageOf(trouble)}`);
			});
			await opened.close();
			lock?.close();
		},
	};
}
