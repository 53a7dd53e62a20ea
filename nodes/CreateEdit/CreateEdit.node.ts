import {
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { builderHint } from '../core/form/builderHint';
import { searchConfigurations } from '../core/form/templateField';
import { COMMON_DESCRIPTION, labelsOf, toolDescriptionField } from '../core/form/fields';
import { outputsExpression } from '../core/output/outputs';
import { CREATE_EDIT_FIELDS, OUTPUTS } from './fields';
import { PRESET_OPTIONS } from '../core/config/presetOptions';

/** What an agent's model reads about the node as its tool. */
const FOR_MODELS =
	'Submit an audio or video file at a URL for editing. Each call is charged: call it once for a recording. Returns editId at once, while the edit itself takes minutes; give that editId to Audio Editing Wait For Edit or Audio Editing Get Result.';

export class CreateEdit implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		displayName: 'Audio Editing Create Edit',
		name: 'createEdit',
		icon: {
			light: 'file:../../icons/create-edit.svg',
			dark: 'file:../../icons/create-edit.dark.svg',
		},
		group: ['transform'],
		subtitle: `={{ $parameter["advanced"]?.["jobType"] === "noise" ? "Noise Reduction" : $parameter["configure"] === "template" ? "Template " + $parameter["templateId"] : $parameter["configure"] === "json" ? "Using JSON" : ${labelsOf(PRESET_OPTIONS)}[$rawParameter["preset"]] ?? "Preset by Expression" }}`,
		description:
			'Submit an audio or video file for editing and get the edit ID. Each submission is charged.',
		defaults: { name: 'Audio Editing Create Edit' },
		usableAsTool: { replacements: { description: FOR_MODELS } },
		builderHint: builderHint(
			'Use it with Audio Editing Wait For Edit and Audio Editing Get Result after it. Prefer the Audio Editing node, which does all the steps, unless something must happen between them.',
			'audioEditing',
			'upload',
			'waitForEdit',
			'getResult',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: outputsExpression(OUTPUTS),
		properties: [toolDescriptionField(FOR_MODELS), ...CREATE_EDIT_FIELDS],
	};

	methods = { listSearch: { searchConfigurations } };

	async execute(this: IExecuteFunctions) {
		const { createEdits } = await import('./execute');
		return await createEdits(this);
	}
}
