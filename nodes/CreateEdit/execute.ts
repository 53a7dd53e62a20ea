import { asNodeError } from '../core/errors/failedItems';
import { filesOf } from '../core/form/parameters';
import { sayGoingOn } from '../core/output/progress';
import type { NodeWork } from '../core/run/runNode';
import { RememberedRecordings } from '../core/skip/rememberedRecordings';
import { type SkipRule, skipRuleFor } from '../core/skip/skipRule';
import { CODE_WORDS, type Skipped, skippedItem } from '../core/skip/skippedItem';
import { lookUpError, verdictOn } from '../core/skip/verdict';
import { type PreparedRequest, recordingRequestOf } from '../core/submit/prepareEdit';
import { type ReadRequest, readRequest } from './readRequest';
import { overLimit, refuseOverspending } from '../core/submit/spending';
import {
	type SubmittedEdit,
	acceptedNote,
	recordingOf,
	reviewUrlOf,
	sentIn,
	submitEdit,
	submittedBefore,
} from '../core/submit/submitEdit';
import type { NodeRun } from '../core/run/nodeRun';

/** What the recordings of a run share, if recordings already edited are skipped. */
interface KnownRecordings {
	/** By the index of the first item; an exception is that of the item. */
	readonly rules: Map<number, { readonly rule: SkipRule } | { readonly error: unknown }>;
	remembered?: RememberedRecordings;
	lookUpFailure?: unknown;
	/** Why nothing is submitted although edits of earlier executions are output. */
	refusal?: Error;
}

/**
 * Submits the recordings of all items. The runner reads every form before the first request, so that a
 * mistake in the last item cannot end the node after the other edits were charged.
 */
export function createWork(run: NodeRun): NodeWork<ReadRequest> {
	const known: KnownRecordings = { rules: new Map() };
	return {
		groups: recordings(run),
		read: (itemIndices) => readRequest(run, itemIndices),
		begin: async (requests) => await begin(run, known, requests),
		handle: async ({ prepared }) => await createEdit(run, known, prepared),
		known: (_itemIndex, request) => ({ ...request?.prepared.names }),
		// n8n stores the ledger with the execution, so a retry finds it.
		onRetry:
			"Edits that already exist are not charged again, unless you change the edit's file or options.",
		endingNote: (itemIndex) => acceptedNote(run, itemIndex),
		progress: ['submitted', 'edits'],
		sumsUp: true,
		finish: () => finish(run, known),
	};
}

/** Looks up the recordings, and refuses a run that would spend more than the form allows. */
async function begin(
	run: NodeRun,
	known: KnownRecordings,
	requests: readonly ReadRequest[],
): Promise<void> {
	await lookUp(run, known, requests);
	const planned = requests.filter(({ prepared }) => {
		const found = known.rules.get(prepared.itemIndex);
		const rule = found !== undefined && 'rule' in found ? found.rule : undefined;
		const state = rule && known.remembered?.of(rule.key)?.state;
		return state === undefined || state === 'new';
	});
	try {
		const submissions = planned.map(({ prepared, recognized }) => ({
			...prepared,
			skip: recognized,
		}));
		await refuseOverspending(run, submissions);
	} catch (error) {
		const fetches = known.remembered?.hasOpenEdit === true && error instanceof Error;
		if (!fetches) throw asNodeError(run.node, error, 0);
		known.refusal = error;
	}
}

async function lookUp(
	run: NodeRun,
	known: KnownRecordings,
	requests: readonly ReadRequest[],
): Promise<void> {
	const rules: SkipRule[] = [];
	for (const { prepared, configuration, recognized } of requests) {
		if (recognized === undefined) continue;
		const { itemIndex, isNoise } = prepared;
		try {
			const request = { ...recordingRequestOf(configuration), isNoise };
			const rule = await skipRuleFor(recognized.choice, recognized.identity, request);
			known.rules.set(itemIndex, { rule });
			rules.push(rule);
		} catch (error) {
			known.rules.set(itemIndex, { error });
		}
	}
	if (rules.length === 0) return;
	// A recording must not stay uncertain because the credential cannot be used.
	await run.openService();
	try {
		known.remembered = await RememberedRecordings.open(run, rules);
	} catch (error) {
		known.lookUpFailure = error;
	}
}

/** Submits one recording and returns its output, with the edit's ID, or skips a recording already edited. */
async function createEdit(run: NodeRun, known: KnownRecordings, prepared: PreparedRequest) {
	const { itemIndices, itemIndex } = prepared;
	const files = filesOf(run, itemIndices);
	await run.openService();
	const earlier = submittedBefore(run, prepared);
	const found = known.rules.get(itemIndex);
	if (found !== undefined && 'error' in found) throw asNodeError(run.node, found.error, itemIndex);
	const created =
		earlier ??
		(found === undefined
			? await submitEdit(run, prepared)
			: await submitUnlessKnown(run, known, prepared, found.rule));
	if ('code' in created) {
		run.progress?.moved(itemIndex, 'skipped');
		run.summary?.skipped(itemIndex, CODE_WORDS[created.code]);
		const item = skippedItem(created, recordingOf(prepared), files);
		// An agent's model reads the first output only.
		return run.isTool ? [[item]] : [[], [item]];
	}
	if (found !== undefined) known.remembered?.deliver(found.rule.key);
	const { editId, sent, submittedAt, firstPollAfterSeconds } = created;
	const reviewUrl = await reviewUrlOf(run, created);
	const more = {
		...(firstPollAfterSeconds !== undefined && { firstPollAfterSeconds }),
		...(reviewUrl && { reviewUrl }),
	};
	return [[{ json: { editId, ...sent, submittedAt, ...more }, ...files }]];
}

async function submitUnlessKnown(
	run: NodeRun,
	known: KnownRecordings,
	prepared: PreparedRequest,
	rule: SkipRule,
): Promise<SubmittedEdit | Skipped> {
	const { itemIndex } = prepared;
	const { remembered, lookUpFailure, refusal } = known;
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
	const { key, request } = rule;
	const skip = { key, request };
	return await submitEdit(run, { ...prepared, skip }, remembered.of(rule.key));
}

/** One recording for each item, or a single one with all items as its tracks. */
function recordings(run: NodeRun): number[][] {
	const all = run.items.map((_item, index) => index);
	const areTracks = run.parameter('itemsAre', 0) === 'tracks';
	return areTracks ? [all] : all.map((index) => [index]);
}

/** After Stop, logs the edits that still run on the service. Otherwise clears what was output from the memory. */
async function finish(run: NodeRun, { remembered }: KnownRecordings): Promise<void> {
	if (run.isStopped) {
		const edits = run.labelsOfCreated();
		sayGoingOn(run, edits, run.ledger.uncertainSubmissions());
	}
	if (run.stoppedOrFailed.aborted) await remembered?.release();
	else void remembered?.clear();
}
