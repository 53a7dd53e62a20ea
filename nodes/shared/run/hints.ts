import type { IExecuteFunctions } from 'n8n-workflow';

import { listed } from '../form/texts';

/** Files or edits that a hint names; it counts the rest. */
const NAMED_AT_MOST = 3;

/** The hints of a node run. Each appears once on the node's output, however many items have it. */
export class Hints {
	/** The subjects of each hint. */
	private readonly subjects = new Map<string, Set<string>>();

	/**
	 * @param message a sentence, or what to say about the subject
	 * @param subject a file or an edit
	 */
	add(message: string, subject?: string): void {
		const subjects = this.subjects.get(message) ?? new Set();
		this.subjects.set(message, subject === undefined ? subjects : subjects.add(subject));
	}

	/** Shows the hints on the node's output, if this n8n can show hints. */
	show(context: IExecuteFunctions): void {
		for (const [message, subjects] of this.subjects) {
			const text =
				subjects.size > 0 ? `${listed([...subjects], NAMED_AT_MOST)}: ${message}` : message;
			context.addExecutionHints?.({ message: text, type: 'warning', location: 'outputPane' });
		}
	}
}
