import {
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { builderHint } from '../core/form/builderHint';
import { COMMON_DESCRIPTION, toolDescriptionField } from '../core/form/fields';
import { DELETE_FIELDS } from './fields';

/** What an agent's model reads about the node as its tool. */
const FOR_MODELS =
	'Permanently delete an edit with its source and result files. Takes the editId that Audio Editing Create Edit returned. This cannot be undone: only call it when the result was kept elsewhere or is not wanted.';

export class Delete implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		displayName: 'Audio Editing Delete',
		name: 'delete',
		icon: {
			light: 'file:../../icons/delete.svg',
			dark: 'file:../../icons/delete.dark.svg',
		},
		group: ['output'],
		subtitle: 'Edit and Its Files',
		description:
			'Permanently delete an edit with its source and processed files from the audio editing service',
		defaults: { name: 'Audio Editing Delete' },
		usableAsTool: { replacements: { description: FOR_MODELS } },
		builderHint: builderHint(
			'Use it at the end, after the node that stores the edited file, because it passes on no files.',
			'getResult',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [toolDescriptionField(FOR_MODELS), ...DELETE_FIELDS],
	};

	async execute(this: IExecuteFunctions) {
		const { deleteEdits } = await import('./execute');
		return await deleteEdits(this);
	}
}
