import { STATISTICS_KEYS } from '../shared/contract.mts';
import type { EngineSource, EngineStatus, RecordingResult } from '../engine/types.mts';
import { expiryOf } from '../outbound/signedUrlExpiry.mts';
import { reasonForNoTexts, wantsTexts } from '../text/textStage.mts';
import { deliver } from '../outbound/deliverResult.mts';
import { EditFailure, messageOf, reasonOf, stackOf } from '../shared/failures.mts';
import type { StoredEdit, EditOutcome } from '../store/edit.mts';
import { addTexts, listen } from './texts.mts';
import { retried, UNSHARED, type Hold, type Workbench, type Run } from './workbench.mts';
import { fetchSource } from '../outbound/fetchSource.mts';
import { StatusTrack } from './statusTrack.mts';
import { Turn } from './turn.mts';
import type { HeardSpeech } from '../shared/timeRanges.mts';

/** Logged instead of the final status when the row is gone or another process has the claim. */
const LOST = 'lost its claim or its row: final status not written';

/**
 * Runs an edit from the beginning to SUCCESS or FAILURE. Never throws.
 *
 * When the signal aborts (the edit was deleted, or the service stops), the row stays unchanged; the
 * next start runs the edit again.
 */
export async function runEdit(
	edit: StoredEdit,
	workbench: Workbench,
	signal: AbortSignal,
	hold: Hold = UNSHARED,
): Promise<void> {
	const track = new StatusTrack(edit.id, workbench, signal, hold.token);
	const turn = new Turn(edit.id, workbench, signal, hold.onWait ?? (() => undefined));
	try {
		await work({ edit, workbench, track, signal, hold, turn });
	} catch (error) {
		// Clients get to see the status in which it failed. Rejects only on abort.
		await track.hold().catch(() => undefined);
		hold.confirm();
		if (!signal.aborted) await endWithFailure(edit.id, error, workbench, track);
	} finally {
		endTurn(turn, edit.id, workbench);
	}
}

/**
 * Ends an edit with FAILURE and removes its files. Never throws: if the row cannot be written, that
 * is logged, and the next start runs the edit again.
 */
export async function endWithFailure(
	id: string,
	error: unknown,
	workbench: Workbench,
	track = new StatusTrack(id, workbench),
): Promise<void> {
	const reason = reasonOf(error);
	if (!(error instanceof EditFailure)) workbench.log(stackOf(error));
	// Files first: on a full disk the row needs their space. The retention removes any leftovers.
	await workbench.files.removeEdit(id).catch((trouble: unknown) => {
		workbench.log(`edit ${id}: ${messageOf(trouble)}`);
	});
	try {
		const hasEnded = workbench.store.fail(id, reason, workbench.clock.moment(), track.token);
		track.say(hasEnded ? `FAILURE (${reason})` : LOST);
	} catch (trouble) {
		workbench.log(`edit ${id} failed (${reason}); cannot store that: ${messageOf(trouble)}`);
	}
}

/** Frees the edit's place at the processor and takes back its attempt. Never throws. */
function endTurn(turn: Turn, id: string, workbench: Workbench): void {
	try {
		turn.end();
	} catch (trouble) {
		workbench.log(`edit ${id}: ${messageOf(trouble)}`);
	}
}

/** The stages of an edit, spec "States and transitions". */
async function work(begun: Omit<Run, 'folders'>): Promise<void> {
	const { edit, workbench, track, signal, hold, turn } = begun;
	const { files } = workbench;
	// An edit that has to fetch its sources first needs no place at the processor yet.
	if (edit.request.sources.every(({ kind }) => kind === 'upload')) await turn.take();
	const run = { ...begun, folders: await files.startEditFolder(edit.id) };
	await track.enter('PREPROCESSING');
	const refusal = reasonForNoTexts(edit.request.config, workbench.texts);
	if (refusal !== undefined) throw new EditFailure(refusal);

	const sources = await fetchSources(run);
	const heard = await listen(run, sources);
	const result = await editMedia(run, sources, heard);
	for (const note of result.notes) track.say(`note: ${note}`);
	await addTexts(run, sources, result, heard);
	await track.enter('EXPORT');
	hold.confirm();
	signal.throwIfAborted();
	await files.keepResult(edit.id, run.folders);
	const deliveredUrl = await deliverResult(run, result.fileName);
	await mailResult(run, result, deliveredUrl);
	await track.hold();
	hold.confirm();
	signal.throwIfAborted();
	await files.removeWork(edit.id);
	hold.confirm();
	signal.throwIfAborted();
	const bytes = await files.bytesOf(edit.id, uploadedTracks(edit));
	const outcome = outcomeOf(result, deliveredUrl);
	const hasEnded = workbench.store.succeed(
		edit.id,
		outcome,
		bytes,
		workbench.clock.moment(),
		hold.token,
	);
	track.say(hasEnded ? 'SUCCESS' : LOST);
}

