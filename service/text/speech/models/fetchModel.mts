import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { isDiskFull, messageOf } from '../../../shared/failures.mts';
import { fileNameOf, type ModelName, sha1Of } from './publishedModels.mts';

/** Requests for the rest of a file before giving up. */
const MOST_TRIES = 5;

/** The largest model has half of it. */
const MOST_BYTES = 3_221_225_472;

/** How to fetch a model. */
interface Fetching {
	/** Without a trailing slash. */
	address: string;
	/** The checksum to expect; default: the published one. */
	sha1?: string;
	onProgress: (share: number, totalBytes: number) => void;
}

/**
 * Fetches a model into a folder, unless it is there, and returns its path. What arrived is kept, so that
 * the next call goes on there.
 *
 * @throws Error that says why it cannot be fetched, and what to do.
 */
export async function fetchModel(
	name: ModelName,
	folder: string,
	{ address, sha1 = sha1Of(name), onProgress }: Fetching,
): Promise<string> {
	const path = join(folder, fileNameOf(name));
	if (await exists(path)) return path;
	await mkdir(folder, { recursive: true });
	const url = `${address}/${fileNameOf(name)}`;
	const partPath = `${path}.part`;
	for (let tries = 1; ; tries++) {
		try {
			await fetchRest(url, partPath, onProgress);
			break;
		} catch (error) {
			if (isDiskFull(error)) {
				throw new Error(`${folder} has no space left; make some, and run this again to go on`);
			}
			if (error instanceof Refusal || tries === MOST_TRIES) {
				// What `fetch` throws says "fetch failed"; its cause says why.
				const cause = error instanceof TypeError ? (error.cause ?? error) : error;
				throw new Error(`${url}: ${messageOf(cause)}; run this again to go on`);
			}
		}
	}
	if ((await sha1OfFile(partPath)) !== sha1) {
		await rm(partPath);
		throw new Error(`${url} does not have the published checksum, so it was deleted; try again`);
	}
	await rename(partPath, path);
	return path;
}

/** An answer that another try would not change. */
class Refusal extends Error {
	override readonly name = 'Refusal';
}

/** Appends to a file what it lacks. @throws Error when the connection breaks, Refusal for another answer. */
async function fetchRest(
	url: string,
	path: string,
	onProgress: Fetching['onProgress'],
): Promise<void> {
	const had = (await exists(path)) ? (await stat(path)).size : 0;
	const answer = await fetch(url, had > 0 ? { headers: { range: `bytes=${had}-` } } : {});
	// What is there is whole already, or longer than the file: the checksum says which.
	if (answer.status === 416) return;
	if (!answer.ok || answer.body === null) throw new Refusal(`answered ${answer.status}`);
	const start = answer.status === 206 ? had : 0;
	const total = start + Number(answer.headers.get('content-length'));
	let bytes = start;
	const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
		for await (const chunk of chunks) {
			bytes += chunk.length;
			if (bytes > MOST_BYTES) throw new Refusal('sends more than any model has');
			if (total > 0) onProgress(Math.min(1, bytes / total), total);
			yield chunk;
		}
	};
	const output = createWriteStream(path, { flags: start > 0 ? 'a' : 'w' });
	await pipeline(answer.body, counted, output);
	if (bytes < total) throw new Error('the connection broke off');
}

async function sha1OfFile(path: string): Promise<string> {
	const hash = createHash('sha1');
	await pipeline(createReadStream(path), hash);
	return hash.digest('hex');
}

async function exists(path: string): Promise<boolean> {
	return await access(path).then(
		() => true,
		() => false,
	);
}
