import type { EngineSource } from '../engine/types.mts';
import { wholeSource } from '../engine/wholeSource.mts';
import { reasonForNoTexts } from '../text/textStage.mts';
import {
	EditFailure,
	isOutOfHandles,
	messageOf,
	ProgramCrashed,
	TransientTrouble,
} from '../shared/failures.mts';
import { DatabaseTrouble } from '../store/database.mts';
import { sourcesOf, type StoredEdit } from '../store/edit.mts';
import { endWithFailure } from './endWithFailure.mts';
import { editMedia } from './editMedia.mts';
import { runCheck } from './runCheck.mts';
import { deliverResult, succeed } from './publish.mts';
import { reserveResult } from './resultQuota.mts';
import { addTexts, listen, noteOnWords } from './texts.mts';
import type { EditTools } from './editTools.mts';
import {
	confirmClaim,
	retried,
	UNSHARED,
	type BegunRun,
	type RunClaim,
	type Run,
} from './claimedRun.mts';
import { readKept, waitForReview, writeDecisions, type RunInput } from './waitForReview.mts';
import { fetchSource } from '../outbound/fetchSource.mts';
import { StatusTrack } from './statusTrack.mts';
import { Turn } from './turn.mts';

/**
 * Runs an edit from the beginning to SUCCESS or FAILURE. Never throws.
 *
 * When the signal aborts (the edit was deleted, or the service stops), the row stays unchanged; the
 * next start runs the edit again.
 */
export async function runEdit(
	edit: StoredEdit,
	tools: EditTools,
	signal: AbortSignal,
	claim: RunClaim = UNSHARED,
): Promise<void> {
	const track = new StatusTrack(edit.id, tools, signal, claim.token);
	const turn = new Turn(edit, tools, signal, claim.onWait ?? (() => undefined));
	const arrival = tools.quota.begin(edit.ownerId, edit.id);
	try {
		await runUnlessMachineFails({ edit, tools, track, signal, claim, turn, arrival });
	} catch (error) {
		// Clients get to see the status in which it failed. Rejects only on abort.
		await track.awaitMinState().catch(() => undefined);
		try {
			if (error instanceof DatabaseTrouble) throw error;
			await claim.confirm();
			const isReviewed = edit.review !== null;
			if (!signal.aborted) await endWithFailure(edit.id, error, tools, track, isReviewed);
		} catch (trouble) {
			// Another process may have the edit by now, and its files.
			tools.log(`edit ${edit.id} stopped and will be tried again: ${messageOf(trouble)}`);
		}
	} finally {
		tools.quota.end(arrival);
		await turn.end().catch((trouble: unknown) => {
			tools.log(`edit ${edit.id}: ${messageOf(trouble)}`);
		});
	}
}

/**
 * Runs an edit, again if the machine was to blame: the process had too many open files, or the machine ended a
 * program. A program that crashes gets one more try, because a crash may be chance.
 */
async function runUnlessMachineFails(begun: BegunRun): Promise<void> {
	let crashes = 0;
	const step = async (): Promise<void> => {
		try {
			await runInNewFolder(begun);
		} catch (error) {
			if (isOutOfHandles(error)) {
				throw new TransientTrouble('The service has too many open files', { cause: error });
			}
			if (!(error instanceof ProgramCrashed)) throw error;
			crashes += 1;
			if (crashes > 1) throw crashedAgain(error);
			begun.track.say(`begins again (${error.message})`);
			await step();
		}
	};
	await atOnceOrLater(begun, step);
}

function crashedAgain({ message }: ProgramCrashed): EditFailure {
	return new EditFailure(
		`The file cannot be edited: ${message}, twice. Convert it to WAV or MP4 with another program and edit that`,
	);
}

/** Runs an edit in a new folder. */
async function runInNewFolder(begun: BegunRun): Promise<void> {
	const { edit, tools, turn } = begun;
	// An edit that has to fetch its sources first needs no place at the processor yet.
	if (sourcesOf(edit).every(({ kind }) => kind === 'upload')) await turn.acquire();
	const isKept = edit.review !== null;
	const folders = await tools.scratch.startEditFolder(edit.id, isKept);
	if (!isKept) await tools.store.countNoBytes(edit.id, begun.claim.token);
	tools.quota.shrink(begun.arrival);
	const run = { ...begun, folders };
	try {
		await runStages(run);
	} catch (error) {
		// Nobody else does if another process has taken the edit over.
		await clear(run);
		throw error;
	}
}

