import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';

import { bytesOf } from '../../../media/ffmpeg/program.mts';
import { codeOf, isDiskFull, messageOf } from '../../../shared/failures.mts';
import { sizeOf } from './sizeOf.mts';
import { fileNameOf, type ModelName, sha1Of } from './publishedModels.mts';

/** Tries in a row that bring nothing, before giving up. */
const MAX_TRIES = 5;

/** The largest model has half of it. */
const MAX_BYTES = 3_221_225_472;

/** A server that sends nothing for longer has lost the connection. */
const STALL_MS = 60_000;

/** A model on disk. */
interface FetchedModel {
	path: string;
	/** Whether it has the published checksum; a file that was there may be another one. */
	isPublished: boolean;
}

/** How to fetch a model. */
interface Fetching {
	/** Without a trailing slash. */
	address: string;
	/** The checksum to expect; default: the published one. */
	sha1?: string;
	/** Before the second try in a row that brings nothing; then twice as long, and so on. */
	pauseMs?: number;
	onProgress: (share: number, totalBytes: number) => void;
}

/**
 * Fetches a model into a folder, unless a file of its name is there. What arrived is kept, so that the next call
 * continues there.
 *
 * @throws Error that says why it cannot be fetched, and what to do.
 */
export async function fetchModel(
	name: ModelName,
	folder: string,
	fetching: Fetching,
): Promise<FetchedModel> {
	const path = join(folder, fileNameOf(name));
	const { sha1 = sha1Of(name) } = fetching;
	if ((await sizeOf(path)) > 0) return { path, isPublished: (await sha1OfFile(path)) === sha1 };
	await mkdir(folder, { recursive: true });
	const lock = `${path}.lock`;
	await mkdir(lock).catch((error: unknown) => {
		if (codeOf(error) !== 'EEXIST') throw error;
		throw new Error(`Another download of this model is running. If none is, delete ${lock}`);
	});
	try {
		await fetchAll(`${fetching.address}/${fileNameOf(name)}`, path, sha1, fetching);
	} finally {
		await rmdir(lock);
	}
	return { path, isPublished: true };
}

async function fetchAll(
	url: string,
	path: string,
	sha1: string,
	{ pauseMs = 1_000, onProgress }: Fetching,
): Promise<void> {
	const partPath = `${path}.part`;
	for (let tries = 1; ; tries++) {
		const had = await sizeOf(partPath);
		try {
			await fetchRest(url, partPath, had, onProgress);
			break;
		} catch (error) {
			if (isDiskFull(error))
				throw new Error(`The disk is full: free some space, and run this again`);
			if ((await sizeOf(partPath)) > had) tries = 0;
			if (error instanceof Refusal || tries === MAX_TRIES) {
				// What `fetch` throws says "fetch failed"; its cause says why.
				const cause = error instanceof TypeError ? (error.cause ?? error) : error;
				throw new Error(`${url}: ${messageOf(cause)}. ${otherWay(path)}`);
			}
			await wait(tries === 0 ? 0 : pauseMs * 2 ** (tries - 1));
		}
	}
	if ((await sha1OfFile(partPath)) !== sha1) {
		await rm(partPath);
		throw new Error(`${url} does not have the published checksum, so it was deleted; try again`);
	}
	await rename(partPath, path);
}

/** What to do where the network, or the address, does not let a model through. */
function otherWay(path: string): string {
	return (
		`Run this again to continue. If this network does not let it through, download ${basename(path)} from there ` +
		`elsewhere, put it into ${dirname(path)}, and run this again, which checks it`
	);
}

/** An answer that another try would not change. */
class Refusal extends Error {
	override readonly name = 'Refusal';
}

/** Appends to a file what it lacks. @throws Error when another try may help, or else Refusal. */
async function fetchRest(
	url: string,
	path: string,
	had: number,
	onProgress: Fetching['onProgress'],
): Promise<void> {
	const stalled = new AbortController();
	const timer = setTimeout(() => {
		stalled.abort(new Error(`no answer for ${STALL_MS / 1_000} s`));
	}, STALL_MS);
	try {
		const headers = had > 0 ? { range: `bytes=${had}-` } : undefined;
		const answer = await fetch(url, { headers, signal: stalled.signal });
		const start = startOf(answer, had);
		// What is there is whole already, or longer than the file: the checksum says which.
		if (start === undefined || answer.body === null) return;
		const total = start + Number(answer.headers.get('content-length'));
		let bytes = start;
		await using file = await open(path, start > 0 ? 'a' : 'w');
		// One after the other, so that what arrived before the connection broke is in the file.
		for await (const chunk of bytesOf(answer.body)) {
			timer.refresh();
			await file.writeFile(chunk);
			bytes += chunk.length;
			if (bytes > MAX_BYTES) throw new Refusal('sent more data than any model contains');
			if (total > 0) onProgress(Math.min(1, bytes / total), total);
		}
		if (bytes < total) throw new Error('the connection was lost');
	} finally {
		clearTimeout(timer);
	}
}

/** Returns where an answer begins in the file; undefined if there is nothing after what was had. */
function startOf({ status, headers }: Response, had: number): number | undefined {
	if (status === 416 && had > 0) return undefined;
	if (status === 200) return 0;
	if (status === 206 && headers.get('content-range')?.startsWith(`bytes ${had}-`)) return had;
	const answered = `answered ${status}`;
	if (status === 429 || status >= 500) throw new Error(answered);
	throw new Refusal(answered);
}

async function sha1OfFile(path: string): Promise<string> {
	const hash = createHash('sha1');
	await pipeline(createReadStream(path), hash);
	return hash.digest('hex');
}
