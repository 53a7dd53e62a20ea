import type { IExecuteFunctions } from 'n8n-workflow';

import { sanitizeText } from '../../api/sanitizeText';
import { systemTime } from '../../api/time';
import type { StatusChange, WaitView } from '../../waiting/polledEdit';
import { because, listed } from '../shared/texts';
import { say, sayProgress } from '../shared/progress';

/** Up to this many edits, each change of status is a line; with more, a line has the counts. */
const EDITS_LOGGED_SINGLY = 10;

/** Longest time without a line. */
const LOG_INTERVAL_MS = 60_000;

/** Statuses in a line; the service may add any number of them. */
const STATUSES_NAMED_AT_MOST = 10;

/** Logs the progress of a wait. */
export class WaitProgress {
	private loggedAtMs = systemTime.now();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly editCount: number,
	) {}

	changed(editId: string, change: StatusChange): void {
		if (logStatus(this.context, this.editCount, editId, change)) {
			this.loggedAtMs = systemTime.now();
		}
	}

	/** Call it after each status call, also after a failed one. */
	polled(view: WaitView): void {
		const { edits } = view;
		const isDone = this.editCount > EDITS_LOGGED_SINGLY && edits.every(({ end }) => end);
		if (systemTime.now() - this.loggedAtMs < LOG_INTERVAL_MS && !isDone) return;
		this.loggedAtMs = systemTime.now();
		sayProgress(this.context, textOf(view) + progressText(this.editCount, view));
	}
}

/**
 * Logs that an edit has another status: as a line for the user if there are only a few edits, otherwise
 * for debugging. Returns whether it was a line.
 */
export function logStatus(
	context: IExecuteFunctions,
	editCount: number,
	editId: string,
	{ status, atSeconds, progress, reason }: StatusChange,
): boolean {
	const more = progress?.text ? ` (${progress.text})` : because(reason);
	const text = `edit ${editId} ${status} after ${atSeconds} s${more}`;
	const meta = { editId, status, atSeconds };
	if (editCount > EDITS_LOGGED_SINGLY) {
		context.logger.debug(`Audio editing: ${text}`, meta);
		return false;
	}
	say(context, text, meta);
	return true;
}

/** Such as `; edit a: 12 of 40, encode`, for each edit at work if there are only a few. */
export function progressText(editCount: number, { edits }: WaitView): string {
	if (editCount > EDITS_LOGGED_SINGLY) return '';
	const running = edits.filter(({ end, progress }) => end === undefined && progress?.text);
	return running.map(({ editId, progress }) => `; edit ${editId}: ${progress?.text}`).join('');
}

/** Such as `12 of 300 edits finished after 185 s (PENDING 278, EDITING 10)`. */
function textOf({ edits, waitedSeconds }: WaitView): string {
	const counts = new Map<string, number>();
	for (const { end, status, polls } of edits) {
		if (end !== undefined) continue;
		const name = polls === 0 ? 'not polled yet' : sanitizeText(status);
		counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	const running = [...counts].sort(([, a], [, b]) => b - a).map(([name, n]) => `${name} ${n}`);
	const finished = edits.filter(({ end }) => end !== undefined).length;
	const rest = running.length > 0 ? ` (${listed(running, STATUSES_NAMED_AT_MOST)})` : '';
	const causes = new Set(
		edits.flatMap(({ failure }) => (failure ? [failure.status ?? failure.kind] : [])),
	);
	const trouble = causes.size > 0 ? `; failed status calls: ${[...causes].join(', ')}` : '';
	const seconds = Math.round(waitedSeconds);
	return `${finished} of ${edits.length} edits finished after ${seconds} s${rest}${trouble}`;
}
