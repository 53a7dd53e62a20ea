import { beginIfNew, forget, settle } from '../../shared/memory/recordingMemory';
import type { NodeRun } from '../../shared/run/nodeRun';
import type { SubmissionKey } from '../../shared/run/submissionLedger';
import type { SubmissionMemory } from '../../shared/skip/rememberedRecording';
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
