import {
	EditFailure,
	failureKindOf,
	isDiskFull,
	messageOf,
	reasonOf,
	stackOf,
} from '../shared/failures.mts';
import type { Failure } from '../store/edit.mts';
import { LOST, StatusTrack } from './statusTrack.mts';
import type { EditTools } from './editTools.mts';

/**
 * Ends an edit with FAILURE and removes its files. Never throws: if the row cannot be written, that
 * is logged, and the next start runs the edit again.
 * @param keepsFiles after a review, whose decisions and recording another edit may begin with.
 */
export async function endWithFailure(
	id: string,
	error: unknown,
	tools: EditTools,
	track = new StatusTrack(id, tools),
	keepsFiles = false,
): Promise<void> {
	const reason = reasonOf(error);
	const failure = { reason, kind: failureKindOf(error), failedIn: track.status, keepsFiles };
	if (!(error instanceof EditFailure)) tools.log(stackOf(error));
	try {
		const hasEnded = await storeFailure(id, failure, tools, track.token);
		track.say(hasEnded ? `FAILURE (${reason})` : LOST);
		// Otherwise the files may be those of another process, which has the edit now.
		if (hasEnded && !keepsFiles) await tools.scratch.removeEdit(id);
	} catch (trouble) {
		tools.log(`edit ${id} failed (${reason}); cannot store that: ${messageOf(trouble)}`);
	}
}

/** Writes FAILURE. On a full disk, the edit's files first make room for it. */
async function storeFailure(
	id: string,
	failure: Failure,
	{ store, scratch, clock }: EditTools,
	token: string | null,
): Promise<boolean> {
	const fail = () => store.fail(id, failure, clock.moment(), token);
	try {
		return await fail();
	} catch (trouble) {
		if (!isDiskFull(trouble) || failure.keepsFiles) throw trouble;
		await scratch.removeEdit(id);
		return await fail();
	}
}
