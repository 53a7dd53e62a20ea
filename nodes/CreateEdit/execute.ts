import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asNodeError } from '../core/errors/errors';
import { filesOf } from '../core/form/parameters';
import { readForm } from '../core/form/readForm';
import type { Form } from '../core/form/values';
import { sayGoingOn } from '../core/run/progress';
import { NodeRun } from '../core/run/nodeRun';
import { Outcomes } from '../core/items/outcomes';
import { readItemForm } from '../core/items/readItemForm';
import { Recognition } from '../core/skip/recognition';
import { type SkipRule, skipRuleFor } from '../core/skip/skipRule';
import { CODE_WORDS, type Skipped, skippedItem } from '../core/skip/skippedItem';
import { lookUpError, verdictOn } from '../core/skip/verdict';
import { editRequestFor, recordingRequestOf } from '../core/submit/prepareEdit';
import { limitSpending, overLimit } from '../core/submit/spending';
import {
	type SubmittedEdit,
	acceptedNote,
	recordingOf,
	reviewUrlOf,
	sentIn,
	submitEdit,
	submittedBefore,
} from '../core/submit/submitEdit';
import { withUploadedKit } from '../core/upload/kitUploads';
import { checkBeforeUpload } from '../core/submit/checkBeforeUpload';
import { CREATE_EDIT_FIELDS, OUTPUTS } from './fields';
import { type ReadRequest, readRequest } from './request';

type EditOutcomes = Outcomes<(typeof OUTPUTS)[number]['name']>;

/**
 * Submits the recordings of all items. Every form is read before the first request, so that a mistake in the last
 * item cannot end the node after the other edits were charged.
 */
export async function createEdits(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = new NodeRun(context);
	if (run.items.length === 0) return [[]];
	const recognition = new Recognition();
	const outcomes: EditOutcomes = new Outcomes(run, {
		outputs: OUTPUTS,
		// n8n stores the ledger with the execution, so a retry finds it.
		onRetry:
			"Edits that already exist are not charged again, unless you change the edit's file or options.",
		progress: ['submitted', 'edits'],
		sumsUp: true,
	});
	try {
		const settings = readForm(context, CREATE_EDIT_FIELDS, 0, run.isTool, 'allItems');
		const all = [...run.items.keys()];
		const areTracks = settings.fields.itemsAre === 'tracks';
		const requests = await readRequests(run, outcomes, areTracks ? [all] : all.map((one) => [one]));
		await plan(run, outcomes, recognition, settings, requests);
		for (const request of requests) {
			if (outcomes.isOver) break;
			await createItem(run, outcomes, recognition, request);
		}
		assertGoesOn(run, outcomes);
		return outcomes.outputs();
	} catch (error) {
		return outcomes.ofAll(error);
	} finally {
		outcomes.show();
		await finish(run, recognition);
	}
}

/** @param recordings the items with the files of each */
async function readRequests(
	run: NodeRun,
	outcomes: EditOutcomes,
	recordings: ReadonlyArray<readonly number[]>,
): Promise<ReadRequest[]> {
	const requests: ReadRequest[] = [];
	for await (const itemIndices of outcomes.itemsToRead(recordings)) {
		try {
			const form = readItemForm(run, CREATE_EDIT_FIELDS, itemIndices);
			requests.push(readRequest(run, form, itemIndices));
		} catch (error) {
			outcomes.failed(itemIndices, error);
		}
	}
	assertGoesOn(run, outcomes);
	return requests;
}

/** Ends the node if a failure has, and names the edits that were created. */
function assertGoesOn(run: NodeRun, outcomes: EditOutcomes): void {
	const { ending } = outcomes;
	outcomes.assertGoesOn(ending && acceptedNote(run, ending));
}

/** Looks up the recordings, and refuses a run that would spend more than the form allows. */
async function plan(
	run: NodeRun,
	outcomes: EditOutcomes,
	recognition: Recognition,
	settings: Form,
	requests: ReadRequest[],
): Promise<void> {
	try {
		await lookUp(run, recognition, requests);
		await checkNewEdits(run, outcomes, recognition, requests);
		await limitSpending(run, recognition, settings, plannedAmong(recognition, requests));
	} catch (error) {
		const refusal = asNodeError(run.node, error, 0);
		for (const { prepared } of requests.splice(0)) {
			outcomes.failed(prepared.itemIndices, refusal, { ...prepared.names });
		}
	}
}

async function lookUp(
	run: NodeRun,
	recognition: Recognition,
	requests: readonly ReadRequest[],
): Promise<void> {
	for (const { prepared, configuration, recognized } of requests) {
		if (run.isStopped) return;
		if (recognized === undefined) continue;
		const { itemIndex, isNoise } = prepared;
		try {
			const request = { ...recordingRequestOf(configuration), isNoise };
			const { choice, identity } = recognized;
			recognition.noteRule(itemIndex, await skipRuleFor(choice, identity, request));
		} catch (error) {
			recognition.noteFailure(itemIndex, error);
		}
	}
	await recognition.lookUp(run);
}

