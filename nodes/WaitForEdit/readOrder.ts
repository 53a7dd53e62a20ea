import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { DEFAULT_POLL_RULES, POLL_INTERVAL_FLOOR_MS, type PollRules } from '../../waiting/schedule';
import type { WatchedEdit } from '../../waiting/watch';
import type { WhileWaiting } from './fields';

/** What the form of Wait For Edit asks for. */
export interface WaitOrder {
	readonly watched: readonly WatchedEdit[];
	readonly rules: PollRules;
	/** Whether edits that still run when the time is up are a good end. */
	readonly passesOn: boolean;
	readonly deletesWhenStopped: boolean;
}

interface WaitOptions {
	firstPollDelaySeconds?: number;
	pollIntervalSeconds?: number;
	pendingNoticeMinutes?: number;
	whenStopped?: 'leave' | 'delete';
}

/** Reads the form. What concerns the wait as a whole is read from the first item. */
export function readOrder(context: IExecuteFunctions): WaitOrder {
	const options = context.getNodeParameter('options', 0, {}) as WaitOptions;
	const mode = context.getNodeParameter('whileWaiting', 0) as WhileWaiting;
	const passesOn =
		mode === 'handOver' || context.getNodeParameter('whenTimeIsUp', 0, 'fail') === 'passOn';
	return {
		watched: context.getInputData().map((item, index) => readWatched(context, item, index)),
		rules: readRules(maximumWaitMs(context), options),
		passesOn,
		deletesWhenStopped: options.whenStopped === 'delete',
	};
}

/** The form's patience in milliseconds. */
export function maximumWaitMs(context: IExecuteFunctions): number {
	const minutes = Number(context.getNodeParameter('maximumWaitMinutes', 0));
	return Math.max(0, Number.isFinite(minutes) ? minutes : 0) * 60_000;
}

function readWatched(
	context: IExecuteFunctions,
	{ json }: INodeExecutionData,
	itemIndex: number,
): WatchedEdit {
	const editId = String(context.getNodeParameter('editId', itemIndex, '') ?? '').trim();
	const submittedAtMs = Date.parse(String(json.submittedAt ?? ''));
	return Number.isNaN(submittedAtMs) ? { editId } : { editId, submittedAtMs };
}

function readRules(maximumMs: number, options: WaitOptions): PollRules {
	const { firstPollDelaySeconds, pollIntervalSeconds, pendingNoticeMinutes } = options;
	const orDefault = (value: number | undefined, unitMs: number, defaultMs: number) =>
		value === undefined ? defaultMs : Math.max(0, value) * unitMs;
	const { firstPollDelayMs, pollIntervalMs, pendingNoticeMs } = DEFAULT_POLL_RULES;
	return {
		maximumWaitMs: maximumMs,
		firstPollDelayMs: orDefault(firstPollDelaySeconds, 1_000, firstPollDelayMs),
		pollIntervalMs: Math.max(
			POLL_INTERVAL_FLOOR_MS,
			orDefault(pollIntervalSeconds, 1_000, pollIntervalMs),
		),
		pendingNoticeMs: orDefault(pendingNoticeMinutes, 60_000, pendingNoticeMs),
	};
}
