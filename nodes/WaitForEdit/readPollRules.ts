import { DEFAULT_POLL_RULES, type PollRules } from '../../waiting/schedule';
import { readAmount } from '../shared/form/parameters';
import type { NodeRun } from '../shared/run/nodeRun';

/** A year: dates far beyond it cannot be represented. */
const WAIT_MAXIMUM_MS = 365 * 86_400_000;

/** The field 'Maximum Wait' in milliseconds, at most a year. */
export function maximumWaitMs(run: NodeRun): number {
	const minutes: unknown = run.parameter('maximumWaitMinutes', 0);
	const waitMs = readAmount(run, 0, 'Maximum Wait (Minutes)', minutes) * 60_000;
	return Math.min(waitMs, WAIT_MAXIMUM_MS);
}

/** When to ask about edits, from the first item's options. */
export function readPollRules(run: NodeRun): PollRules {
	const { firstPollDelayMs, pollIntervalMs, pendingNoticeMs } = DEFAULT_POLL_RULES;
	const amountMs = (label: string, name: string, unitMs: number, defaultMs: number) =>
		readAmount(run, 0, label, optionOf(run, name, defaultMs / unitMs)) * unitMs;
	const first = 'First Poll After (Seconds)';
	const interval = 'Poll Interval (Seconds)';
	const notice = 'Warn After Pending (Minutes)';
	return {
		maximumWaitMs: maximumWaitMs(run),
		firstPollDelayMs: amountMs(first, 'firstPollDelaySeconds', 1_000, firstPollDelayMs),
		pollIntervalMs: amountMs(interval, 'pollIntervalSeconds', 1_000, pollIntervalMs),
		pendingNoticeMs: amountMs(notice, 'pendingNoticeMinutes', 60_000, pendingNoticeMs),
	};
}

/** Whether an item succeeds when the time is up before its edit finishes. */
export function readPassesOn(run: NodeRun): boolean {
	const chosen = run.parameter('whileWaiting', 0);
	// The other modes hide the field 'When Time Is Up'.
	const canFail = chosen === 'keepRunning' || chosen === 'automatic';
	return !canFail || run.parameter('whenTimeIsUp', 0, 'fail') === 'passOn';
}

/** Whether Stop deletes the edits that are not finished, from the first item's options. */
export function readDeletesWhenStopped(run: NodeRun): boolean {
	return optionOf(run, 'whenStopped', 'leave') === 'delete';
}

/** One option of the first item. Other options belong to its edit, and their expressions may fail for it alone. */
function optionOf(run: NodeRun, name: string, otherwise: number | string): unknown {
	return run.parameter(`options.${name}`, 0, otherwise);
}
