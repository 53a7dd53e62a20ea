import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { EngineStatus } from '../engine/types.mts';
import { limitsFor } from '../shared/editLimits.mts';
import type { TimelineEdit } from '../shared/timeRanges.mts';
import type { Run } from './claimedRun.mts';
import type { EditedMedia } from './editedMedia.mts';
import { withinQuota } from './resultQuota.mts';
import { needsReview, type RunInput } from './waitForReview.mts';
import { checksWords, checkWords } from './wordCheck.mts';

/**
 * Runs the engine on the sources, in a worker thread. If a check of the cuts by words asks for some back, the engine edits
 * the recording again without them: then everything that follows from the cuts is as if they had never been made.
 */
export async function editMedia(run: Run, input: RunInput): Promise<EditedMedia> {
	// What is counted later is the result.
	const sourceBytes = run.arrival.bytes;
	const first = await runEngine(run, input, []);
	const { wordCheck, putBack, notes } = await checkWords(run, input, first);
	if (putBack.length > 0) await clearResult(run, sourceBytes);
	const result = putBack.length > 0 ? await runEngine(run, input, putBack) : first;
	return { ...result, wordCheck, notes: [...run.edit.request.notes, ...result.notes, ...notes] };
}

/** Removes what the engine wrote, so that it can edit again. */
async function clearResult({ folders, tools, arrival }: Run, sourceBytes: number): Promise<void> {
	for (const folder of [folders.work, folders.unfinishedResult, folders.unfinishedReview]) {
		for (const name of await readdir(folder)) {
			await rm(join(folder, name), { recursive: true, force: true });
		}
	}
	tools.quota.shrink(arrival, arrival.bytes - sourceBytes);
}

async function runEngine(run: Run, input: RunInput, putBack: readonly TimelineEdit[]) {
	const { edit, tools, track, folders, turn } = run;
	const isDraft = needsReview(edit);
	const engineEdit = {
		...input,
		putBack,
		config: edit.request.config,
		local: edit.request.local,
		limits: limitsFor(edit.request.local, tools.editLimits()),
		maxSourceSeconds: tools.maxSourceSeconds,
		workFolder: folders.work,
		resultFolder: folders.unfinishedResult,
		reviewFolder: isDraft ? folders.unfinishedReview : undefined,
	};
	// Texts are made from the file that the engine exports, so EXPORT comes after them, and after a review.
	const isLater = edit.request.config.transcription || isDraft || checksWords(run, input);
	const shownAs = (status: EngineStatus) => {
		if (putBack.length > 0) return 'POSTPROCESSING';
		return status === 'EXPORT' && isLater ? 'POSTPROCESSING' : status;
	};
	await turn.acquire();
	const enter = (status: EngineStatus) => track.enter(shownAs(status));
	return await withinQuota(run, (signal) => tools.engine.run(engineEdit, enter, signal));
}
