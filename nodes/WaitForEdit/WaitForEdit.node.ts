import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { COMMON_DESCRIPTION } from '../shared/fields';
import { WAIT_FOR_EDIT_FIELDS } from './fields';
import { waitItems } from './waitItems';

export class WaitForEdit implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		displayName: 'Audio Editing Wait For Edit',
		name: 'waitForEdit',
		icon: {
			light: 'file:../../icons/audio-editing.svg',
			dark: 'file:../../icons/audio-editing.dark.svg',
		},
		group: ['transform'],
		subtitle: '={{ "up to " + $parameter["maximumWaitMinutes"] + " minutes" }}',
		description: 'Retrieve edits as soon as they are finished, asking about all of them together',
		defaults: { name: 'Wait For Edit' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: WAIT_FOR_EDIT_FIELDS,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await waitItems(this)];
	}
}
