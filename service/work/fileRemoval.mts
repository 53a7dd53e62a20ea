import { setTimeout as wait } from 'node:timers/promises';

import { messageOf } from '../shared/failures.mts';
import type { StorageTools } from './editTools.mts';

type Tools = Pick<StorageTools, 'files' | 'scratch' | 'log'>;

/** Real milliseconds that a client waits for a removal. */
const PATIENCE_MS = 10_000;

/** Attempts a removal and logs a failure or a delay: the next sweep removes files that no row names. */
async function attempt(what: string, remove: () => Promise<void>, { log }: Tools): Promise<void> {
	const over = new AbortController();
	const tooLong = async () => {
		await wait(PATIENCE_MS, undefined, { signal: over.signal });
		throw new Error(`not finished after ${PATIENCE_MS / 1_000} s`);
	};
	try {
		await Promise.race([remove(), tooLong()]);
	} catch (error) {
		log(`${what}: cannot remove its files now; the next sweep tries again (${messageOf(error)})`);
	} finally {
		over.abort();
	}
}

/** Runs a removal for which the database needs room that the disk does not have. */
export async function onFullDisk(
	{ scratch, uploads, log }: Pick<StorageTools, 'scratch' | 'uploads' | 'log'>,
	remove: () => Promise<void>,
): Promise<void> {
	log('the disk is full: files are removed before their rows');
	await scratch.reserve.spend(async () => {
		await remove();
		await uploads.shrink().catch((trouble: unknown) => {
			log(`the database keeps its log on the full disk (${messageOf(trouble)})`);
		});
	});
}

/** Removes all files of an edit whose row is gone, and its e-mail, but not its uploads. Never throws. */
export async function removeEditFiles(id: string, tools: Tools): Promise<void> {
	const remove = async () => {
		await tools.scratch.removeMail(id);
		await tools.files.removeEdit(id);
	};
	await attempt(`edit ${id}`, remove, tools);
}

/** Removes the file of an upload whose row is gone. Never throws. */
export async function removeUploadFiles(id: string, tools: Tools): Promise<void> {
	await attempt(`upload ${id}`, () => tools.files.removeUpload(id), tools);
}
