import { isLoopback } from '../../../api/credential';
import { reviewEndIn, reviewUrlIn } from '../../../api/contract';
import { messageOf } from '../../../api/failure';
import { sanitizeText } from '../../../api/sanitizeText';
import { systemTime } from '../../../api/time';
import { MAX_WAIT_MINUTES } from './fields';
import { WHERE_TO_REVIEW, stateText, until } from './waitError';
import { PENDING_NOTE } from '../errors/failureTexts';
import { readAmount } from '../form/parameters';
import type { Form, Options } from '../form/values';
import { deleteAll } from '../output/deleteAll';
import type { NodeRun } from '../run/nodeRun';
import { sayGoingOn } from '../run/progress';
import type { Service } from '../run/service';
import {
	type PollRules,
	DEFAULT_POLL_RULES,
	FIRST_POLL_OF_LOOPBACK_MS,
} from '../../../waiting/schedule';
import { WaitLoop } from '../../../waiting/waitForEdits';
import type { EndedWait, WaitReport } from '../../../waiting/waitReport';

/** From Stop to the last deletion. The rate limit of status calls allows 300 deletions a minute. */
const DELETION_LIMIT_MS = 60_000;

/** An edit to wait for, as Create Edit outputs it. */
export interface WatchedEdit {
	readonly editId: string;
	readonly submittedAt?: unknown;
	/** When the service asked for the first poll, where it did. */
	readonly firstPollAfterSeconds?: unknown;
}

/** The wait of a node run: one loop polls the edits of all its items. */
export class EditWait {
	/** By edit ID: two items may carry the same edit. Without those that succeeded, whose texts are long. */
	private readonly waits = new Map<string, Promise<WaitReport>>();

	/** By edit ID, in the order in which the waits began; undefined for those that have not ended. */
	private readonly endedById = new Map<string, EndedWait | undefined>();

	/** Whether an item succeeds when the time is up before its edit finishes. A model reads that, and calls again. */
	private readonly passesOn: boolean;

	private readonly rules;

	private loop?: WaitLoop;

	private readonly deletesWhenStopped: boolean;

	/** @param settings what the form says for all items */
	constructor(
		private readonly run: NodeRun,
		settings: Form,
	) {
		const { whenStopped, whenTimeIsUp = run.isTool ? 'passOn' : 'fail' } = settings.options;
		this.passesOn = whenTimeIsUp !== 'fail';
		this.deletesWhenStopped = whenStopped === 'delete';
		this.rules = readPollRules(run, settings);
	}

	/**
	 * Waits for an item's edit, together with those of all other items. Only the caller keeps what is read of it:
	 * an edit that has succeeded is read again for an item that comes later.
	 */
	async until({ editId, submittedAt, firstPollAfterSeconds }: WatchedEdit): Promise<WaitReport> {
		const service = await this.run.openService();
		this.loop ??= this.newLoop(service);
		const isAsked = typeof firstPollAfterSeconds === 'number' && firstPollAfterSeconds > 0;
		// A service on this machine is asked early, unless it asked for another time.
		const earlyMs = isLoopback(service.origin) ? FIRST_POLL_OF_LOOPBACK_MS : undefined;
		const firstPollAfterMs = isAsked ? firstPollAfterSeconds * 1_000 : earlyMs;
		const wait =
			this.waits.get(editId) ??
			this.loop.add({ editId, submittedAtMs: submittedAtMsOf(submittedAt), firstPollAfterMs });
		this.waits.set(editId, wait);
		this.endedById.set(editId, this.endedById.get(editId));
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
		return end === 'succeeded' || (end === 'stillRunning' && this.passesOn);
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
		const isDeleted = this.deletesWhenStopped && (await deleteUnfinished(run, unfinished));
		const left = isDeleted ? [] : unfinished.map((report) => stateText(run, report));
		sayGoingOn(run, left, uncertain);
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
			onReview: ({ editId }, endsAtMs) => {
				// The link works without a key, so it is not for the log.
				const text = `waits${until(endsAtMs)} for a person to approve its cuts. ${WHERE_TO_REVIEW}`;
				run.context.logger.info(`Audio editing: edit ${run.labelOf(editId)} ${text}`, { editId });
			},
			onEnd: (report) => {
				sayReview(run, report);
				const ended = { ...report, edit: undefined };
				this.endedById.set(report.editId, ended);
				if (report.end === 'succeeded') this.waits.delete(report.editId);
				if (!this.isPassedOn(report)) run.endUnlessItContinues();
			},
		});
	}
}

/** Says where an edit is reviewed that an item goes on with. Only its output may have the link. */
function sayReview(run: NodeRun, { end, edit, editId }: WaitReport): void {
	const url = end === 'stillRunning' && edit ? reviewUrlIn(edit) : undefined;
	if (edit === undefined || url === undefined) return;
	const text = `waits${until(reviewEndIn(edit))} for a person to approve its cuts: ${url}`;
	run.hints.add(text, `edit ${editId}`, 'info');
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

/**
 * Deletes edits after Stop, for at most a minute. Logs each deleted edit, and those that are left.
 *
 * @returns whether it could try; n8n may not give the credential any more
 */
async function deleteUnfinished(run: NodeRun, unfinished: readonly EndedWait[]): Promise<boolean> {
	const isOver = new AbortController();
	void systemTime.sleep(DELETION_LIMIT_MS, isOver.signal).then(() => isOver.abort());
	try {
		const service = await run.openServiceUntil(isOver.signal);
		const editIds = unfinished.map(({ editId }) => editId);
		await deleteAll(run, service, editIds, {
			done: 'deleted after the execution was stopped',
			left: 'the execution was stopped, but these edits could not be deleted and are still on the service',
		});
		return true;
	} catch (error) {
		const reason = sanitizeText(messageOf(error));
		run.context.logger.warn(`Audio editing: no edit could be deleted after Stop: ${reason}`);
		return false;
	} finally {
		isOver.abort();
	}
}

/** A year: dates far beyond it cannot be represented. */
const MAX_WAIT_MS = 365 * 86_400_000;

/** When to ask about edits. @param settings what the form says for all items */
export function readPollRules(run: NodeRun, { options }: Form): PollRules {
	const { firstPollDelayMs, pollIntervalMs, pendingNoticeMs } = DEFAULT_POLL_RULES;
	const amountMs = (name: keyof Options, label: string, unitMs: number, defaultMs: number) =>
		name in options ? readAmount(run, 0, label, options[name]) * unitMs : defaultMs;
	const first = 'First Poll After (Seconds)';
	const interval = 'Poll Interval (Seconds)';
	const notice = 'Warn After Pending (Minutes)';
	const longest = 'Maximum Wait (Minutes)';
	const maxWaitMs = amountMs('maximumWaitMinutes', longest, 60_000, MAX_WAIT_MINUTES * 60_000);
	return {
		maxWaitMs: Math.min(maxWaitMs, MAX_WAIT_MS),
		// A model must not wait for a person.
		isMaxWaitSet: run.isTool || 'maximumWaitMinutes' in options,
		isFirstPollSet: 'firstPollDelaySeconds' in options,
		firstPollDelayMs: amountMs('firstPollDelaySeconds', first, 1_000, firstPollDelayMs),
		pollIntervalMs: amountMs('pollIntervalSeconds', interval, 1_000, pollIntervalMs),
		pendingNoticeMs: amountMs('pendingNoticeMinutes', notice, 60_000, pendingNoticeMs),
	};
}
