import { isId } from '../shared/ids.mts';
import { isDiskFull, messageOf } from '../shared/failures.mts';
import { onFullDisk } from './fileRemoval.mts';
import type { StorageTools, SweepTools } from './editTools.mts';

/** Service milliseconds between two sweeps. */
const SWEEP_INTERVAL_MS = 3_600_000;

/**
 * Deletes what is older than the retention (api.md#retention): edits and their files, counted from the
 * edit's end; uploads, counted from their arrival or the end of their last edit. Also deletes files
 * without a row, which a process leaves when it is killed while deleting.
 *
 * Ages come from `FolderAge`, so changing the machine's clock deletes nothing.
 */
export async function sweep(tools: SweepTools, retentionMs: number): Promise<void> {
	const { store, uploads, files, folderAge } = tools;
	const { ageMs } = tools.clock.moment();
	const oldestAgeMs = Math.round(ageMs - retentionMs);
	try {
		await folderAge.keep(ageMs);
	} catch (trouble) {
		if (!isDiskFull(trouble)) throw trouble;
		await onFullDisk(tools, async () => {
			for (const id of await store.idsFinishedBefore(oldestAgeMs)) await files.removeEdit(id);
			for (const id of await uploads.idsUnusedSince(oldestAgeMs)) await files.removeUpload(id);
			await folderAge.keep(ageMs);
		});
	}
	// Uploads first: finding out when their last edit ended needs the edits' rows.
	const oldUploads = await uploads.removeUnusedSince(oldestAgeMs);
	const oldEdits = await store.idsFinishedBefore(oldestAgeMs);
	if (oldEdits.length > 0) await store.remove(oldEdits);
	if (oldEdits.length + oldUploads.length > 0) {
		tools.log(`retention: ${oldEdits.length} edits and ${oldUploads.length} uploads deleted`);
	}
	for (const id of oldEdits) await files.removeEdit(id);
	for (const id of oldUploads) await files.removeUpload(id);
	await sweepScratch(tools);
	if (!(await files.isOwnPlace(tools.serviceName))) {
		tools.log(
			`retention: ${files.name} belongs to another service, so unknown files stay there; give each service its own --files`,
		);
		return;
	}
	await removeUnknown(await files.editIds(), store, (id) => files.removeEdit(id));
	await removeUnknown(await files.uploadIds(), uploads, (id) => files.removeUpload(id));
}

/**
 * Removes what is on this disk only: e-mails of edits without a row, and scratch files of edits that
 * another machine has finished, which a process leaves when it is killed or loses its claim.
 */
export async function sweepScratch({ files, scratch, store }: StorageTools): Promise<void> {
	await removeUnknown(await scratch.mailIds(), store, (id) => scratch.removeMail(id));
	// Without object storage, the same folder holds results, which have their own retention.
	if (files.isOnThisDisk) return;
	const unfinished = { ids: async () => new Set(await store.unfinishedIds()) };
	await removeUnknown(await scratch.editIds(), unfinished, (id) => scratch.removeEdit(id));
}

/** Removes files without a row. Reads the rows last, because a row is written before its files. */
async function removeUnknown(
	ids: string[],
	rows: { ids(): Promise<Set<string>> },
	remove: (id: string) => Promise<void>,
): Promise<void> {
	if (ids.length === 0) return;
	const knownIds = await rows.ids();
	// Anything else is not of this service's making, such as another one in a nested prefix.
	for (const id of ids) if (isId(id) && !knownIds.has(id)) await remove(id);
}

/** Work that is repeated. */
export interface Chore {
	/** For the log. */
	what: string;
	/** In service milliseconds. */
	everyMs: number;
	work: () => Promise<void>;
}

/** Returns the chore of sweeping every hour of service time. */
export function sweeping(work: () => Promise<void>): Chore {
	return { what: 'retention', everyMs: SWEEP_INTERVAL_MS, work };
}

/** Does all chores now, and again when they are due, until the signal aborts. Never throws. */
export async function keepDoing(
	{ clock, log }: StorageTools,
	chores: readonly Chore[],
	signal: AbortSignal,
): Promise<void> {
	const pauseMs = Math.min(...chores.map(({ everyMs }) => everyMs));
	const doneAtMs = new Map<Chore, number>();
	while (!signal.aborted) {
		for (const chore of chores) {
			const { ageMs } = clock.moment();
			// A timer may fire a moment too early.
			if (ageMs - (doneAtMs.get(chore) ?? -Infinity) < chore.everyMs - pauseMs / 2) continue;
			doneAtMs.set(chore, ageMs);
			await chore.work().catch((error: unknown) => {
				log(`${chore.what}: ${messageOf(error)}`);
			});
		}
		// Rejects only on abort, which ends the loop.
		await clock.sleep(pauseMs, signal).catch(() => undefined);
	}
}