/** Compares the new edits with the service and its templates; those that cannot be made fail. */
async function checkNewEdits(
	run: NodeRun,
	outcomes: EditOutcomes,
	recognition: Recognition,
	requests: ReadRequest[],
): Promise<void> {
	for (const request of requests.splice(0)) {
		const { prepared, configuration } = request;
		try {
			const isNew = recognition.mayBeNew(prepared.itemIndex);
			const more = isNew ? await checkBeforeUpload(run, prepared, configuration) : [];
			const hints = [...prepared.hints, ...more];
			requests.push({ ...request, prepared: { ...prepared, hints } });
		} catch (error) {
			outcomes.failed(prepared.itemIndices, error, { ...prepared.names });
		}
	}
}

function plannedAmong(recognition: Recognition, requests: readonly ReadRequest[]) {
	const planned = requests.filter(({ prepared }) => recognition.mayBeNew(prepared.itemIndex));
	return planned.map(({ prepared, recognized }) => ({ ...prepared, skip: recognized }));
}

async function createItem(
	run: NodeRun,
	outcomes: EditOutcomes,
	recognition: Recognition,
	request: ReadRequest,
): Promise<void> {
	const { prepared, keptOf } = request;
	const { itemIndex, itemIndices } = prepared;
	try {
		const created = await createEdit(run, recognition, request);
		const files = filesOf(run, keptOf);
		if ('code' in created) {
			run.progress?.moved(itemIndex, 'skipped');
			run.summary?.skipped(itemIndex, CODE_WORDS[created.code]);
			const item = skippedItem(created, recordingOf(prepared), files);
			outcomes.done(itemIndices, [item], 'skipped');
			return;
		}
		const { editId, sent, submittedAt, firstPollAfterSeconds } = created;
		const reviewUrl = await reviewUrlOf(run, created);
		const more = {
			...(firstPollAfterSeconds !== undefined && { firstPollAfterSeconds }),
			...(reviewUrl && { reviewUrl }),
		};
		outcomes.done(itemIndices, [{ json: { editId, ...sent, submittedAt, ...more }, ...files }]);
	} catch (error) {
		outcomes.failed(itemIndices, error, { ...prepared.names });
	}
}

/** Submits one recording, or skips a recording already edited. */
async function createEdit(
	run: NodeRun,
	recognition: Recognition,
	request: ReadRequest,
): Promise<SubmittedEdit | Skipped> {
	const { prepared } = request;
	await run.openService();
	const earlier = submittedBefore(run, prepared);
	const rule = recognition.ruleOf(prepared.itemIndex);
	if (rule === undefined) return earlier ?? (await submitEdit(run, await completed(run, request)));
	const created = earlier ?? (await submitUnlessKnown(run, recognition, request, rule));
	if (!('code' in created)) recognition.remembered?.deliver(rule.key);
	return created;
}

async function submitUnlessKnown(
	run: NodeRun,
	recognition: Recognition,
	request: ReadRequest,
	rule: SkipRule,
): Promise<SubmittedEdit | Skipped> {
	const { prepared } = request;
	const { itemIndex } = prepared;
	const { remembered, lookUpFailure, refusal } = recognition;
	if (remembered === undefined) throw lookUpError(run, itemIndex, lookUpFailure);
	const verdict = await verdictOn(run, itemIndex, rule, remembered);
	if (verdict.does === 'skip') return { ...verdict, way: rule.way };
	if (verdict.does === 'goOn') {
		const { editId, submittedAt } = verdict;
		return { state: 'accepted', editId, submittedAt, sent: sentIn(prepared) };
	}
	if (refusal ?? overLimit(run, 1)) {
		const reason = refusal && `${refusal.message}.`;
		return { code: 'overLimit', way: rule.way, ...(reason && { reason }) };
	}
	const complete = await completed(run, request);
	const { key, request: asked } = rule;
	return await submitEdit(run, { ...complete, skip: { key, request: asked } }, remembered.of(key));
}

/** The request with the URLs of the files of its show, which this uploads. */
async function completed(
	run: NodeRun,
	{ prepared, configuration }: ReadRequest,
): Promise<ReadRequest['prepared']> {
	const { files } = prepared.request.input;
	const complete = await withUploadedKit(run, prepared.itemIndex, configuration);
	return { ...prepared, request: editRequestFor(complete, files) };
}

/** After Stop, logs the edits that still run on the service. Otherwise clears what was output from the memory. */
async function finish(run: NodeRun, { remembered }: Recognition): Promise<void> {
	try {
		if (run.isStopped) {
			const created = run.createdEditIds().map((editId) => run.labelOf(editId));
			sayGoingOn(run, created, run.ledger.uncertainSubmissions());
		}
	} finally {
		if (run.stoppedOrFailed.aborted) await remembered?.release();
		else void remembered?.clear();
	}
}
