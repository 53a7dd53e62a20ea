import { createRequire } from 'node:module';

import { ProcessedData } from '../../test/support/processedDataStore.ts';
import type { SubmissionLedger } from '../../nodes/shared/run/submissionLedger.ts';

const require = createRequire(import.meta.url);

/**
 * Breaks the built nodes, to prove that the trials notice it.
 *
 * @param promise `charges`: a try forgets what earlier tries submitted; `names`: errors do not name edits;
 *   `memory`: n8n forgets what earlier executions submitted
 */
export function breakPromise(promise: string): void {
	const { SubmissionLedger: Ledger } =
		require('../../dist/nodes/shared/run/submissionLedger.js') as {
			SubmissionLedger: { prototype: SubmissionLedger };
		};
	if (promise === 'charges') Ledger.prototype.find = () => undefined;
	else if (promise === 'names') Ledger.prototype.acceptedEditIds = () => [];
	else if (promise === 'memory') {
		ProcessedData.prototype.checkProcessedAndRecord = (items) =>
			Promise.resolve({ new: items, processed: [] });
	} else throw new Error('--break takes charges, names or memory');
}
