import {
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { builderHint } from '../core/form/builderHint';
import { COMMON_DESCRIPTION, toolDescriptionField } from '../core/form/fields';
import { outputsExpression } from '../core/output/outputs';
import { MAX_WAIT_MINUTES } from '../core/wait/fields';
import { OUTPUTS, WAIT_FOR_EDIT_FIELDS } from './fields';

/** What an agent's model reads about the node as its tool. */
const FOR_MODELS =
	'Wait until an edit is finished and return its final status. Takes the editId that Audio Editing Create Edit returned. Takes minutes; SUCCESS means that Audio Editing Get Result can be called, FAILURE that the service could not process the file. If finished is false, the edit still runs: call this again later.';

const MINUTES = `($parameter["advanced"]?.["maximumWaitMinutes"] ?? ${MAX_WAIT_MINUTES})`;

export class WaitForEdit implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		displayName: 'Audio Editing Wait For Edit',
		name: 'waitForEdit',
		icon: {
			light: 'file:../../icons/wait-for-edit.svg',
			dark: 'file:../../icons/wait-for-edit.dark.svg',
		},
		group: ['input'],
		subtitle: `={{ "Up to " + ${MINUTES} + (${MINUTES} === 1 ? " Minute" : " Minutes") }}`,
		description: 'Wait for the edits of all items, and retrieve each as soon as it is finished',
		defaults: { name: 'Audio Editing Wait For Edit' },
		usableAsTool: { replacements: { description: FOR_MODELS } },
		builderHint: builderHint(
			'Use it once after Audio Editing Create Edit: it waits for all items together, so no loop is needed.',
			'createEdit',
			'getResult',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: outputsExpression(OUTPUTS),
		properties: [toolDescriptionField(FOR_MODELS), ...WAIT_FOR_EDIT_FIELDS],
	};

	async execute(this: IExecuteFunctions) {
		const { waitForEdits } = await import('./execute');
		return await waitForEdits(this);
	}
}
