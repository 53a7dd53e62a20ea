import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { COMMON_DESCRIPTION } from '../shared/fields';
import { handleEachItem } from '../shared/items';
import { uploadItem } from './uploadFile';

export class Upload implements INodeType {
	description: INodeTypeDescription = {
		...COMMON_DESCRIPTION,
		displayName: 'Audio Editing Upload',
		name: 'upload',
		icon: {
			light: 'file:../../icons/audio-editing.svg',
			dark: 'file:../../icons/audio-editing.dark.svg',
		},
		group: ['input'],
		subtitle: '={{ "file in field " + $parameter["binaryPropertyName"] }}',
		description: 'Upload an audio or video file to the audio editing service and get its file URL',
		defaults: { name: 'Upload' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [
			{
				displayName: 'Input Binary Field',
				name: 'binaryPropertyName',
				type: 'string',
				required: true,
				default: 'data',
				placeholder: 'e.g. data',
				hint: 'The name of the input field that contains the file to upload',
				description:
					'A file that is already at a public URL needs no upload: give that URL to Create Edit',
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					{
						displayName: 'Content Type',
						name: 'contentType',
						type: 'string',
						default: '',
						placeholder: 'e.g. audio/mpeg',
						description: "Media type to send instead of the file's own",
					},
					{
						displayName: 'File Name',
						name: 'fileName',
						type: 'string',
						default: '',
						placeholder: 'e.g. episode-12.mp3',
						description: "Name with extension to send instead of the file's own",
					},
				],
			},
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await handleEachItem(this, async (itemIndex) => await uploadItem(this, itemIndex))];
	}
}
