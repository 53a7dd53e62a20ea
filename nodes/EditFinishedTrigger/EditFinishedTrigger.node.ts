import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { searchConfigurations } from '../core/form/templateField';
import { COMMON_DESCRIPTION, labelsOf } from '../core/form/fields';
import { TRIGGER_FIELDS, TRIGGER_ON } from './fields';

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
		defaults: { name: 'Audio Editing Edit Finished Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: TRIGGER_FIELDS,
	};

	methods = { listSearch: { searchConfigurations } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const { pollFinished } = await import('./pollFinished');
		return await pollFinished(this, TRIGGER_FIELDS);
	}
}
