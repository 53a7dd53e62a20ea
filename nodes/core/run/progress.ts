import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { sanitizeText } from '../../../api/sanitizeText';
import { systemTime } from '../../../api/time';
import type { PolledEdit } from '../../../waiting/polledEdit';
import type { StatusChange } from '../../../waiting/waitReport';
import { inLines, listed } from '../texts';

/*
 * A running node cannot show its progress on n8n's canvas. It writes to n8n's log and, in a manual run,
 * to the browser's console.
 */

/** The run that a line is about. */
interface LoggedRun {
	readonly node: INode;
	readonly context: IExecuteFunctions;
	/** An edit's ID, with the name of its recording. */
	readonly labelOf: (editId: string) => string;
}

/** A line a minute, while something happens. */
const INTERVAL_MS = 60_000;

/** The first pause of at least this length is a line at once. */
const LONG_PAUSE_MS = 5_000;

/** Up to this many items, each change of an edit's status is a line; with more, a line has the counts. */
const EDITS_LOGGED_SINGLY = 10;

/** Statuses in a line; the service may add any number of them. */
const MAX_STATUSES_NAMED = 10;

/** Failed recordings in a line, the last ones first. */
const MAX_FAILED_NAMED = 10;

/** Stages after which nothing more is done for an item, in the words of a line. */
const ENDED = ['done', 'failed', 'skipped', 'still running when time was up'] as const;

/** Stages before, in the order of a line. */
const UNDER_WAY = [
	'uploading or waiting for the rate limit',
	'on the service',
	'downloading',
] as const;

/** How far an item is. */
export type Stage = (typeof ENDED)[number] | (typeof UNDER_WAY)[number];

function isEnd(stage: Stage | undefined): boolean {
	return ENDED.some((ended) => ended === stage);
}

/** Writes a line to n8n's log and, in a manual run, to the browser's console. */
export function say(
	{ context }: Pick<LoggedRun, 'context'>,
	text: string,
	meta: IDataObject = {},
): void {
	const line = `Audio editing: ${sanitizeText(text)}`;
	context.logger.info(line, meta);
	context.sendMessageToUI(line);
}

/**
 * Names the edits that still run after Stop: n8n keeps no output of a stopped node.
 *
 * @param uncertain how many submissions had no response yet, so that their edits are unknown
 */
export function sayGoingOn(
	run: Omit<LoggedRun, 'labelOf'>,
	edits: readonly string[],
	uncertain = 0,
): void {
	const warn = (said: string) => {
		const line = `Audio editing: ${nameOf(run)} was stopped${said}`;
		run.context.logger.warn(line);
		run.context.sendMessageToUI(line);
	};
	for (const ids of inLines(edits.map(sanitizeText))) {
		warn(`; these edits keep running on the service: ${ids}`);
	}
	if (uncertain === 0) return;
	warn(
		` while ${uncertain === 1 ? 'an edit was' : `${uncertain} edits were`} being submitted, which the service may have accepted: look at your recent edits there`,
	);
}

/** The node and execution of a line: several executions share n8n's log. */
function nameOf({ node, context }: Omit<LoggedRun, 'labelOf'>): string {
	return `${node.name} (execution ${context.getExecutionId()})`;
}

/** Logs how far the items of a run are, how long that took, and what is waited for. */
export class Progress {
	private readonly beganAtMs = systemTime.now();

	private loggedAtMs = -Infinity;

	/** The same, after the pause that the last line announced. */
	private loggedUntilMs = -Infinity;

	private readonly stages = new Map<number, Stage>();

	private endedCount = 0;

	/** The names of the recordings that failed, the last first. */
	private readonly failedNames: string[] = [];

	/** The edits of the wait as last seen. */
	private edits: readonly PolledEdit[] = [];

	/**
	 * @param words what is done to which things, such as `submitted` and `edits`
	 * @param total how many things there are
	 */
	constructor(
		private readonly run: LoggedRun,
		private readonly words: readonly [verb: string, noun: string],
		private readonly total: number,
	) {}

	/** An item is in its next stage; one that has ended stays as it is. */
	moved(itemIndex: number, stage: Stage): void {
		if (isEnd(this.stages.get(itemIndex))) return;
		this.stages.set(itemIndex, stage);
		if (isEnd(stage)) this.endedCount += 1;
		const isLast = this.total > 1 && this.endedCount === this.total;
		if (isLast || this.isMinuteAfter(this.loggedUntilMs)) this.say();
	}

	/** An item has failed. @param name of its recording, empty if unknown */
	failed(itemIndex: number, name: string): void {
		const isNew = !isEnd(this.stages.get(itemIndex));
		if (isNew) this.failedNames.unshift(name || `item ${itemIndex}`);
		this.moved(itemIndex, 'failed');
	}

	/** The next item waits for the rate limit. */
	pause(waitMs: number): void {
		const isFirst = waitMs >= LONG_PAUSE_MS && this.loggedAtMs === -Infinity;
		if (isFirst || this.isMinuteAfter(this.loggedAtMs)) this.say(waitMs);
	}

