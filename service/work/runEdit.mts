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

/**
 * Takes an edit from PENDING or RETRY to SUCCESS or FAILURE, always from the beginning.
 *
 * When the signal aborts (the edit is deleted, the service stops), the row stays as it is: it is
 * gone, or the next start takes it up again. Never throws.
 */
export async function runEdit(
	job: StoredEdit,
	workbench: Workbench,
	signal: AbortSignal,
	hold: Hold = UNSHARED,
): Promise<void> {
	const track = new StatusTrack(job.id, workbench, signal, hold.token);
	const turn = new Turn(job.id, workbench, signal, hold.onWait ?? (() => undefined));
	try {
		await work({ job, workbench, track, signal, hold, turn });
	} catch (error) {
		// A client meets the status in which it failed, too. Rejects only when aborted.
		await track.hold().catch(() => undefined);
		hold.confirm();
		if (!signal.aborted) await endWithFailure(job.id, error, workbench, track);
	} finally {
		endTurn(turn, job.id, workbench);
	}
}

/**
 * Ends an edit with FAILURE and removes its files. Never throws: when the row cannot be written,
 * nothing but the log can say so, and the next start takes the edit up again.
 */
export async function endWithFailure(
	id: string,
	error: unknown,
	workbench: Workbench,
	track = new StatusTrack(id, workbench),
): Promise<void> {
	const reason = reasonOf(error);
	if (!(error instanceof EditFailure)) workbench.log(stackOf(error));
	// Files first: on a full disk the row needs their space. The retention removes what stays.
	await workbench.files.removeJob(id).catch((trouble: unknown) => {
		workbench.log(`edit ${id}: ${messageOf(trouble)}`);
	});
	try {
		const hasEnded = workbench.store.fail(id, reason, workbench.clock.moment(), track.token);
		track.say(hasEnded ? `FAILURE (${reason})` : 'is no longer ours: its end is not written');
	} catch (trouble) {
		workbench.log(`edit ${id} failed (${reason}), and that cannot be kept: ${messageOf(trouble)}`);
	}
}

/** What ended in good order says nothing against the edit. Never throws. */
function endTurn(turn: Turn, id: string, workbench: Workbench): void {
	try {
		turn.end();
	} catch (trouble) {
		workbench.log(`edit ${id}: ${messageOf(trouble)}`);
	}
}

/** The stages of an edit, spec "States and transitions". */
async function work(begun: Omit<Run, 'folders'>): Promise<void> {
	const { job, workbench, track, signal, hold, turn } = begun;
	const { files } = workbench;
	// One that has to be fetched first needs no place at the processor.
	if (job.request.sources.every(({ kind }) => kind === 'upload')) await turn.take();
	const run = { ...begun, folders: await files.startJobFolder(job.id) };
	await track.enter('PREPROCESSING');
	const refusal = reasonForNoTexts(job.request.config, workbench.texts);
	if (refusal !== undefined) throw new EditFailure(refusal);

	const sources = await fetchSources(run);
	const heard = await listen(run, sources);
	const result = await edit(run, sources, heard);
	for (const note of result.notes) track.say(`comes out with ${note}`);
	await addTexts(run, result, heard);
	await track.enter('EXPORT');
	hold.confirm();
	signal.throwIfAborted();
	await files.keepResult(job.id, run.folders);
	const deliveredUrl = await deliverResult(run, result.fileName);
	await mailResult(run, result, deliveredUrl);
	await track.hold();
	hold.confirm();
	signal.throwIfAborted();
	await files.removeWork(job.id);
	hold.confirm();
	signal.throwIfAborted();
	const bytes = await files.bytesOf(job.id, uploadedTracks(job));
	const outcome = outcomeOf(result, deliveredUrl);
	const hasEnded = workbench.store.succeed(
		job.id,
		outcome,
		bytes,
		workbench.clock.moment(),
		hold.token,
	);
	track.say(hasEnded ? 'SUCCESS' : 'is no longer ours: its end is not written');
}

/** The tracks that are links to uploads, which count by themselves. */
function uploadedTracks({ request }: StoredEdit): number[] {
	return request.sources.flatMap(({ kind }, track) => (kind === 'upload' ? [track] : []));
}

/** Puts all sources on disk, one after the other: each is tried again by itself. */
async function fetchSources(run: Run): Promise<EngineSource[]> {
	const { job, workbench, signal } = run;
	const sources: EngineSource[] = [];
	for (const [track, source] of job.request.sources.entries()) {
		const fetch = () => fetchSource(job, source, track, workbench, signal);
		const path =
			source.kind === 'upload' ? await fetch() : await retried(run, 'PREPROCESSING', fetch);
		sources.push({ path, name: source.name });
	}
	return sources;
}

/** The media work, in a worker thread. */
async function edit(
	{ job, workbench, track, signal, folders, turn }: Run,
	sources: readonly EngineSource[],
	heard: HeardSpeech | undefined,
) {
	const engineJob = {
		sources,
		config: job.request.config,
		heard,
		longestSourceSeconds: workbench.longestSourceSeconds,
		workFolder: folders.work,
		resultFolder: folders.unfinishedResult,
	};
	// Texts are made of the file that the engine exports; the edit is in EXPORT after them.
	const shownAs = (status: EngineStatus) =>
		status === 'EXPORT' && wantsTexts(job.request.config) ? 'POSTPROCESSING' : status;
	await turn.take();
	return await workbench.engine.run(engineJob, (status) => track.enter(shownAs(status)), signal);
}

/** Brings the file to the client's storage when `signed_url` asks for it. */
async function deliverResult(run: Run, fileName: string): Promise<string | null> {
	const { job, workbench, signal } = run;
	const signedUrl = job.request.config.signed_url;
	if (signedUrl === null) return null;
	const filePath = workbench.files.resultPath(job.id, fileName);
	const delivery = {
		filePath,
		signedUrl,
		client: workbench.client,
		timeoutSeconds: workbench.timeoutSeconds,
	};
	return await retried(run, 'EXPORT', () => deliver(delivery, signal), expiryOf(signedUrl));
}

/** Tells the account by e-mail when `send_email` asks for it. */
async function mailResult(run: Run, result: RecordingResult, deliveredUrl: string | null) {
	const { job, workbench } = run;
	if (!job.request.config.send_email) return;
	const fileNames = [
		...new Set([result.fileName, ...result.mergedFileNames, ...result.markerFileNames]),
	];
	const send = () => workbench.mailer.send({ job, fileNames, deliveredUrl }, run.signal);
	try {
		await retried(run, 'EXPORT', send);
	} catch (error) {
		run.signal.throwIfAborted();
		// The result is there, and nobody shall pay for it again because a mail server is not.
		run.track.say(`could not be mailed (${messageOf(error)})`);
	}
}

/** The engine's result as the row keeps it, with a count for every kind of edit. */
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
