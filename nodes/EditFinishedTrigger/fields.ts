import type { INodeProperties } from 'n8n-workflow';

import { choice, toggle } from '../core/form/build';
import { configurationField } from '../core/form/templateField';
import { SIMPLIFY_FIELD } from '../core/form/fields';
import { optionsField } from '../core/form/optionGroups';

export const TRIGGER_ON = choice(
	'outcomes',
	'Trigger On',
	'both',
	'Which finished edits start the workflow',
	{ failure: 'Failed', success: 'Succeeded', both: 'Succeeded or Failed' },
);

/** The form of Edit Finished Trigger. */
export const TRIGGER_FIELDS: INodeProperties[] = [
	configurationField({
		displayName: 'Template',
		name: 'templateId',
		description:
			'The template whose edits to watch. The service lists only edits that were created from it.',
	}),
	TRIGGER_ON,
	SIMPLIFY_FIELD,
	optionsField([
		toggle(
			'readEdit',
			'Read the Whole Edit',
			"Whether to read each finished edit from the service and add it as the field 'edit'",
			{ default: false },
		),
		toggle(
			'startWithPast',
			'Start With the Last 7 Days',
			'Whether the first poll also starts the workflow for edits that finished before it was activated',
			{ default: false },
		),
	]),
];