/** Returns the tracks that are links to uploads, which count separately. */
function uploadedTracks({ request }: StoredEdit): number[] {
	return request.sources.flatMap(({ kind }, track) => (kind === 'upload' ? [track] : []));
}

/** Puts all sources on disk, one after the other, each with its own retries. */
async function fetchSources(run: Run): Promise<EngineSource[]> {
	const { edit, workbench, signal } = run;
	const sources: EngineSource[] = [];
	for (const [track, source] of edit.request.sources.entries()) {
		const fetch = () => fetchSource(edit, source, track, workbench, signal);
		const path =
			source.kind === 'upload' ? await fetch() : await retried(run, 'PREPROCESSING', fetch);
		sources.push({ path, name: source.name });
	}
	return sources;
}

/** Runs the engine on the sources, in a worker thread. */
async function editMedia(
	{ edit, workbench, track, signal, folders, turn }: Run,
	sources: readonly EngineSource[],
	heard: HeardSpeech | undefined,
) {
	const engineEdit = {
		sources,
		config: edit.request.config,
		heard,
		limits: workbench.editLimits(),
		longestSourceSeconds: workbench.longestSourceSeconds,
		workFolder: folders.work,
		resultFolder: folders.unfinishedResult,
	};
	// Texts are made from the file that the engine exports, so EXPORT comes after them.
	const shownAs = (status: EngineStatus) =>
		status === 'EXPORT' && wantsTexts(edit.request.config) ? 'POSTPROCESSING' : status;
	await turn.take();
	return await workbench.engine.run(engineEdit, (status) => track.enter(shownAs(status)), signal);
}

/** Delivers the edited file to `signed_url`, if set. Returns that URL without its query, or null. */
async function deliverResult(run: Run, fileName: string): Promise<string | null> {
	const { edit, workbench, signal } = run;
	const signedUrl = edit.request.config.signed_url;
	if (signedUrl === null) return null;
	const filePath = workbench.files.resultPath(edit.id, fileName);
	const delivery = {
		filePath,
		signedUrl,
		client: workbench.client,
		timeoutSeconds: workbench.timeoutSeconds,
	};
	return await retried(run, 'EXPORT', () => deliver(delivery, signal), expiryOf(signedUrl));
}

/** E-mails the account about the result if `send_email` is set. */
async function mailResult(run: Run, result: RecordingResult, deliveredUrl: string | null) {
	const { edit, workbench } = run;
	if (!edit.request.config.send_email) return;
	const fileNames = [
		...new Set([result.fileName, ...result.mergedFileNames, ...result.markerFileNames]),
	];
	const mail = { edit, fileNames, deliveredUrl, notes: result.notes };
	const send = () => workbench.mailer.send(mail, run.signal);
	try {
		await retried(run, 'EXPORT', send);
	} catch (error) {
		run.signal.throwIfAborted();
		// Failing the edit for lack of a mail server would charge the client again for the same result.
		run.track.say(`sent no e-mail (${messageOf(error)})`);
	}
}

/** Converts the engine's result for the row, with a count for every statistics key. */
function outcomeOf(result: RecordingResult, deliveredUrl: string | null): EditOutcome {
	return {
		fileName: result.fileName,
		statistics: Object.fromEntries(
			STATISTICS_KEYS.map((key) => [key, result.statistics[key] ?? 0]),
		),
		markerFileNames: result.markerFileNames,
		mergedFileNames: result.mergedFileNames,
		notes: result.notes,
		durationBeforeSeconds: result.durationBeforeSeconds,
		durationAfterSeconds: result.durationAfterSeconds,
		deliveredUrl,
	};
}