	/** An edit has another status: a line if there are only a few edits, otherwise for debugging. */
	statusChanged(editId: string, { status, atSeconds, progress, reason }: StatusChange): void {
		const why = reason ? `: ${reason}` : '';
		const more = progress?.text ? ` (${progress.text})` : why;
		const text = `edit ${this.run.labelOf(editId)} ${status} after ${atSeconds} s${more}`;
		const meta = { editId, status, atSeconds };
		if (this.total > EDITS_LOGGED_SINGLY) {
			this.run.context.logger.debug(`Audio editing: ${text}`, meta);
			return;
		}
		say(this.run, text, meta);
		this.loggedAtMs = this.loggedUntilMs = systemTime.now();
	}

	/** Call it after each status call, also after a failed one. */
	polled(edits: readonly PolledEdit[]): void {
		this.edits = edits;
		if (this.isMinuteAfter(this.loggedUntilMs)) this.say();
	}

	private isMinuteAfter(atMs: number): boolean {
		return systemTime.now() - Math.max(atMs, this.beganAtMs) >= INTERVAL_MS;
	}

	private count(stage: Stage): number {
		return [...this.stages.values()].filter((one) => one === stage).length;
	}

	/**
	 * Such as `12 of 300 edits finished after 185 s, about 71 min left (1 failed, 287 on the service: PENDING 280,
	 * EDITING 7); failed: rec-150.mp3`.
	 *
	 * @param waitMs until the next item begins, if it waits for the rate limit
	 */
	private say(waitMs = 0): void {
		const nowMs = systemTime.now();
		this.loggedAtMs = nowMs;
		this.loggedUntilMs = nowMs + waitMs;
		const [verb, noun] = this.words;
		const elapsedMs = nowMs - this.beganAtMs;
		const seconds = Math.round(elapsedMs / 1_000);
		const left = this.timeLeft(elapsedMs + waitMs);
		const next =
			waitMs > 0 ? `, the next in ${Math.ceil(waitMs / 1_000)} s (rate limit of the API key)` : '';
		const counts = [...ENDED.slice(1), ...UNDER_WAY].flatMap((stage) => {
			const number = this.count(stage);
			const statuses = stage === 'on the service' ? this.statuses() : '';
			return number > 0 ? [`${number} ${stage}${statuses}`] : [];
		});
		const rest = counts.length > 0 ? ` (${counts.join(', ')})` : '';
		const text = `${this.count('done')} of ${this.total} ${noun} ${verb} after ${seconds} s${left}${rest}`;
		const more = [next, this.namesOfFailed(), this.troubles(), this.atWork()].join('');
		say(this.run, `${nameOf(this.run)}: ${text}${more}`);
	}

	/** Such as `, about 71 min left`: as if the rest went on as what is done. Empty while nothing is. */
	private timeLeft(elapsedMs: number): string {
		const running = this.doneOfRunning();
		const done = this.count('done') + running;
		const left = this.total - this.endedCount - running;
		if (done === 0 || this.endedCount === this.total) return '';
		return `, about ${Math.ceil((elapsedMs * left) / done / 60_000)} min left`;
	}

	/** What is done of the edits that run, where the service says how far it is; 1 for a whole edit. */
	private doneOfRunning(): number {
		const shares = this.edits.map(({ end, progress }) => {
			const { done = 0, total = 0 } = progress ?? {};
			return end === undefined && done > 0 && done <= total ? done / total : 0;
		});
		return shares.reduce((sum, share) => sum + share, 0);
	}

	/** Such as `; failed: rec-150.mp3`. */
	private namesOfFailed(): string {
		const { failedNames } = this;
		return failedNames.length > 0 ? `; failed: ${listed(failedNames, MAX_FAILED_NAMED)}` : '';
	}

	/** Such as `: PENDING 278, EDITING 10`. */
	private statuses(): string {
		const counts = new Map<string, number>();
		for (const { end, status, polls } of this.edits) {
			if (end !== undefined) continue;
			const name = polls === 0 ? 'not polled yet' : sanitizeText(status);
			counts.set(name, (counts.get(name) ?? 0) + 1);
		}
		const running = [...counts].sort(([, a], [, b]) => b - a).map(([name, n]) => `${name} ${n}`);
		return running.length > 0 ? `: ${listed(running, MAX_STATUSES_NAMED)}` : '';
	}

	private troubles(): string {
		const failures = this.edits.flatMap(({ failure }) => (failure ? [failure] : []));
		const causes = new Set(failures.map(({ status, kind }) => status ?? kind));
		return causes.size > 0 ? `; failed status calls: ${[...causes].join(', ')}` : '';
	}

	/** Such as `; edit a: 12 of 40, encode`, for each edit at work if there are only a few. */
	private atWork(): string {
		if (this.total > EDITS_LOGGED_SINGLY) return '';
		const running = this.edits.filter(({ end, progress }) => !end && progress?.text);
		const label = (editId: string) => this.run.labelOf(editId);
		return running
			.map(({ editId, progress }) => `; edit ${label(editId)}: ${progress?.text}`)
			.join('');
	}
}
