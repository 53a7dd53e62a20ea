import type { IBinaryKeyData, INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../../api/client';
import type { DoubtfulCut, DoubtfulCuts } from '../../api/contract';
import type { RequestTarget } from '../../api/failure';
import { sanitizeText } from '../../api/sanitizeText';
import { ofEdit, operationError, valueOrThrow } from '../core/errors/errors';
import { storeDownload } from '../core/fetch/fetchFile';
import { isLocal } from '../core/submit/checkBeforeUpload';
import type { Input } from './input';
import type { ReviewInput } from './reviewInput';

/** The binary fields of a cut: the recording as it was, and as it will sound. */
const CLIPS = ['before', 'after'] as const;

/** What a cut takes out, in words for a question. */
const KINDS: Readonly<Record<string, string>> = {
	filler: 'a filler',
	hesitation: 'a hesitation',
	stutter: 'a stutter',
	long_silence: 'a pause',
	breath: 'a breath',
	mouth_sound: 'a mouth sound',
	added: 'a passage',
};

/** Why a cut is doubtful, in words for a question. */
const REASONS: Readonly<Record<string, string>> = {
	speech: 'Speech is heard in it.',
	changes: 'It changes as a word does.',
	other_voice: 'It may be another voice that answers.',
	not_repeated: 'What follows does not repeat it.',
	near_limit: 'It is not a clear case.',
};

/** What to do about an edit whose review is over. */
const AFTER: Readonly<Record<string, string>> = {
	approved: 'Wait for it with Audio Editing Wait For Edit.',
	finished: 'Get its result with Audio Editing Get Result.',
	failed: 'Read why with Audio Editing Get Result.',
};

/** Returns an item for each of the least certain cuts, with both clips as files. */
export async function getDoubtfulCuts(
	{ run, itemIndex }: Input,
	{ editId, mostCuts }: ReviewInput,
	client: Client,
): Promise<INodeExecutionData[]> {
	const context = { itemIndex, doing: 'get the doubtful cuts', editId };
	const answer = await client.getDoubtfulCuts(editId, mostCuts);
	const review = valueOrThrow(answer, run.node, context);
	if (review.state !== 'waiting') {
		const message = `The cuts are already decided: the edit is ${sanitizeText(review.state)}${ofEdit(editId)} [item ${itemIndex}]`;
		const description = AFTER[review.state] ?? 'Look at the edit with Audio Editing Get Result.';
		throw operationError(run.node, message, { itemIndex, description });
	}
	const items: INodeExecutionData[] = [];
	for (const cut of review.doubtful) {
		const binary: IBinaryKeyData = {};
		for (const clip of CLIPS) {
			const at = cut.start_seconds.toFixed(1);
			const doing = `fetch the clip '${clip}' of the cut at ${at} s`;
			const target: RequestTarget = { request: 'GET of the clip', target: 'service' };
			const opened = valueOrThrow(await client.openClip(editId, cut, clip), run.node, {
				...context,
				doing,
			});
			const file = {
				fileName: `${clip}-${at}s.mp3`,
				isMedia: true,
				itemIndex,
				doing,
				editId,
			};
			const stored = await storeDownload(run, opened, file, target);
			binary[clip] = valueOrThrow(stored, run.node, { ...context, doing });
		}
		items.push({ json: describeCut(editId, review, cut), binary });
	}
	return items;
}

function describeCut(editId: string, review: DoubtfulCuts, cut: DoubtfulCut) {
	const { kind, start, end, start_seconds: startSeconds, end_seconds: endSeconds } = cut;
	const lasts = (endSeconds - startSeconds).toFixed(1);
	const what = `${KINDS[kind] ?? 'a passage'} of ${lasts} s at ${clockTime(startSeconds)}`;
	return {
		editId,
		...(review.title !== undefined && { sourceFileName: review.title }),
		revision: review.revision,
		start,
		end,
		startSeconds,
		endSeconds,
		kind,
		doubt: cut.doubt,
		reason: cut.reason,
		question: ['Cut ', what, '? ', REASONS[cut.reason] ?? ''].join('').trim(),
		...(review.review_until !== undefined && { reviewUntil: review.review_until }),
	};
}

/** Minutes and seconds, with hours from one on. */
function clockTime(seconds: number): string {
	const [hours, minutes, rest] = [seconds / 3_600, (seconds / 60) % 60, seconds % 60].map(
		Math.floor,
	);
	const two = (value: number) => String(value).padStart(2, '0');
	return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Decides about cuts and approves them, once for all items of an edit. */
export async function decide(
	{ run, itemIndex }: Input,
	{ editId, revision, decisions, decidedBy }: ReviewInput,
	client: Client,
): Promise<INodeExecutionData[]> {
	const approval = { revision, decisions, approve: true, name: decidedBy } as const;
	const answer = await client.approveCuts(editId, approval);
	const note =
		answer.ok || answer.failure.status !== 409 ? undefined : 'Get the doubtful cuts again.';
	const doing = 'approve the cuts';
	const review = valueOrThrow(answer, run.node, { itemIndex, doing, editId, note });
	const kept = decisions.filter(({ keep }) => keep).length;
	return [
		{
			json: {
				editId,
				...(review.title !== undefined && { sourceFileName: review.title }),
				state: review.state,
				approvedBy: review.approved_by ?? decidedBy,
				decided: decisions.length,
				kept,
			},
		},
	];
}

/** @throws NodeOperationError unless the service is the local one, which alone has reviews */
export async function refuseUnlessLocal({ run, itemIndex }: Input): Promise<void> {
	if (await isLocal(run, itemIndex)) return;
	const message = `Only the local service has reviews; this is another service [item ${itemIndex}]`;
	const description = 'Choose the credential of a local service.';
	throw operationError(run.node, message, { itemIndex, description });
}
