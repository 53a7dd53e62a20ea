import type { IExecuteFunctions } from 'n8n-workflow';

import { listed } from './listed';

/** Items or edits that a hint names; the rest is counted. */
const NAMED_AT_MOST = 3;

/** What is to be hinted at in each run of a node, and what each hint is about. */
const gathered = new WeakMap<IExecuteFunctions, Map<string, Set<string>>>();

/**
 * A hint on the node's output, where the host knows hints. Told at the end of the run, and once,
 * however many items it is true of: three hundred recordings must not bury each other's hints.
 *
 * @param message a sentence; with a subject, what is said of it
 * @param subject such as a file or an edit
 */
export function addHint(context: IExecuteFunctions, message: string, subject?: string): void {
	const hints = gathered.get(context) ?? new Map<string, Set<string>>();
	gathered.set(context, hints);
	const subjects = hints.get(message) ?? new Set();
	hints.set(message, subject === undefined ? subjects : subjects.add(subject));
}

/** Puts the gathered hints on the node's output. */
export function tellHints(context: IExecuteFunctions): void {
	for (const [message, subjects] of gathered.get(context) ?? []) {
		const text =
			subjects.size > 0 ? `${listed([...subjects], NAMED_AT_MOST)}: ${message}` : message;
		context.addExecutionHints?.({ message: text, type: 'warning', location: 'outputPane' });
	}
	gathered.delete(context);
}
