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

const OUTCOMES = [
	{ name: 'Failure', value: 'failure' },
	{ name: 'Success', value: 'success' },
	{ name: 'Success or Failure', value: 'both' },
];

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
		subtitle: `={{ ${labelsOf(OUTCOMES)}[$parameter["outcomes"]] }}`,
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
			{
				displayName: 'Trigger On',
				name: 'outcomes',
				type: 'options',
				default: 'both',
				description: 'Which finished edits start the workflow',
				options: OUTCOMES,
			},
			SIMPLIFY_FIELD,
			optionsField([
				{
					displayName: 'Read the Whole Edit',
					name: 'readEdit',
					type: 'boolean',
					default: false,
					description:
						"Whether to read each finished edit from the service and add it as the field 'edit'",
				},
				{
					displayName: 'Start With the Last 7 Days',
					name: 'startWithPast',
					type: 'boolean',
					default: false,
					description:
						'Whether the first poll also starts the workflow for edits that finished before it was activated',
				},
			]),
		],
	};

	methods = { listSearch: { searchConfigurations } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const { pollFinished } = await import('./pollFinished');
		return await pollFinished(this);
	}
}
