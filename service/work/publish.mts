import { join } from 'node:path';

import { deliver } from '../outbound/deliverResult.mts';
import { expiryOf } from '../outbound/signedUrlExpiry.mts';
import { STATISTICS_KEYS } from '../shared/contract.mts';
import { messageOf } from '../shared/failures.mts';
import { editOutcomeSchema, type EditOutcome } from '../store/edit.mts';
import { LOST } from './statusTrack.mts';
import { confirmClaim, retried, type Run } from './claimedRun.mts';
import type { EditedMedia } from './editedMedia.mts';

/** Delivers the edited file to `signed_url`, if set. Returns that URL without its query, or null. */
export async function deliverResult(run: Run, fileName: string): Promise<string | null> {
	const { edit, tools, signal, folders } = run;
	const signedUrl = edit.request.config.signed_url;
	if (signedUrl === null) return null;
	const filePath = join(folders.unfinishedResult, fileName);
	const step = () => deliver(filePath, signedUrl, tools, signal);
	const deadlineMs = expiryOf(signedUrl);
	return await retried(run, 'EXPORT', step, { isPatient: deadlineMs !== undefined, deadlineMs });
}

/** Publishes the result, sends the e-mail and ends the edit with SUCCESS. */
export async function succeed(
	run: Run,
	result: EditedMedia,
	deliveredUrl: string | null,
): Promise<void> {
	const { edit, tools, track, folders, claim, signal } = run;
	const { files, store, clock } = tools;
	let mayCount = false;
	try {
		const publish = () => files.keepResult(edit.id, folders, signal);
		const published = await retried(run, 'EXPORT', publish, { isPatient: true });
		const outcome = outcomeOf(result, published, deliveredUrl);
		await mailResult(run, outcome);
		await track.awaitMinState();
		await confirmClaim(run);
		await files.endRun(edit.id, folders.run);
		await confirmClaim(run);
		// If this throws, the row may or may not name the run, so the files stay.
		mayCount = true;
		mayCount = await store.succeed(edit.id, outcome, clock.moment(), claim.token);
		track.say(mayCount ? 'SUCCESS' : LOST);
		if (mayCount) await removeDraft(run, published);
	} finally {
		if (!mayCount) await unpublish(run);
	}
}

/** Removes the draft of a review, which the result replaced. Never throws. */
async function removeDraft({ edit, tools }: Run, published: string): Promise<void> {
	const draft = edit.review?.draft.run ?? published;
	if (draft === published) return;
	await tools.files.removeRun({ editId: edit.id, run: draft }).catch((trouble: unknown) => {
		tools.log(`edit ${edit.id}: cannot remove its draft now (${messageOf(trouble)})`);
	});
}

/** Removes the files that this run published, unless the edit's row names them. Never throws. */
export async function unpublish({ edit, tools, folders }: Run): Promise<void> {
	const { files, store, log } = tools;
	try {
		const row = await store.find(edit.id);
		if (row?.outcome?.run === folders.run || row?.review?.draft.run === folders.run) return;
		await files.removeRun({ editId: edit.id, run: folders.run });
		await files.removeRun({ editId: edit.id, run: `${folders.run}-review` });
	} catch (trouble) {
		log(
			`edit ${edit.id}: cannot remove the files of a lost run; they stay until the edit is deleted (${messageOf(trouble)})`,
		);
	}
}

/** E-mails the account about the result if `send_email` is set. */
async function mailResult(run: Run, outcome: EditOutcome): Promise<void> {
	const { edit, tools } = run;
	if (!edit.request.config.send_email) return;
	// Publishing may have taken minutes, in which another process may have taken the edit over.
	await confirmClaim(run);
	const send = () => tools.mailer.send(edit, outcome, run.signal);
	try {
		await retried(run, 'EXPORT', send);
	} catch (error) {
		run.signal.throwIfAborted();
		// Failing the edit for lack of a mail server would charge the client again for the same result.
		run.track.say(`sent no e-mail (${messageOf(error)})`);
	}
}

/**
 * Converts the engine's result for the row, with a count for every statistics key. The schema leaves out
 * the edits themselves, which are in a file.
 */
export function outcomeOf(
	result: EditedMedia,
	run: string,
	deliveredUrl: string | null,
): EditOutcome {
	const counts = STATISTICS_KEYS.map((key) => [key, result.statistics[key] ?? 0] as const);
	const statistics = Object.fromEntries(counts);
	return editOutcomeSchema.parse({ ...result, run, deliveredUrl, statistics });
}