/** Removes what a run without a result left on this disk. Never throws. */
async function clear({ edit, tools, folders }: Run): Promise<void> {
	const { files, scratch } = tools;
	try {
		// In the storage folder, the sources may be those of another run, which has finished.
		if (files.isOnThisDisk) await scratch.removeWork(edit.id, folders.run);
		else await scratch.removeRun(edit.id, folders.run);
	} catch (trouble) {
		tools.log(`edit ${edit.id}: cannot remove its working files (${messageOf(trouble)})`);
	}
}

/** The stages of an edit (api.md#states), from the first that needs a folder. */
async function runStages(run: Run): Promise<void> {
	const { edit, tools, track } = run;
	// After a review, the status does not go back to the beginning.
	if (edit.review === null) await track.enter('PREPROCESSING');
	const refusal = reasonForNoTexts(edit.request.config, tools.texts);
	if (refusal !== undefined) throw new EditFailure(refusal);

	if (edit.request.kind === 'check') {
		await runCheck(run, () => fetchSources(run));
		return;
	}
	const input = (await readKept(run)) ?? (await fetchInput(run));
	// Read here: while the engine works, the count has its files as well.
	const fetchedBytes = run.arrival.bytes;
	const edited = await editMedia(run, input);
	const textNotes = [...noteOnWords(run, input), ...(await addTexts(run, input, edited))];
	const notes = [...edited.notes, ...textNotes];
	for (const note of notes) track.say(`note: ${note}`);
	const result = { ...edited, notes };
	await reserveResult(run, fetchedBytes);
	// Where nothing was found, nobody need listen; but somebody asked to change the cuts of an edit.
	const isToChange = edit.request.changes !== null;
	if (result.kept !== undefined && (isToChange || result.kept.cuts.length > 0)) {
		await waitForReview(run, result, result.kept);
		return;
	}
	await writeDecisions(run, input);
	await track.enter('EXPORT');
	await confirmClaim(run);
	const deliveredUrl = await deliverResult(run, result.fileName);
	await confirmClaim(run);
	await succeed(run, result, deliveredUrl);
}

/** Puts all sources on disk and listens to them. */
async function fetchInput(run: Run): Promise<RunInput> {
	const fetched = await fetchSources(run);
	const { sources: files, kit: parts } = run.edit.request;
	const sources = fetched.slice(0, files.length);
	const kit = parts.map(({ place }, index) => ({ source: fetched[files.length + index], place }));
	const { recognized, failure: speechFailure } = await listen(run, sources);
	return { sources, kit, recognized, speechFailure };
}

/** Puts the recording and the files of its show on disk, one after the other, each with its own retries. */
async function fetchSources(run: Run): Promise<EngineSource[]> {
	const { edit, tools } = run;
	const sources: EngineSource[] = [];
	for (const [track, source] of sourcesOf(edit).entries()) {
		const fetch = () => fetchSource(edit, source, track, tools, run);
		const fetched =
			source.kind === 'upload'
				? await atOnceOrLater(run, fetch)
				: await retried(run, 'PREPROCESSING', fetch);
		sources.push(await wholeSource(fetched.path, fetched.name, run.signal));
	}
	return sources;
}

/**
 * Runs a step that needs nothing of others, such as taking an upload. It keeps the edit's place at the
 * processor unless it has to be retried, as when the object storage is away: a process must not take more
 * edits from the queue, and their uploads, than it can work on. The first retry comes at once.
 */
async function atOnceOrLater<T>(run: BegunRun, step: () => Promise<T>): Promise<T> {
	try {
		return await step();
	} catch (error) {
		if (!(error instanceof TransientTrouble)) throw error;
		return await retried(run, 'PREPROCESSING', step, { isPatient: true });
	}
}
