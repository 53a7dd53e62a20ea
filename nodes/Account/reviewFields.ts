import type { INodeProperties } from 'n8n-workflow';

import { MAX_DOUBTFUL_CUTS } from '../../api/contract';
import { numberField, textField } from '../core/form/build';
import { inheritingField } from '../core/form/fields';

const REVIEW = { resource: ['review'] };
const QUESTION = { displayOptions: { show: { ...REVIEW, operation: ['getDoubtful'] } } };
const DECISION = { displayOptions: { show: { ...REVIEW, operation: ['decide'] } } };

/** The ID of the edit, which only this resource asks for, also in an agent's tool. */
const EDIT_ID = inheritingField({
	displayName: 'Edit ID',
	name: 'editId',
	inherits: 'editId',
	placeholder: 'e.g. 7f9c24e5-…',
	description:
		'ID of the edit that waits for its review, from the output of Audio Editing Create Edit',
	forModel: 'The editId of the edit that waits for its review',
}).map(({ displayOptions, ...field }): INodeProperties => {
	const { show, ...more } = displayOptions ?? {};
	return { ...field, displayOptions: { show: { ...REVIEW, ...show }, ...more } };
});

/** The fields of the resource Review. */
export const REVIEW_FIELDS: INodeProperties[] = [
	...EDIT_ID,
	numberField('mostCuts', 'Number of Cuts', 5, 'How many of the least certain cuts to return', {
		typeOptions: { minValue: 1, maxValue: MAX_DOUBTFUL_CUTS },
		...QUESTION,
	}),
	{
		displayName: 'Decisions',
		name: 'decisions',
		type: 'json',
		default: '',
		placeholder: 'e.g. [{ "start": 52800, "end": 64000, "keep": true }]',
		description:
			"What to do with single cuts; all others are made. Each needs 'start' and 'end' as Get Doubtful Cuts returns them, and 'keep': true if the sound stays. Leave empty to use these fields of the input items, one item a cut.",
		...DECISION,
	},
	textField(
		'revision',
		'Revision',
		"The revision that the decisions follow: if somebody else has decided since then, nothing is approved. Leave empty to use 'revision' of the input item.",
		{ placeholder: "e.g. 0, or empty to use 'revision'", ...DECISION },
	),
	textField('decidedBy', 'Decided By', 'The name under which the cuts are approved', {
		default: 'n8n',
		...DECISION,
	}),
];
