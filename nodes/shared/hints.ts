import type { IExecuteFunctions } from 'n8n-workflow';

import { listed } from './listed';

/** A hint names this many files or edits, and counts the rest. */
const NAMED_AT_MOST = 3;

/** The hints of each run of a node, with the subjects of each hint. */
const hintsOf = new WeakMap<IExecuteFunctions, Map<string, Set<string>>>();

/**
 * Adds a hint to the node's output, if the host has hints. It appears at the end of the run, and only
 * once for all items, so that three hundred recordings do not bury each other's hints.
 *
 * @param message a sentence, or what the sentence says about the subject
 * @param subject a file or an edit
 */
export function addHint(context: IExecuteFunctions, message: string, subject?: string): void {
	const hints = hintsOf.get(context) ?? new Map<string, Set<string>>();
	hintsOf.set(context, hints);
	const subjects = hints.get(message) ?? new Set();
	hints.set(message, subject === undefined ? subjects : subjects.add(subject));
}

/** Shows the hints on the node's output. */
export function showHints(context: IExecuteFunctions): void {
	for (const [message, subjects] of hintsOf.get(context) ?? []) {
		const text =
			subjects.size > 0 ? `${listed([...subjects], NAMED_AT_MOST)}: ${message}` : message;
		context.addExecutionHints?.({ message: text, type: 'warning', location: 'outputPane' });
	}
	hintsOf.delete(context);
}
