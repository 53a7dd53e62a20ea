import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';

import { configurationField, searchConfigurations } from '../shared/configurations';
import { MAIN } from '../shared/connection';
import { COMMON_DESCRIPTION, SIMPLIFY_FIELD } from '../shared/fields';

export class EditFinishedTrigger implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		displayName: 'Audio Editing Edit Finished Trigger',
		name: 'editFinishedTrigger',
		icon: {
			light: 'file:../../icons/audio-editing.svg',
			dark: 'file:../../icons/audio-editing.dark.svg',
		},
		group: ['trigger'],
		subtitle:
			'={{ $parameter["outcomes"] === "both" ? "success or failure" : $parameter["outcomes"] }}',
		description: 'Starts the workflow when edits made with a configuration are finished',
		defaults: { name: 'Edit Finished Trigger' },
		polling: true,
		inputs: [],
		outputs: [MAIN],
		properties: [
			configurationField({
				displayName: 'Configuration',
				name: 'configurationId',
				description: 'The configuration (also called template) whose edits to watch',
				hint: 'Edits that were created from a template are listed under it; others are not',
			}),
			{
				displayName: 'Trigger On',
				name: 'outcomes',
				type: 'options',
				default: 'both',
				description: 'Which finished edits start the workflow',
				options: [
					{ name: 'Failure', value: 'failure' },
					{ name: 'Success', value: 'success' },
					{ name: 'Success or Failure', value: 'both' },
				],
			},
			SIMPLIFY_FIELD,
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					{
						displayName: 'Read the Whole Edit',
						name: 'readEdit',
						type: 'boolean',
						default: false,
						description:
							'Whether to read each finished edit from the service and add it as the field edit',
					},
					{
						displayName: 'Start With the Last 7 Days',
						name: 'startWithPast',
						type: 'boolean',
						default: false,
						description:
							'Whether the first poll also emits what finished before the workflow was activated',
					},
				],
			},
		],
	};

	methods = { listSearch: { searchConfigurations } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const { pollFinished } = await import('./pollFinished');
		return await pollFinished(this);
	}
}
