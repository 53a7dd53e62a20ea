import { isId } from '../shared/ids.mts';
import { isDiskFull, messageOf } from '../shared/failures.mts';
import { onFullDisk } from './fileRemoval.mts';
import type { UnknownKind } from '../store/unknownFiles.mts';
import type { StorageTools, SweepTools } from './editTools.mts';

/** Service milliseconds between two sweeps. */
const SWEEP_INTERVAL_MS = 3_600_000;

/**
 * Deletes what is older than the retention (api.md#retention): edits and their files, counted from the
 * edit's end; uploads, counted from their arrival or the end of their last edit. Also deletes files
 * without a row, see `removeUnknown`.
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
	await removeOldUploads(tools, oldestAgeMs);
	await removeOldEdits(tools, oldestAgeMs);
	if (files.isOnThisDisk) await removeUnknown('mails', tools, oldestAgeMs);
	await sweepScratch(tools);
	if (!(await files.isOwnPlace(tools.serviceName))) {
		tools.log(
			`retention: ${files.name} belongs to another service, so unknown files stay there; give each service its own --files`,
		);
		return;
	}
	await removeUnknown('edits', tools, oldestAgeMs);
	await removeUnknown('uploads', tools, oldestAgeMs);
	const waiting = await tools.unknownFiles.count();
	if (waiting > 0) tools.log(`retention: ${unknownFilesText(waiting)}`);
}

/** Says what is known of files without a row, for the log and /health. */
export function unknownFilesText(count: number): string {
	return `${count} edits and uploads have files but no record, as after damage to the database; they stay for a whole retention`;
}

/** Removes the uploads first: finding out when their last edit ended needs the edits' rows. */
async function removeOldUploads({ uploads, files, log }: SweepTools, oldestAgeMs: number) {
	const due = await uploads.idsUnusedSince(oldestAgeMs);
	for (const id of due) await files.bury('uploads', id);
	const old = new Set(await uploads.removeUnusedSince(oldestAgeMs));
	// An edit may have begun to use one meanwhile.
	for (const id of due) if (!old.has(id)) await files.unbury('uploads', id);
	if (old.size > 0) log(`retention: ${old.size} uploads deleted`);
	for (const id of old) await files.removeUpload(id);
}

async function removeOldEdits(tools: SweepTools, oldestAgeMs: number): Promise<void> {
	const { store, files, scratch, log } = tools;
	const old = await store.idsFinishedBefore(oldestAgeMs);
	if (old.length === 0) return;
	for (const id of old) {
		await files.bury('edits', id);
		await scratch.removeMail(id);
	}
	await store.remove(old);
	log(`retention: ${old.length} edits deleted`);
	for (const id of old) await files.removeEdit(id);
}

/**
 * Removes what is on this disk only, and that another machine deleted or finished: e-mails of edits without a row,
 * and scratch files, which a process leaves when it is killed or loses its claim.
 */
export async function sweepScratch({ files, scratch, store }: StorageTools): Promise<void> {
	// Without object storage, the same folder holds results, which have their own retention.
	if (files.isOnThisDisk) return;
	await removeWithoutRow(await scratch.mailIds(), store, (id) => scratch.removeMail(id));
	const unfinished = { ids: async () => new Set(await store.unfinishedIds()) };
	await removeWithoutRow(await scratch.editIds(), unfinished, (id) => scratch.removeEdit(id));
}

/** Returns the ids without a row. Reads the rows last, because a row is written before its files. */
async function withoutRow(ids: string[], rows: { ids(): Promise<Set<string>> }) {
	if (ids.length === 0) return [];
	const known = await rows.ids();
	// Anything else is not of this service's making, such as another one in a nested prefix.
	return ids.filter((id) => isId(id) && !known.has(id));
}

async function removeWithoutRow(
	ids: string[],
	rows: { ids(): Promise<Set<string>> },
	remove: (id: string) => Promise<void>,
): Promise<void> {
	for (const id of await withoutRow(ids, rows)) await remove(id);
}

/**
 * Removes files without a row: at once those marked as deleted, whose process was killed meanwhile; others only a
 * whole retention after they were first seen, because a damaged database may have lost their rows.
 */
async function removeUnknown(kind: UnknownKind, tools: SweepTools, oldestAgeMs: number) {
	const { store, uploads, files, scratch, unknownFiles } = tools;
	const { ids, rows, remove } = {
		edits: {
			ids: () => files.editIds(),
			rows: store,
			remove: (id: string) => files.removeEdit(id),
		},
		uploads: {
			ids: () => files.uploadIds(),
			rows: uploads,
			remove: (id: string) => files.removeUpload(id),
		},
		mails: {
			ids: () => scratch.mailIds(),
			rows: store,
			remove: (id: string) => scratch.removeMail(id),
		},
	}[kind];
	const unknown = await withoutRow(await ids(), rows);
	const buried = await files.buriedAmong(kind === 'mails' ? 'edits' : kind, unknown);
	for (const id of buried) await remove(id);
	const waiting = new Set(unknown.filter((id) => !buried.has(id)));
	const { ageMs } = tools.clock.moment();
	for (const id of await unknownFiles.note(kind, waiting, ageMs, oldestAgeMs)) {
		await remove(id);
		waiting.delete(id);
	}
	await unknownFiles.note(kind, waiting, ageMs, oldestAgeMs);
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
