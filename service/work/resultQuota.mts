import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { EditFailure } from '../shared/failures.mts';
import { TooLarge } from '../shared/sizeLimit.mts';
import { confirmClaim, type Run } from './claimedRun.mts';

/** Real milliseconds between looks at what the engine has written. */
const LOOK_MS = 1_000;

/**
 * Runs work that writes the result, and stops it when the result outgrows what is left of the key's quota. A
 * result that somebody approved replaces its draft, and no quota may destroy it.
 * @throws EditFailure that names the quota; any error of the work.
 */
export async function withinQuota<T>(
	run: Run,
	work: (signal: AbortSignal) => Promise<T>,
	lookMs = LOOK_MS,
): Promise<T> {
	const { edit, tools, arrival, signal } = run;
	const { quota } = tools;
	if (edit.review !== null) return await work(signal);
	if ((await quota.leftBytes(edit.ownerId)) === 0) {
		throw new EditFailure(quota.refusal('The result', 0));
	}
	const over = new AbortController();
	let seenBytes = 0;
	const look = async () => {
		const grownBytes = (await resultBytes(run)) - seenBytes;
		if (grownBytes <= 0) return;
		seenBytes += grownBytes;
		await quota.grow(arrival, grownBytes, 'The result');
	};
	const watch = setInterval(() => {
		look().catch((error: unknown) => {
			// A folder that cannot be read fails the work itself.
			if (error instanceof TooLarge) over.abort(new EditFailure(error.message));
		});
	}, lookMs);
	try {
		return await work(AbortSignal.any([signal, over.signal]));
	} finally {
		clearInterval(watch);
	}
}

/**
 * Counts the finished result against the key's quota, before anybody gets it.
 * @param fetchedBytes of the sources, which stay as long as a result in the storage folder.
 * @throws EditFailure that names the quota when it does not fit.
 */
export async function reserveResult(run: Run, fetchedBytes: number): Promise<void> {
	const { edit, tools, arrival, claim } = run;
	const { files, store, quota } = tools;
	// What a review keeps contains the sources.
	const isReviewed = edit.request.review !== null;
	const sourceBytes = files.isOnThisDisk && !isReviewed ? fetchedBytes : 0;
	const keptBytes = edit.review?.keptBytes ?? 0;
	const bytes = (await resultBytes(run)) + sourceBytes + keptBytes;
	const maxBytes = edit.review === null ? quota.bytes : Number.MAX_SAFE_INTEGER;
	if (await store.reserve(edit, bytes, maxBytes, claim.token)) {
		quota.shrink(arrival);
		return;
	}
	await confirmClaim(run);
	const left = await quota.leftBytes(edit.ownerId, edit.id);
	throw new EditFailure(quota.refusal(`The result (${bytes} bytes)`, left));
}

/** Returns the bytes that the engine has written, what a review needs included. */
async function resultBytes({ folders }: Run): Promise<number> {
	return (await bytesIn(folders.unfinishedResult)) + (await bytesIn(folders.unfinishedReview));
}

/** Returns the bytes of the files in a folder. */
export async function bytesIn(folder: string): Promise<number> {
	const names = await readdir(folder);
	const sizes = names.map(async (name) => (await stat(join(folder, name))).size);
	return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
