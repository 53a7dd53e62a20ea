import {
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { builderHint } from '../core/form/builderHint';
import { COMMON_DESCRIPTION, labelsOf, toolDescriptionField } from '../core/form/fields';
import { DOWNLOAD_OPTIONS } from '../core/fetch/fields';
import { GET_RESULT_FIELDS } from './fields';
import { FORMAT_OPTIONS } from '../core/fetch/texts/formatFields';

/** What an agent's model reads about the node as its tool. */
const FOR_MODELS =
	'Get the result of a finished edit: download links, what was removed, title, summary and transcript if they were requested. Takes the editId that Audio Editing Create Edit returned. If the edit is not finished yet, the tool says so: then try again in a minute, and do not create the edit again.';

export class GetResult implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		displayName: 'Audio Editing Get Result',
		name: 'getResult',
		icon: {
			light: 'file:../../icons/get-result.svg',
			dark: 'file:../../icons/get-result.dark.svg',
		},
		group: ['input'],
		subtitle: `={{ [].concat($parameter["download"]).map((kind) => ${labelsOf(DOWNLOAD_OPTIONS)}[kind] ?? kind).concat([].concat($parameter["alsoReturn"] ?? []).flatMap((kind) => $parameter[kind] ?? kind).map((kind) => ${labelsOf(FORMAT_OPTIONS)}[kind] ?? kind)).filter((label) => label).join(", ") || "Links Only" }}`,
		description: 'Get the result of a finished edit and download its files',
		defaults: { name: 'Audio Editing Get Result' },
		usableAsTool: { replacements: { description: FOR_MODELS } },
		builderHint: builderHint(
			'Use it after Audio Editing Wait For Edit, or after the trigger for finished edits.',
			'waitForEdit',
			'delete',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [toolDescriptionField(FOR_MODELS), ...GET_RESULT_FIELDS],
	};

	async execute(this: IExecuteFunctions) {
		const { getResults } = await import('./execute');
		return await getResults(this);
	}
}
