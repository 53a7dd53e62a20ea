import type { INodeProperties } from 'n8n-workflow';

import { mode, numberField } from '../form/build';

/** The labels of the limits. */
export const MAX_EDITS_LABEL = 'Most Edits per Execution';
export const MIN_CREDIT_LABEL = 'Stop Below Credit';

/** The options that limit what a node spends. Those of the first item count for all. */
export const SPENDING_OPTIONS: INodeProperties[] = [
	numberField(
		'mostEdits',
		MAX_EDITS_LABEL,
		100,
		"The maximum number of edits this node may create in one execution, across all its runs and calls. If the items need more, it creates none. With 'Skip Recordings Already Edited', it creates edits up to this number, and the other items go to 'Skipped'.",
		{ typeOptions: { minValue: 0 } },
	),
	numberField(
		'stopBelowCredit',
		MIN_CREDIT_LABEL,
		0,
		'The lowest total credit in the account at which this node creates edits. The node reads the credit before the first edit.',
		{ typeOptions: { minValue: 0 } },
	),
	mode(
		'ifCreditUnknown',
		'If Credit Is Unknown',
		'stop',
		"What to do if 'Stop Below Credit' is set and the account cannot be read",
		{
			stop: ['Stop', 'The node fails, and creates nothing'],
			goOn: ['Continue', 'The node creates the edits, and adds a hint'],
		},
	),
];
