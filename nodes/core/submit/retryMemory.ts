import { canRemember } from '../skip/memory/nodeMemory';
import { beginIfNew, forget, settle } from '../skip/memory/recordingMemory';
import type { NodeRun } from '../run/nodeRun';
import type { SubmissionKey } from '../ledger/submissionLedger';
import type { SubmissionMemory } from '../skip/recordingHistory';
import { notSentAgain } from './notSentAgain';

const OPEN_IT =
	"Open that retry under Executions: its output or n8n's log has the edit ID. If it failed, retry that execution instead.";

/** What several retries of the same failed execution know of a submission. */
export class RetryMemory implements SubmissionMemory {
	private readonly key: string;

	constructor(
		private readonly run: NodeRun,
		private readonly submission: SubmissionKey,
	) {
		this.key = run.ledger.keyInRetries(submission);
	}

	/** @throws NodeOperationError if another retry of the same execution has submitted it, or may have */
	async begin(): Promise<void> {
		const { run, submission } = this;
		const { state } = await beginIfNew(run.context, this.key);
		const { itemIndex } = submission;
		const other = 'another retry of the same failed execution';
		if (state === 'edited') {
			throw notSentAgain(run, itemIndex, `${other} has created it`, { way: OPEN_IT });
		}
		if (state === 'open') {
			throw notSentAgain(run, itemIndex, `${other} may have reached the service`);
		}
	}

	async accepted(): Promise<void> {
		await this.unlessStored(settle(this.run.context, this.key));
	}

	async refused(): Promise<void> {
		await this.unlessStored(forget(this.run.context, this.key));
	}

	private async unlessStored(stored: Promise<void>): Promise<void> {
		try {
			await stored;
		} catch {
			this.run.hints.add(
				'n8n could not store what this retry submitted. Another retry of the same execution will treat it as uncertain.',
			);
		}
	}
}

/*
 * n8n copies the ledger of a failed execution into each retry of it. So the second retry does not know
 * what the first one submitted, and asks n8n's memory of the node. Other executions do not use the memory.
 */

const NO_MEMORY =
	'n8n cannot remember what this retry submits. Do not retry the same failed execution a second time: its edits would be charged again.';

/** The memory of a submission in a retry of an execution; undefined where n8n has none. */
export function memoryInRetry(run: NodeRun, submission: SubmissionKey): RetryMemory | undefined {
	if (canRemember(run.context)) return new RetryMemory(run, submission);
	run.hints.add(NO_MEMORY);
	return undefined;
}
