import { createHash } from 'crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { EditRequest } from '../../api/contract';

/** What became of a submission earlier in this execution. */
export type Submission =
	/** It was begun, and nobody knows whether the service took it. */
	| { readonly state: 'uncertain' }
	| { readonly state: 'accepted'; readonly editId: string; readonly submittedAt: string };

/**
 * Remembers, within one execution, which items were already submitted. n8n's Retry On Fail runs the
 * whole node again, also for the items that went well; without this ledger they would be paid twice.
 *
 * It lives in the node's context, which n8n keeps with the execution. A loop runs the node with another
 * run index and so submits anew, as it should.
 */
export class SubmissionLedger {
	private readonly book: IDataObject;

	constructor(private readonly context: IExecuteFunctions) {
		const nodeContext = context.getContext('node');
		nodeContext.submissions ??= {};
		this.book = nodeContext.submissions as IDataObject;
	}

	/** The earlier submission of this very request by this item, if there was one. */
	find(itemIndex: number, request: EditRequest): Submission | undefined {
		const entry = this.book[this.key(itemIndex)] as
			| { request: string; submission: Submission }
			| undefined;
		return entry?.request === fingerprint(request) ? entry.submission : undefined;
	}

	/** Every edit accepted in this run of the node, so that an error can name them. */
	acceptedEditIds(): string[] {
		const run = this.key('');
		return Object.entries(this.book)
			.filter(([key]) => key.startsWith(run))
			.map(([, entry]) => (entry as { submission: Submission }).submission)
			.flatMap((submission) => (submission.state === 'accepted' ? [submission.editId] : []));
	}

	note(itemIndex: number, request: EditRequest, submission: Submission): void {
		this.book[this.key(itemIndex)] = { request: fingerprint(request), submission };
	}

	/** The service surely did not take it, so it may be submitted again. */
	forget(itemIndex: number): void {
		delete this.book[this.key(itemIndex)];
	}

	private key(itemIndex: number | ''): string {
		const runIndex: unknown = this.context.evaluateExpression('{{ $runIndex }}', 0);
		return `${String(runIndex)}:${itemIndex}`;
	}
}

/** A hash instead of the request itself, whose signed URL must not be stored. */
function fingerprint(request: EditRequest): string {
	return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}
