import type { IDataObject } from 'n8n-workflow';

import type { Submission } from '../../../nodes/core/ledger/submissionLedger';
import { runOf } from '../../../testkit/n8n/nodeContext';

const ACCEPTED: Submission = { state: 'accepted', editId: 'edit-1', submittedAt: 'now' };
const UNCERTAIN: Submission = { state: 'uncertain', said: 'cut' };
const KEY = { itemIndex: 0, fingerprint: 'f' };

describe('the FAILURE of an edit', () => {
	const said = { message: 'no sound' };
	/** The ledger of an execution: a retry gets a copy of what the first one has kept. */
	const ledgerIn = (executionId: string, kept: IDataObject) =>
		runOf({
			getContext: () => kept,
			evaluateExpression: () => 0,
			getExecutionId: () => executionId,
		}).ledger;

	it('is known to the next try of its execution, and not to a retry of the execution', () => {
		const kept: IDataObject = {};
		const ledger = ledgerIn('7', kept);
		ledger.note(KEY, ACCEPTED);
		ledger.noteFailure(KEY, said);
		expect(ledgerIn('7', kept).failureOf(KEY)).toEqual(said);
		expect(ledgerIn('8', kept).failureOf(KEY)).toBeUndefined();
	});

	it('is not noted of a submission that is uncertain', () => {
		const ledger = ledgerIn('7', {});
		ledger.note(KEY, UNCERTAIN);
		ledger.noteFailure(KEY, said);
		expect(ledger.failureOf(KEY)).toBeUndefined();
		expect(ledger.find(KEY)).toEqual(UNCERTAIN);
	});
});
