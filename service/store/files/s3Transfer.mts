import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';

import { mediaTypeOf } from '../../shared/mediaTypes.mts';
import { SizeLimit, TooLarge } from '../../shared/sizeLimit.mts';
import type { CopyLimits } from './fileStore.mts';
import { isMissingObject, limited, s3Trouble } from './s3Client.mts';

/** An object and the client that reaches it. */
export interface S3Object {
	client: S3Client;
	bucket: string;
	key: string;
}

const MEBIBYTE = 1_048_576;

/** S3 accepts at most 10,000 parts; the difference leaves room for a file that grows. */
const MAX_PARTS = 9_000;

/** Parts transferred in parallel. Together with the parts read ahead, they bound the memory used. */
const PARTS_AT_ONCE = 2;

/** The words and outlines of a long recording with many tracks are the longest texts. */
const MAX_TEXT_BYTES = 134_217_728;

/** Real milliseconds for a download, and bytes a second that come at least: the slowest line still in use. */
const MIN_DOWNLOAD_MS = 600_000;
const MIN_BYTES_PER_SECOND = 100_000;

/** Returns the size of an upload's parts: 8 MiB, more from 70 GiB on. */
export function partBytesFor(fileBytes: number): number {
	return Math.max(8 * MEBIBYTE, Math.ceil(fileBytes / MAX_PARTS));
}

/**
 * Uploads a file, in parts if it is large. The SDK retries each part.
 * @throws TransientTrouble; the signal's reason when aborted.
 */
export async function upload(
	{ client, bucket, key }: S3Object,
	path: string,
	signal?: AbortSignal,
): Promise<void> {
	const { size } = await stat(path);
	signal?.throwIfAborted();
	// The SDK reports its errors, unless it has not begun to read or has ended.
	const body = createReadStream(path, { highWaterMark: MEBIBYTE }).on('error', () => undefined);
	const upload = new Upload({
		client,
		params: { Bucket: bucket, Key: key, Body: body, ContentType: mediaTypeOf(path) },
		partSize: partBytesFor(size),
		queueSize: PARTS_AT_ONCE,
	});
	const stop = () => void upload.abort();
	signal?.addEventListener('abort', stop, { once: true });
	try {
		await upload.done();
	} catch (error) {
		signal?.throwIfAborted();
		throw s3Trouble(error, 'Storing a file');
	} finally {
		signal?.removeEventListener('abort', stop);
		body.destroy();
	}
}

/**
 * Downloads an object to a path and returns its size in bytes; undefined if it does not exist.
 * @throws TooLarge before the transfer begins; TransientTrouble; the signal's reason when aborted.
 */
export async function download(
	{ client, bucket, key }: S3Object,
	path: string,
	{ allowance, signal }: CopyLimits,
): Promise<number | undefined> {
	try {
		const get = new GetObjectCommand({ Bucket: bucket, Key: key });
		const { Body: body, ContentLength: bytes } = await client.send(get, { abortSignal: signal });
		if (!(body instanceof Readable) || bytes === undefined) throw new Error('No body');
		if (bytes > allowance.bytes) {
			body.on('error', () => undefined).destroy();
			throw new TooLarge(allowance.refusal);
		}
		// Fails if fewer bytes arrive than announced, because Node then aborts the response.
		const maxMs = MIN_DOWNLOAD_MS + Math.ceil((1_000 * bytes) / MIN_BYTES_PER_SECOND);
		const stop = AbortSignal.any([signal, AbortSignal.timeout(maxMs)]);
		await pipeline(body, new SizeLimit(allowance), createWriteStream(path), { signal: stop });
		return bytes;
	} catch (error) {
		signal.throwIfAborted();
		if (isMissingObject(error)) return undefined;
		throw error instanceof TooLarge ? error : s3Trouble(error, 'Fetching a stored file');
	}
}

/** Returns the text of an object; undefined if it does not exist. @throws TransientTrouble */
export async function readText({ client, bucket, key }: S3Object): Promise<string | undefined> {
	try {
		const get = new GetObjectCommand({ Bucket: bucket, Key: key });
		const { Body: body } = await client.send(get);
		if (!(body instanceof Readable)) throw new Error('No body');
		return await text(limited(body, MAX_TEXT_BYTES));
	} catch (error) {
		if (isMissingObject(error)) return undefined;
		throw s3Trouble(error, 'Reading a file');
	}
}
