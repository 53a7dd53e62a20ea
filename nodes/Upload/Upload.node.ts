import {
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { builderHint } from '../core/form/builderHint';
import { COMMON_DESCRIPTION, toolDescriptionField } from '../core/form/fields';
import { UPLOAD_FIELDS } from './fields';

/** What an agent's model reads about the node as its tool. */
const FOR_MODELS =
	'Upload the audio or video file that the workflow sets for this tool. You cannot pass a file or a URL to it. Returns fileUrl, which Audio Editing Create Edit takes as its file URL. A file at a public URL needs no upload: give its URL to Audio Editing Create Edit.';

export class Upload implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		displayName: 'Audio Editing Upload',
		name: 'upload',
		icon: {
			light: 'file:../../icons/upload.svg',
			dark: 'file:../../icons/upload.dark.svg',
		},
		group: ['input'],
		subtitle:
			'={{ $parameter["recordingFrom"] === "all" ? "All Files of the Item" : !$rawParameter["binaryPropertyName"] ? "File of the Item" : String($rawParameter["binaryPropertyName"]).startsWith("=") ? "File by Expression" : "File in Field " + $parameter["binaryPropertyName"] }}',
		description: 'Upload an audio or video file to the audio editing service and get its file URL',
		defaults: { name: 'Audio Editing Upload' },
		usableAsTool: { replacements: { description: FOR_MODELS } },
		builderHint: builderHint(
			'Use it before Audio Editing Create Edit, for a file in n8n. Prefer the Audio Editing node, which does all the steps, unless something must happen between them.',
			'audioEditing',
			'createEdit',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [toolDescriptionField(FOR_MODELS), ...UPLOAD_FIELDS],
	};

	async execute(this: IExecuteFunctions) {
		const { uploadItems } = await import('./execute');
		return await uploadItems(this);
	}
}
