import { isLoopback } from '../../../api/credential';
import { systemTime } from '../../../api/time';
import { MAXIMUM_WAIT_MINUTES } from './fields';
import { stateText } from './waitError';
import { PENDING_NOTE } from '../errors/failureTexts';
import { readAmount } from '../form/parameters';
import { deleteAll } from '../run/deleteAll';
import type { NodeRun } from '../run/nodeRun';
import { sayGoingOn } from '../output/progress';
import type { Service } from '../run/service';
import {
	type PollRules,
	DEFAULT_POLL_RULES,
	FIRST_POLL_OF_LOOPBACK_MS,
} from '../../../waiting/schedule';
import { WaitLoop } from '../../../waiting/waitForEdits';
import type { EndedWait, SubmittedEdit, WaitReport } from '../../../waiting/waitReport';

/** From Stop to the last deletion. The rate limit of status calls allows 300 deletions a minute. */
const DELETION_LIMIT_MS = 60_000;

interface WaitOptions {
	/** Whether an item succeeds when the time is up before its edit finishes. */
	readonly passesOn: boolean;
}

/** The wait of a node run: one loop polls the edits of all its items. */
export class EditWait {
	/** By edit ID: two items may carry the same edit. Without those that succeeded, whose texts are long. */
	private readonly waits = new Map<string, Promise<WaitReport>>();

	/** By edit ID, in the order in which the waits began; undefined for those that have not ended. */
	private readonly endedById = new Map<string, EndedWait | undefined>();

	private readonly rules;

	private loop?: WaitLoop;

	private readonly deletesWhenStopped: boolean;

	/** Reads the form; options of the whole wait come from the first item. */
	constructor(
		private readonly run: NodeRun,
		private readonly options: WaitOptions,
	) {
		this.rules = readPollRules(run);
		this.deletesWhenStopped = readDeletesWhenStopped(run);
	}

	/**
	 * Waits for an item's edit, together with those of all other items. Only the caller keeps what is read of it:
	 * an edit that has succeeded is read again for an item that comes later.
	 */
	async until(edit: SubmittedEdit): Promise<WaitReport> {
		const service = await this.run.openService();
		this.loop ??= this.newLoop(service);
		// Such a service is asked early, unless it asked for another time.
		const early = isLoopback(service.origin) && { firstPollAfterMs: FIRST_POLL_OF_LOOPBACK_MS };
		const wait = this.waits.get(edit.editId) ?? this.loop.add({ ...early, ...edit });
		this.waits.set(edit.editId, wait);
		this.endedById.set(edit.editId, this.endedById.get(edit.editId));
		return await wait;
	}

	/** How the wait for an edit went, if it has ended. */
	endedWaitOf(editId: string): EndedWait | undefined {
		return this.endedById.get(editId);
	}

	/** The waits that have ended, in the order in which they began. */
	endedWaits(): EndedWait[] {
		return [...this.endedById.values()].flatMap((ended) => ended ?? []);
	}

	isPassedOn({ end }: EndedWait): boolean {
		return end === 'succeeded' || (end === 'stillRunning' && this.options.passesOn);
	}

	/**
	 * After Stop, deletes the edits that may still run if the user chose that; otherwise names them.
	 *
	 * @param uncertain how many submissions had no response yet
	 */
	async finish(uncertain = 0): Promise<void> {
		const { run } = this;
		if (!run.isStopped) return;
		// A vanished edit may still be on the service.
		const unfinished = this.endedWaits().filter(
			({ end }) => end === 'abandoned' || end === 'stillRunning' || end === 'vanished',
		);
		if (this.deletesWhenStopped) await deleteUnfinished(run, unfinished);
		sayGoingOn(
			run,
			this.deletesWhenStopped ? [] : unfinished.map((report) => stateText(run, report)),
			uncertain,
		);
	}

