import type { IExecuteFunctions } from 'n8n-workflow';

import { listed } from './texts';

/** Files or edits that a hint names; it counts the rest. */
const NAMED_AT_MOST = 3;

/** The hints of each node run, with the subjects of each hint. */
const hintsOf = new WeakMap<IExecuteFunctions, Map<string, Set<string>>>();

/**
 * Adds a hint. At the end of the run it appears once on the node's output, however many items have it.
 *
 * @param message a sentence, or what to say about the subject
 * @param subject a file or an edit
 */
export function addHint(context: IExecuteFunctions, message: string, subject?: string): void {
	const hints = hintsOf.get(context) ?? new Map<string, Set<string>>();
	hintsOf.set(context, hints);
	const subjects = hints.get(message) ?? new Set();
	hints.set(message, subject === undefined ? subjects : subjects.add(subject));
}

/** Shows the hints on the node's output, if this n8n can show hints. */
export function showHints(context: IExecuteFunctions): void {
	for (const [message, subjects] of hintsOf.get(context) ?? []) {
		const text =
			subjects.size > 0 ? `${listed([...subjects], NAMED_AT_MOST)}: ${message}` : message;
		context.addExecutionHints?.({ message: text, type: 'warning', location: 'outputPane' });
	}
	hintsOf.delete(context);
}
