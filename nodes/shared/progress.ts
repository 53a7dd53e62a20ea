import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { sanitizeText } from '../../api/sanitizeText';
import { systemTime } from '../../api/time';
import type { ServiceContext } from '../../api/transport';
import { inLines } from './texts';

/*
 * A running node cannot show its progress on n8n's canvas. It writes to n8n's log and, in a manual run,
 * to the browser's console.
 */

/** Shortest time between two lines about a batch. */
const BATCH_LOG_INTERVAL_MS = 30_000;

/** A pause of at least this length is logged at once if the last line is older than 30 s. */
const LONG_PAUSE_MS = 5_000;

/** The node and execution of a line: several executions share n8n's log. */
function runName(context: IExecuteFunctions): string {
	return `${context.getNode().name} (execution ${context.getExecutionId()})`;
}

/** Writes a line to n8n's log and, in a manual run, to the browser's console. */
export function say(context: IExecuteFunctions, text: string, meta: IDataObject = {}): void {
	const line = `Audio editing: ${sanitizeText(text)}`;
	context.logger.info(line, meta);
	context.sendMessageToUI?.(line);
}

/** Like `say`, and names the node and execution. */
export function sayProgress(context: IExecuteFunctions, text: string): void {
	say(context, `${runName(context)}: ${text}`);
}

/**
 * Names the edits that still run after Stop: n8n keeps no output of a stopped node.
 *
 * @param uncertain how many submissions had no response yet, so that their edits are unknown
 */
export function sayGoingOn(
	context: IExecuteFunctions,
	editIds: readonly string[],
	uncertain = 0,
): void {
	const run = runName(context);
	const lines = inLines(editIds.map(sanitizeText)).map(
		(ids) => `${run} was stopped; these edits keep running at the service and are charged: ${ids}`,
	);
	if (uncertain > 0) {
		lines.push(
			`${run} was stopped while ${uncertain} edit(s) were being submitted, which the service may have accepted: look at your recent edits there`,
		);
	}
	for (const line of lines) {
		context.logger.warn(`Audio editing: ${line}`);
		context.sendMessageToUI?.(`Audio editing: ${line}`);
	}
}

/** The current batch of each node run. */
const batches = new WeakMap<ServiceContext, Batch>();

/** Logs how many items of a batch are done, how long that took, and when the next one is due. */
export class Batch {
	private readonly beganAtMs = systemTime.now();

	/** The time that the last line covers, with the pause it announced. */
	private loggedUntilMs = -Infinity;

	private done = 0;

	/**
	 * @param verb what was done to an item, such as `submitted`
	 * @param noun the items in the plural, such as `edits`
	 */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly verb: string,
		private readonly noun: string,
		private readonly total: number,
	) {
		batches.set(context, this);
	}

	step(): void {
		this.done += 1;
		const isLast = this.done === this.total && this.loggedUntilMs > -Infinity;
		if (isLast || this.isDue(systemTime.now())) this.say();
	}

	/** The next item waits for the rate limit. */
	pause(waitMs: number): void {
		const nowMs = systemTime.now();
		const isLong = waitMs >= LONG_PAUSE_MS && nowMs - this.loggedUntilMs >= BATCH_LOG_INTERVAL_MS;
		if (!isLong && waitMs < BATCH_LOG_INTERVAL_MS && !this.isDue(nowMs)) return;
		this.say(`, the next in ${Math.ceil(waitMs / 1_000)} s (rate limit of the API key)`);
		this.loggedUntilMs = nowMs + waitMs;
	}

	private isDue(nowMs: number): boolean {
		return nowMs - Math.max(this.loggedUntilMs, this.beganAtMs) >= BATCH_LOG_INTERVAL_MS;
	}

	private say(next = ''): void {
		const nowMs = systemTime.now();
		this.loggedUntilMs = nowMs;
		const seconds = Math.round((nowMs - this.beganAtMs) / 1_000);
		const count = `${this.verb} ${this.done} of ${this.total} ${this.noun}`;
		sayProgress(this.context, `${count} after ${seconds} s${next}`);
	}
}

/** Logs that the batch of this node run waits for the rate limit. */
export function sayPause(context: ServiceContext, waitMs: number): void {
	batches.get(context)?.pause(waitMs);
}
