import { createHash } from 'crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { EditRequest } from '../../api/contract';
import { isToolUse } from '../shared/toolUse';

/** A submission that the service may have taken. */
interface UncertainSubmission {
	readonly state: 'uncertain';
	/** The message of that try's error, which may hold the edit's ID. */
	readonly told?: string;
}

/** A submission that the service took. */
export interface AcceptedSubmission {
	readonly state: 'accepted';
	readonly editId: string;
	readonly submittedAt: string;
	/** What was sent, without secrets; missing where an earlier version of this package submitted it. */
	readonly sent?: IDataObject;
}

/** What became of a submission earlier in this execution. */
export type Submission = UncertainSubmission | AcceptedSubmission;

interface Entry {
	/** Hash of the request; the request itself may hold a signed URL, which must not be stored. */
	readonly request: string;
	readonly submission: Submission;
}

/**
 * Remembers, within one execution, what was already submitted. n8n's Retry On Fail runs the whole node
 * again, also for the items that succeeded; without this ledger those would be charged twice.
 *
 * An entry belongs to an item of a run: whatever the request looks like when the node runs again (it
 * may hold the time, or a new signature), it is the same item's, and is not submitted again. A loop
 * runs the node with another run index, and so submits again, as it should. A model that repeats a call
 * of its tool, however, begins another run: for a tool, the same request is the same edit.
 *
 * It lives in the node's context, which n8n keeps with the execution.
 */
export class SubmissionLedger {
	private readonly book: Record<string, Entry>;

	private readonly isTool: boolean;

	/** Read once: n8n takes longer over an expression than over most of what a node does. */
	private readonly runIndex: string;

	constructor(context: IExecuteFunctions) {
		const nodeContext: IDataObject = context.getContext('node');
		nodeContext.submissions ??= {};
		this.book = nodeContext.submissions as object as Record<string, Entry>;
		this.isTool = isToolUse(context);
		this.runIndex = String(context.evaluateExpression('{{ $runIndex }}', 0));
	}

	/** The earlier submission of this item, if there was one. */
	find(itemIndex: number, request: EditRequest): Submission | undefined {
		const own = this.book[this.key(itemIndex)];
		if (own !== undefined || !this.isTool) return own?.submission;
		const wanted = fingerprint(request);
		return Object.values(this.book).find((entry) => entry.request === wanted)?.submission;
	}

	/** Every edit accepted in this run of the node, so that an error can name them. */
	acceptedEditIds(): string[] {
		const run = this.key('');
		return Object.entries(this.book)
			.filter(([key]) => key.startsWith(run))
			.flatMap(([, { submission }]) =>
				submission.state === 'accepted' ? [submission.editId] : [],
			);
	}

	note(itemIndex: number, request: EditRequest, submission: Submission): void {
		this.book[this.key(itemIndex)] = { request: fingerprint(request), submission };
	}

	/** The service did not take it, so it may be submitted again. */
	forget(itemIndex: number): void {
		delete this.book[this.key(itemIndex)];
	}

	private key(itemIndex: number | ''): string {
		return `${this.runIndex}:${itemIndex}`;
	}
}

function fingerprint(request: EditRequest): string {
	return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}
