import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { EditFailure } from '../shared/failures.mts';
import { leftBytes, overQuota } from '../store/quota.mts';
import { confirmHold, type Run } from './workbench.mts';

/** Real milliseconds between looks at what the engine has written. */
const LOOK_MS = 1_000;

/**
 * Runs work that writes the result, and stops it when the result outgrows what is left of the key's quota.
 * @throws EditFailure that names the quota; any error of the work.
 */
export async function withinQuota<T>(
	run: Run,
	work: (signal: AbortSignal) => Promise<T>,
	lookMs = LOOK_MS,
): Promise<T> {
	const { edit, workbench, folders, signal } = run;
	const over = new AbortController();
	const left = await leftBytes(workbench, edit.ownerId);
	const refusal = new EditFailure(overQuota('The result', left, workbench.quotaBytes));
	if (left === 0) throw refusal;
	const watch = setInterval(() => {
		// A folder that cannot be read fails the work itself.
		void bytesIn(folders.unfinishedResult).then(
			(bytes) => {
				if (bytes > left) over.abort(refusal);
			},
			() => undefined,
		);
	}, lookMs);
	try {
		return await work(AbortSignal.any([signal, over.signal]));
	} finally {
		clearInterval(watch);
	}
}

/**
 * Counts the finished result against the key's quota, before anybody gets it.
 * @param fetchedPaths the sources that stay as long as the result.
 * @throws EditFailure that names the quota when it does not fit.
 */
export async function reserveResult(run: Run, fetchedPaths: readonly string[]): Promise<void> {
	const { edit, workbench, folders, hold } = run;
	const { files, store, quotaBytes } = workbench;
	const sources = files.remoteOrigin === undefined ? fetchedPaths : [];
	const bytes = (await bytesIn(folders.unfinishedResult)) + (await bytesOf(sources));
	if (await store.reserve(edit, bytes, quotaBytes, hold.token)) return;
	await confirmHold(run);
	const left = await leftBytes(workbench, edit.ownerId);
	throw new EditFailure(overQuota(`The result (${bytes} bytes)`, left, quotaBytes));
}

async function bytesIn(folder: string): Promise<number> {
	return await bytesOf((await readdir(folder)).map((name) => join(folder, name)));
}

async function bytesOf(paths: readonly string[]): Promise<number> {
	const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
	return sizes.reduce((sum, size) => sum + size, 0);
}
