import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { builderHint } from '../shared/builderHint';
import { COMMON_DESCRIPTION, MAIN } from '../shared/fields';
import { UPLOAD_FIELDS } from './fields';

export class Upload implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		version: [1, 2],
		defaultVersion: 2,
		displayName: 'Audio Editing Upload',
		name: 'upload',
		icon: {
			light: 'file:../../icons/audio-editing.svg',
			dark: 'file:../../icons/audio-editing.dark.svg',
		},
		group: ['input'],
		subtitle: '={{ "file in field " + $parameter["binaryPropertyName"] }}',
		description: 'Upload an audio or video file to the audio editing service and get its file URL',
		defaults: { name: 'Upload Recording' },
		usableAsTool: {
			replacements: {
				description:
					'Upload the audio or video file that the workflow sets for this tool. You cannot pass a file or a URL to it. Returns fileUrl, which Create Edit takes as its file URL. A file at a public URL needs no upload: give its URL to Create Edit.',
			},
		},
		builderHint: builderHint(
			'Use it before Create Edit, for a file in n8n. Prefer the one node Audio Editing, unless something must happen between the steps.',
			'editRecording',
			'createEdit',
		),
		inputs: [MAIN],
		outputs: [MAIN],
		properties: UPLOAD_FIELDS,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { UPLOAD_WORK } = await import('./uploadItems');
		const { runNode } = await import('../shared/runNode');
		return await runNode(this, UPLOAD_WORK);
	}
}
