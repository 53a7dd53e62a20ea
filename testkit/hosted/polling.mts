import { setTimeout as sleep } from 'node:timers/promises';

import { z } from 'zod';

import {
	editSchema,
	isFinalStatus,
	isKnownStatus,
	type Edit,
} from '../../service/shared/contract.mts';
import { WIRE } from '../../.ci/openapi/wire.ts';
import type { Trial } from './trial.mts';

/** When to poll, in milliseconds. */
export interface Rhythm {
	readonly firstPollMs: number;
	readonly pollMs: number;
	readonly maxWaitMs: number;
}

const CALL = 'GET /v2/edits/{edit_id}';

const EDITED = 'the edited file';

/** Polls of SUCCESS without a result. */
const MAX_LATE_POLLS = 6;

/** Polls an edit until its result is there, and downloads what it names. Keeps every shape it meets. */
export async function waitForEnd(trial: Trial, editId: string, rhythm: Rhythm): Promise<void> {
	const { firstPollMs, pollMs, maxWaitMs } = rhythm;
	const untilMs = performance.now() + maxWaitMs;
	let latePolls = 0;
	await sleep(firstPollMs);
	while (performance.now() < untilMs) {
		const edit = await poll(trial, editId);
		if (edit !== undefined && isFinalStatus(edit.status)) {
			if (edit.status === 'FAILURE') {
				trial.fail(CALL, `FAILURE: ${edit.failureReason ?? 'no reason given'}`);
				return;
			}
			if (edit.result !== undefined) {
				await download(trial, edit.result);
				return;
			}
			latePolls += 1;
			trial.find(CALL, 'SUCCESS without a result');
			if (latePolls > MAX_LATE_POLLS) break;
		}
		await sleep(Math.max(pollMs, (edit?.pollAfterSeconds ?? 0) * 1_000));
	}
	trial.fail(CALL, 'the edit did not end with a result in time');
}

/** Progress as docs/api.md has it. */
const progressSchema = z.object({ result: WIRE.EditProgress });

async function poll(trial: Trial, editId: string): Promise<Edit | undefined> {
	const call = { method: 'GET', to: `/v2/edits/${encodeURIComponent(editId)}` };
	const { body } = await trial.call(CALL, call, { schema: editSchema, wire: WIRE.Edit });
	const edit = editSchema.safeParse(body).data;
	if (edit === undefined) return undefined;
	const { status, editProgress, failureReason, pollAfterSeconds } = edit;
	trial.saw(status);
	if (!isKnownStatus(status)) trial.find(CALL, `unknown status ${status}`);
	const isDocumented = progressSchema.safeParse(body).success;
	if (editProgress !== undefined && !isDocumented) {
		trial.find(CALL, `progress in 'result' with status ${status}`);
	}
	if (failureReason !== undefined) trial.find(CALL, 'a FAILURE has a reason');
	if (pollAfterSeconds !== undefined) trial.find(CALL, "has 'poll_after_seconds'");
	return edit;
}

async function download(trial: Trial, result: NonNullable<Edit['result']>): Promise<void> {
	const markers = result.timestamps_markers_urls;
	if (result.timestamps_markers_names !== undefined) {
		trial.find(CALL, "'timestamps_markers_urls' is an object of names and links");
	}
	if (!Array.isArray(result.waveform_result)) trial.find(CALL, "'waveform_result' is an object");
	const edited: [what: string, link: string] = [EDITED, result.download_url ?? ''];
	const files = [edited, ...markers.map((link): typeof edited => ['a file of markers', link])];
	for (const [what, link] of files) {
		if (link === '') {
			trial.fail(`GET of ${what}`, 'there is no link to it');
			continue;
		}
		const { sizeBytes, contentType } = await trial.call(`GET of ${what}`, {
			method: 'GET',
			to: link,
		});
		// A list of markers may be empty, a recording never is.
		if (sizeBytes === 0 && what === EDITED)
			trial.fail(`GET of ${what}`, `it is empty (${contentType})`);
	}
}
