import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';

import type { AxiosInstance, AxiosResponse } from 'axios';

import { urlWithoutSecrets } from '../shared/log.mts';
import { SizeLimit, TooLarge } from '../shared/sizeLimit.mts';
import { EditFailure, TransientTrouble } from '../shared/failures.mts';
import type { ServiceClock } from '../shared/clock.mts';
import { DatabaseTrouble } from '../store/database.mts';
import type { FileStore } from '../store/files/fileStore.mts';
import type { Scratch } from '../store/files/scratch.mts';
import type { StoredEdit, EditSource } from '../store/edit.mts';
import { isWebPage, nameInDisposition } from './answeredFile.mts';
import { isDamagedCoding, unpackersOf } from './contentCoding.mts';
import { LINK_IS_LOCKED, outboundTrouble } from './httpClient.mts';
import type { Arrival, Quota } from '../store/quota.mts';
import type { UploadStore } from '../store/uploadStore.mts';

/** What `fetchSource` needs. */
export interface FetchTools {
	quota: Quota;
	uploads: UploadStore;
	files: FileStore;
	scratch: Scratch;
	clock: ServiceClock;
	client: AxiosInstance;
	/** Real seconds. */
	timeoutSeconds: number;
}

/** A source on disk. */
export interface FetchedSource {
	readonly path: string;
	/** The name of the recording: its host's, if the host names it. */
	readonly name: string;
}

/** Feeds with prefixes that count downloads have seven to twelve. Each is checked (`createOutboundClient`). */
const MAX_REDIRECTS = 20;

/**
 * Puts one of an edit's sources on disk.
 *
 * @param track index of the source, from 0.
 * @throws EditFailure when it cannot be fetched, TransientTrouble when a retry may succeed.
 */
export async function fetchSource(
	edit: StoredEdit,
	source: EditSource,
	track: number,
	tools: FetchTools,
	{ arrival, signal }: { arrival: Arrival; signal: AbortSignal },
): Promise<FetchedSource> {
	const { name } = source;
	const path = tools.scratch.sourcePath(edit.id, track, name);
	if (source.kind === 'url') {
		const named = await download({ url: source.url, path, arrival }, tools, signal);
		return { path, name: named ?? name };
	}
	await copyUpload(edit, source.uploadId, path, tools, signal);
	return { path, name };
}

/** Takes an upload of the same key (api.md#authentication). The error does not reveal other keys' uploads. */
async function copyUpload(
	edit: StoredEdit,
	uploadId: string,
	path: string,
	tools: FetchTools,
	signal: AbortSignal,
) {
	const upload = await tools.uploads.find(uploadId);
	const missing = new EditFailure('There is no such uploaded file for this API key');
	if (upload?.ownerId !== edit.ownerId) throw missing;
	// A known upload already counts against the quota.
	const isCounted = upload.storedAtMs !== null;
	const allowance = isCounted
		? tools.quota.sizeAllowance
		: await tools.quota.allowance(edit.ownerId);
	let bytes: number | undefined;
	try {
		bytes = await tools.files.copyUpload(upload, path, { allowance, signal });
	} catch (error) {
		throw error instanceof TooLarge ? new EditFailure(error.message) : error;
	}
	if (bytes === undefined) throw missing;
	// Object storage does not report when a file arrives or is replaced.
	if (isCounted && tools.files.isOnThisDisk) return;
	await tools.uploads.markStored(uploadId, bytes, tools.clock.moment());
}

/** Streams a URL to disk, within the limits of size, quota and time. Returns the name that the host gives it. */
async function download(
	{ url, path, arrival }: { url: string; path: string; arrival: Arrival },
	{ quota, client, timeoutSeconds }: FetchTools,
	signal: AbortSignal,
): Promise<string | undefined> {
	const what = `Fetching ${urlWithoutSecrets(url)}`;
	const timeLimit = AbortSignal.timeout(timeoutSeconds * 1000);
	const stop = AbortSignal.any([signal, timeLimit]);
	const limit = new SizeLimit(quota.sizeAllowance, (bytes) => quota.grow(arrival, bytes));
	try {
		const response: AxiosResponse<unknown> = await client.get(url, {
			responseType: 'stream',
			maxRedirects: MAX_REDIRECTS,
			signal: stop,
			headers: { Accept: '*/*', 'Accept-Encoding': 'identity' },
			// Only this is the whole file: a 206 that nobody asked for is a part of it.
			validateStatus: (status) => status === 200,
		});
		await writeBody(response, path, limit, stop);
		if (await isWebPage(path)) {
			const said = 'the server sent a web page instead of the file';
			throw new EditFailure(`${what}: ${said}: ${LINK_IS_LOCKED}`);
		}
		return nameInDisposition(response.headers['content-disposition']);
	} catch (error) {
		await rm(path, { force: true });
		quota.shrink(arrival, limit.receivedBytes);
		signal.throwIfAborted();
		// A trouble of the database must not look like one of the transfer.
		if (error instanceof DatabaseTrouble) throw error;
		if (error instanceof TooLarge) throw new EditFailure(`${what}: ${error.message}`);
		if (timeLimit.aborted) throw new EditFailure(`${what}: took longer than ${timeoutSeconds} s`);
		if (isDamagedCoding(error)) {
			throw new EditFailure(`${what}: its 'Content-Encoding' is not that of its content`);
		}
		throw outboundTrouble(error, what);
	}
}

/** Writes a response's body to disk, unpacked, and checks that it is complete. */
async function writeBody(
	{ data, headers }: AxiosResponse<unknown>,
	path: string,
	limit: SizeLimit,
	stop: AbortSignal,
) {
	if (!(data instanceof Readable)) throw new TransientTrouble('The response has no body');
	// Unpacked, a file is only larger.
	const arrived = new SizeLimit(limit.allowance);
	const unpackers = unpackersOf(headers['content-encoding']);
	await pipeline([data, arrived, ...unpackers, limit, createWriteStream(path)], { signal: stop });
	const announcedBytes = Number(headers['content-length'] ?? arrived.receivedBytes);
	if (announcedBytes !== arrived.receivedBytes) {
		throw new TransientTrouble(`only ${arrived.receivedBytes} of ${announcedBytes} bytes arrived`);
	}
}
