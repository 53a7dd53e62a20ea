import type { IExecuteFunctions } from 'n8n-workflow';

import { DEFAULT_POLL_RULES, type PollRules } from '../../waiting/schedule';
import { readAmount } from '../shared/parameters';

/** A year: dates far beyond it cannot be represented. */
const WAIT_MAXIMUM_MS = 365 * 86_400_000;

/** The field 'Maximum Wait' in milliseconds, at most a year. */
export function maximumWaitMs(context: IExecuteFunctions): number {
	const minutes: unknown = context.getNodeParameter('maximumWaitMinutes', 0);
	const waitMs = readAmount(context, 0, 'Maximum Wait (Minutes)', minutes) * 60_000;
	return Math.min(waitMs, WAIT_MAXIMUM_MS);
}

/** When to ask about edits, from the first item's options. */
export function readPollRules(context: IExecuteFunctions): PollRules {
	const { firstPollDelayMs, pollIntervalMs, pendingNoticeMs } = DEFAULT_POLL_RULES;
	const amountMs = (label: string, name: string, unitMs: number, defaultMs: number) =>
		readAmount(context, 0, label, optionOf(context, name, defaultMs / unitMs)) * unitMs;
	const first = 'First Poll After (Seconds)';
	const interval = 'Poll Interval (Seconds)';
	const notice = 'Warn After Pending (Minutes)';
	return {
		maximumWaitMs: maximumWaitMs(context),
		firstPollDelayMs: amountMs(first, 'firstPollDelaySeconds', 1_000, firstPollDelayMs),
		pollIntervalMs: amountMs(interval, 'pollIntervalSeconds', 1_000, pollIntervalMs),
		pendingNoticeMs: amountMs(notice, 'pendingNoticeMinutes', 60_000, pendingNoticeMs),
	};
}

/** Whether Stop deletes the edits that are not finished, from the first item's options. */
export function readDeletesWhenStopped(context: IExecuteFunctions): boolean {
	return optionOf(context, 'whenStopped', 'leave') === 'delete';
}

/** One option of the first item. Other options belong to its edit, and their expressions may fail for it alone. */
function optionOf(context: IExecuteFunctions, name: string, otherwise: number | string): unknown {
	return context.getNodeParameter(`options.${name}`, 0, otherwise);
}
