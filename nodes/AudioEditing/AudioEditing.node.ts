import {
	type ICredentialTestFunctions,
	type ICredentialsDecrypted,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { PRESET_OPTIONS } from '../core/config/presetOptions';
import { builderHint } from '../core/form/builderHint';
import { searchConfigurations } from '../core/form/templateField';
import { COMMON_DESCRIPTION, labelsOf } from '../core/form/fields';
import { outputsExpression } from '../core/output/outputs';
import { EDIT_RECORDING_FIELDS, FOR_MODELS, OUTPUTS } from './fields';

export class AudioEditing implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		displayName: 'Audio Editing',
		name: 'audioEditing',
		icon: {
			light: 'file:../../icons/audio-editing.svg',
			dark: 'file:../../icons/audio-editing.dark.svg',
		},
		group: ['transform'],
		subtitle: `={{ $parameter["configure"] === "template" ? "Template " + $parameter["templateId"] : $parameter["configure"] === "json" ? "Using JSON" : ${labelsOf(PRESET_OPTIONS)}[$rawParameter["preset"]] ?? "Preset by Expression" }}`,
		description:
			'Edit audio or video recordings: upload each file, have it edited, wait, and get the edited file. Each recording is charged.',
		defaults: { name: 'Audio Editing' },
		usableAsTool: { replacements: { description: FOR_MODELS } },
		builderHint: builderHint(
			'This node alone turns a recording into an edited file. It edits all items at the same time, so no loop is needed. Use the separate nodes only if something must happen between the steps.',
		),
		// n8n's lint looks for the test of the credential here.
		credentials: [{ name: 'audioEditingApi', required: true, testedBy: 'testCredential' }],
		inputs: [NodeConnectionTypes.Main],
		outputs: outputsExpression(OUTPUTS),
		properties: EDIT_RECORDING_FIELDS,
	};

	methods = {
		listSearch: { searchConfigurations },
		credentialTest: {
			async testCredential(this: ICredentialTestFunctions, credential: ICredentialsDecrypted) {
				const { testCredential } = await import('../core/run/testCredential');
				return await testCredential.call(this, credential);
			},
		},
	};

	async execute(this: IExecuteFunctions) {
		const { editRecordings } = await import('./execute');
		return await editRecordings(this);
	}
}