	private newLoop({ client, rateLimits }: Service): WaitLoop {
		const { run, rules } = this;
		return new WaitLoop([], rules, {
			time: systemTime,
			client,
			rateLimit: rateLimits.statusCalls,
			signal: run.stoppedOrFailed,
			onStatus: ({ editId }, change) => run.progress?.statusChanged(editId, change),
			onPoll: (edits) => run.progress?.polled(edits),
			onEndlessPending: ({ editId }, pendingSeconds) => {
				const minutes = Math.round(pendingSeconds / 60);
				const text = `PENDING for ${minutes} minutes, and has never had another status. ${PENDING_NOTE}`;
				run.context.logger.warn(`Audio editing: edit ${run.labelOf(editId)} is ${text}`, {
					editId,
				});
				run.hints.add(text, `edit ${editId}`);
			},
			onEnd: (report) => {
				const ended = { ...report, edit: undefined };
				this.endedById.set(report.editId, ended);
				if (report.end === 'succeeded') this.waits.delete(report.editId);
				if (!this.isPassedOn(report)) run.endUnlessItContinues();
			},
		});
	}
}

/**
 * When an edit was submitted, in milliseconds of the monotonic clock; undefined if the time is unreadable.
 *
 * @param submittedAt the time as Create Edit outputs it
 */
export function submittedAtMsOf(submittedAt: unknown): number | undefined {
	const ageMs = systemTime.timeOfDay() - Date.parse(String(submittedAt ?? ''));
	// If the submission lies in the future, the system clock was set back since.
	return Number.isNaN(ageMs) ? undefined : systemTime.now() - Math.max(0, ageMs);
}

/** When the service asked for the first poll, as Create Edit outputs it; nothing where it did not. */
export function firstPollAsked(seconds: unknown): Pick<SubmittedEdit, 'firstPollAfterMs'> {
	const isAsked = typeof seconds === 'number' && seconds > 0;
	return isAsked ? { firstPollAfterMs: seconds * 1_000 } : {};
}

/** Deletes edits after Stop, for at most a minute. Logs each deleted edit, and those that are left. */
async function deleteUnfinished(run: NodeRun, unfinished: readonly EndedWait[]): Promise<void> {
	const isOver = new AbortController();
	void systemTime.sleep(DELETION_LIMIT_MS, isOver.signal).then(() => isOver.abort());
	try {
		const service = await run.openServiceUntil(isOver.signal);
		const editIds = unfinished.map(({ editId }) => editId);
		await deleteAll(run, service, editIds, {
			done: 'deleted after the execution was stopped',
			left: 'the execution was stopped, but these edits could not be deleted and are still on the service',
		});
	} finally {
		isOver.abort();
	}
}

/** A year: dates far beyond it cannot be represented. */
const WAIT_MAXIMUM_MS = 365 * 86_400_000;

/** 'Maximum Wait' in milliseconds, at most a year. */
export function maxWaitMs(run: NodeRun): number {
	const minutes = run.option('maximumWaitMinutes', 0, MAXIMUM_WAIT_MINUTES);
	const waitMs = readAmount(run, 0, 'Maximum Wait (Minutes)', minutes) * 60_000;
	return Math.min(waitMs, WAIT_MAXIMUM_MS);
}

/** When to ask about edits, from the first item's options. */
export function readPollRules(run: NodeRun): PollRules {
	const { firstPollDelayMs, pollIntervalMs, pendingNoticeMs } = DEFAULT_POLL_RULES;
	const amountMs = (label: string, name: string, unitMs: number, defaultMs: number) =>
		readAmount(run, 0, label, run.option(name, 0, defaultMs / unitMs)) * unitMs;
	const first = 'First Poll After (Seconds)';
	const interval = 'Poll Interval (Seconds)';
	const notice = 'Warn After Pending (Minutes)';
	return {
		maxWaitMs: maxWaitMs(run),
		isFirstPollSet: run.option('firstPollDelaySeconds', 0, null) !== null,
		firstPollDelayMs: amountMs(first, 'firstPollDelaySeconds', 1_000, firstPollDelayMs),
		pollIntervalMs: amountMs(interval, 'pollIntervalSeconds', 1_000, pollIntervalMs),
		pendingNoticeMs: amountMs(notice, 'pendingNoticeMinutes', 60_000, pendingNoticeMs),
	};
}

/** What happens to an item whose edit is not finished in time. A model reads that, and calls again. */
export function readWhenTimeIsUp(run: NodeRun): unknown {
	return run.option('whenTimeIsUp', 0, run.isTool ? 'passOn' : 'fail');
}

/** Whether Stop deletes the edits that are not finished, from the first item's options. */
export function readDeletesWhenStopped(run: NodeRun): boolean {
	return run.option('whenStopped', 0) === 'delete';
}
