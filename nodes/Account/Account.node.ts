import {
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { searchConfigurations } from '../core/form/templateField';
import { COMMON_DESCRIPTION, labelsOf } from '../core/form/fields';
import { ACCOUNT_FIELDS } from './fields';
import { choices } from '../core/form/build';

/** What the subtitle of the node calls each operation. */
const ACTIONS = choices({
	'account:getCredit': 'Get Credit',
	'completedTask:getAll': 'Get Completed Tasks',
	'configuration:get': 'Get Template',
	'configuration:getAll': 'Get Templates',
	'edit:getOpen': 'Get Open Edits',
	'review:decide': 'Decide About Cuts',
	'review:getDoubtful': 'Get Doubtful Cuts',
	'service:checkHealth': 'Check Health',
});

export class Account implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		displayName: 'Audio Editing Account',
		name: 'account',
		icon: {
			light: 'file:../../icons/account.svg',
			dark: 'file:../../icons/account.dark.svg',
		},
		group: ['input'],
		subtitle: `={{ ${labelsOf(ACTIONS)}[$parameter["resource"] + ":" + $parameter["operation"]] }}`,
		description:
			'Get the credit, templates, completed tasks, open edits and doubtful cuts of the audio editing account',
		defaults: { name: 'Audio Editing Account' },
		usableAsTool: {
			replacements: {
				description:
					'Read the remaining credit, the stored templates, the tasks completed in the last 7 days, or the health of the audio editing service. Costs nothing.',
			},
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: ACCOUNT_FIELDS,
	};

	methods = { listSearch: { searchConfigurations } };

	async execute(this: IExecuteFunctions) {
		const { runOperations } = await import('./execute');
		return await runOperations(this);
	}
}
