import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { searchConfigurations } from '../shared/configurations';
import { MAIN } from '../shared/connection';
import { COMMON_DESCRIPTION } from '../shared/fields';
import { answering } from '../shared/toolUse';
import { ACCOUNT_FIELDS } from './fields';

export class Account implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		displayName: 'Audio Editing Account',
		name: 'account',
		icon: {
			light: 'file:../../icons/audio-editing.svg',
			dark: 'file:../../icons/audio-editing.dark.svg',
		},
		group: ['input'],
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Get the credit, the configurations and the completed tasks of the audio editing account',
		defaults: { name: 'Audio Editing Account' },
		usableAsTool: {
			replacements: {
				description:
					'Read the remaining credit, the stored configurations, the tasks completed in the last 7 days, or the health of the audio editing service. Costs nothing.',
			},
		},
		inputs: [MAIN],
		outputs: [MAIN],
		properties: ACCOUNT_FIELDS,
	};

	methods = { listSearch: { searchConfigurations } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { runOperations } = await import('./operations');
		return await answering(this, async () => [await runOperations(this)]);
	}
}
