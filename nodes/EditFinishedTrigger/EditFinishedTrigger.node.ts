import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';

import { configurationField, searchConfigurations } from '../shared/form/configurations';
import {
	COMMON_DESCRIPTION,
	MAIN,
	SIMPLIFY_FIELD,
	labelsOf,
	optionsField,
} from '../shared/form/fields';
import { choice, toggle } from '../shared/form/build';

const TRIGGER_ON = choice(
	'outcomes',
	'Trigger On',
	'both',
	'Which finished edits start the workflow',
	{ failure: 'Failed', success: 'Succeeded', both: 'Succeeded or Failed' },
);

export class EditFinishedTrigger implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		displayName: 'Audio Editing Edit Finished Trigger',
		name: 'editFinishedTrigger',
		icon: {
			light: 'file:../../icons/edit-finished-trigger.svg',
			dark: 'file:../../icons/edit-finished-trigger.dark.svg',
		},
		group: ['trigger'],
		subtitle: `={{ ${labelsOf(TRIGGER_ON.options)}[$parameter["outcomes"]] }}`,
		description: 'Starts the workflow when edits created from a template are finished',
		defaults: { name: 'Edit Finished Trigger' },
		polling: true,
		inputs: [],
		outputs: [MAIN],
		properties: [
			configurationField({
				displayName: 'Template',
				name: 'configurationId',
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
		],
	};

	methods = { listSearch: { searchConfigurations } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const { pollFinished } = await import('./pollFinished');
		return await pollFinished(this);
	}
}
