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
import { outboundTrouble } from './httpClient.mts';
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

/**
 * Puts one of an edit's sources on disk and returns its path.
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
): Promise<string> {
	const path = tools.scratch.sourcePath(edit.id, track, source.name);
	if (source.kind === 'upload') await copyUpload(edit, source.uploadId, path, tools, signal);
	else await download({ url: source.url, path, arrival }, tools, signal);
	return path;
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

/** Streams a URL to disk, within the limits of size, quota and time. */
async function download(
	{ url, path, arrival }: { url: string; path: string; arrival: Arrival },
	{ quota, client, timeoutSeconds }: FetchTools,
	signal: AbortSignal,
) {
	const what = `Fetching ${urlWithoutSecrets(url)}`;
	const timeLimit = AbortSignal.timeout(timeoutSeconds * 1000);
	const stop = AbortSignal.any([signal, timeLimit]);
	const limit = new SizeLimit(quota.sizeAllowance, (bytes) => quota.grow(arrival, bytes));
	try {
		const response: AxiosResponse<unknown> = await client.get(url, {
			responseType: 'stream',
			signal: stop,
			headers: { Accept: '*/*', 'Accept-Encoding': 'identity' },
			// Only this is the whole file: a 206 that nobody asked for is a part of it.
			validateStatus: (status) => status === 200,
		});
		await writeBody(response, path, limit, stop);
	} catch (error) {
		await rm(path, { force: true });
		quota.shrink(arrival, limit.receivedBytes);
		signal.throwIfAborted();
		// A trouble of the database must not look like one of the transfer.
		if (error instanceof DatabaseTrouble) throw error;
		if (error instanceof TooLarge) throw new EditFailure(`${what}: ${error.message}`);
		if (timeLimit.aborted) throw new EditFailure(`${what}: took longer than ${timeoutSeconds} s`);
		throw outboundTrouble(error, what);
	}
}

/** Writes a response's body to disk and checks that it is complete. */
async function writeBody(
	{ data, headers }: AxiosResponse<unknown>,
	path: string,
	limit: SizeLimit,
	stop: AbortSignal,
) {
	if (!(data instanceof Readable)) throw new TransientTrouble('The response has no body');
	await pipeline(data, limit, createWriteStream(path), { signal: stop });
	const announcedBytes = Number(headers['content-length'] ?? limit.receivedBytes);
	if (announcedBytes !== limit.receivedBytes) {
		throw new TransientTrouble(`only ${limit.receivedBytes} of ${announcedBytes} bytes arrived`);
	}
}
