import { link, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
	keptFileNames,
	keptRecordingSchema,
	KEPT_FILE_NAME,
} from '../engine/review/keptSchema.mts';
import type { KeptRecording } from '../engine/review/keptSchema.mts';
import type { Decided, EngineSource, KitPart } from '../engine/types.mts';
import { EditFailure, messageOf } from '../shared/failures.mts';
import type { RecognizedSpeech } from '../shared/timeRanges.mts';
import type { Review, StoredEdit } from '../store/edit.mts';
import type { RunName } from '../store/files/fileStore.mts';
import { BEGINNING } from '../store/files/scratch.mts';
import { DECISIONS_FILE_NAME, decisionsText } from './decisions.mts';
import { outcomeOf, unpublish } from './publish.mts';
import { bytesIn } from './resultQuota.mts';
import { confirmClaim, retried, type Run } from './claimedRun.mts';
import type { EditedMedia } from './editedMedia.mts';
import { LOST } from './statusTrack.mts';

const HOUR_MS = 3_600_000;

/** What the engine works on. */
export interface RunInput {
	sources: EngineSource[];
	/** The files of its show. */
	kit: KitPart[];
	recognized: RecognizedSpeech | undefined;
	/** Why its speech was not recognized, if that failed. */
	speechFailure?: EditFailure | undefined;
	/** What somebody decided, where an earlier run kept the recording. */
	decided?: Decided;
}

/** Whether this run makes a draft, whose cuts somebody reviews. */
export function needsReview({ request, review }: StoredEdit): boolean {
	return request.review !== null && review === null;
}

/**
 * Brings what an earlier run kept to this disk; undefined for an edit that begins with its sources.
 * @throws EditFailure if it was deleted, TransientTrouble.
 */
export async function readKept(run: Run): Promise<RunInput | undefined> {
	const { edit, tools, folders } = run;
	const from = await keptRunOf(run);
	if (from === undefined) return undefined;
	const isReviewed = edit.review !== null;
	const folder = isReviewed ? folders.work : folders.unfinishedReview;
	const kept = await retried(run, 'PREPROCESSING', async () => {
		const recording = await fetchKept(run, from, folder);
		if (from.editId !== edit.id) {
			await tools.files.keepBeginning(edit.id, folder, keptFileNames(recording), run.signal);
		}
		return recording;
	});
	const sources = kept.tracks.map(({ name, sourceName }) => ({
		name,
		path: join(folder, sourceName),
	}));
	// The page plays the sources from there.
	if (!isReviewed && tools.files.isOnThisDisk) {
		for (const [track, { name }] of edit.request.sources.entries()) {
			const to = tools.scratch.sourcePath(edit.id, track, name);
			await link(sources[track].path, to).catch(() => undefined);
		}
	}
	const kit = kept.kit.map(({ name, fileName }, index) => ({
		source: { name, path: join(folder, fileName) },
		place: edit.request.kit[index].place,
	}));
	const cuts = (await tools.reviews.decisionsOf(edit.id))?.cuts ?? kept.cuts;
	return { sources, kit, recognized: kept.heard, decided: { folder, kept, cuts } };
}

/** Returns where this run's recording is kept: by the edit itself, or until it began, by the one whose cuts it changes. */
async function keptRunOf({ edit, tools }: Run): Promise<RunName | undefined> {
	if (edit.review !== null) return { editId: edit.id, run: edit.review.keptRun };
	const { changes } = edit.request;
	if (changes === null) return undefined;
	const begun = { editId: edit.id, run: BEGINNING };
	if ((await tools.files.readResult(begun, KEPT_FILE_NAME)) !== undefined) return begun;
	const first = await tools.store.find(changes);
	if (!first?.review) throw gone();
	return { editId: changes, run: first.review.keptRun };
}

function gone(): EditFailure {
	return new EditFailure(
		'The recording that was kept for a review was deleted: create an edit from the source again',
	);
}

/** Brings all kept files into a folder. */
async function fetchKept(run: Run, from: RunName, folder: string): Promise<KeptRecording> {
	const { tools, signal } = run;
	const { files, quota } = tools;
	const text = await files.readResult(from, KEPT_FILE_NAME);
	if (text === undefined) throw gone();
	const kept = keptRecordingSchema.parse(JSON.parse(text));
	for (const name of keptFileNames(kept)) {
		const path = join(folder, name);
		const limits = { allowance: quota.sizeAllowance, signal };
		if ((await files.copyResult(from, name, path, limits)) === undefined) throw gone();
	}
	return kept;
}

/** Writes the decisions of a review beside its result. */
export async function writeDecisions({ edit, folders }: Run, { decided }: RunInput): Promise<void> {
	if (decided === undefined || edit.review === null) return;
	const text = decisionsText(edit.id, edit.review, decided.kept, decided.cuts);
	await writeFile(join(folders.unfinishedResult, DECISIONS_FILE_NAME), text);
}

/**
 * Publishes the draft and what its review needs, and ends this run: the edit waits for somebody, without
 * a place at the processor.
 */
export async function waitForReview(
	run: Run,
	result: EditedMedia,
	kept: KeptRecording,
): Promise<void> {
	const { edit, tools, track, folders, claim, signal } = run;
	const { files, reviews, clock } = tools;
	const hours = edit.request.review?.hours ?? 0;
	let isWaiting = false;
	try {
		const keptBytes = await bytesIn(folders.unfinishedReview);
		const patience = { isPatient: true };
		const keep = () => files.keepResult(edit.id, folders, signal);
		const published = await retried(run, 'POSTPROCESSING', keep, patience);
		const keepReview = () => files.keepReview(edit.id, folders, signal);
		const keptRun = await retried(run, 'POSTPROCESSING', keepReview, patience);
		await track.awaitMinState();
		await confirmClaim(run);
		await files.endRun(edit.id, folders.run);
		await confirmClaim(run);
		const moment = clock.moment();
		const { nowMs: beganAtMs } = moment;
		const review: Review = {
			draft: outcomeOf(result, published, null),
			keptRun,
			keptBytes,
			beganAtMs,
			untilMs: Math.round(beganAtMs + hours * HOUR_MS),
			approvedBy: null,
			approvedAtMs: null,
		};
		// If this throws, the row may or may not name the run, so the files stay.
		isWaiting = true;
		isWaiting = await reviews.begin(edit.id, review, kept.cuts, moment, claim.token);
		const until = new Date(review.untilMs).toISOString();
		track.say(isWaiting ? `waits for its review until ${until}` : LOST);
		if (isWaiting) await removeBeginning(run);
	} finally {
		if (!isWaiting) await unpublish(run);
	}
}

/** Removes what a changed edit began with, which its own review has replaced. Never throws. */
async function removeBeginning({ edit, tools }: Run): Promise<void> {
	if (edit.request.changes === null) return;
	const name = { editId: edit.id, run: BEGINNING };
	await tools.files.removeRun(name).catch((trouble: unknown) => {
		tools.log(`edit ${edit.id}: cannot remove what it began with now (${messageOf(trouble)})`);
	});
}
