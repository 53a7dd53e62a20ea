import type { INodeProperties } from 'n8n-workflow';

import {
	KEEP_INPUT_FILES_FIELD,
	TRANSFERS_AT_ONCE_FIELD,
	optionsField,
} from '../shared/form/fields';

/** How long a signed link to n8n's copy is valid by default: edits may wait in a queue. */
export const LINK_VALIDITY_HOURS = 24;

/** The field for the names of the fields to upload. @param advice the description's end, without the period */
export function inputField(
	advice: string,
	displayOptions: INodeProperties['displayOptions'],
): INodeProperties {
	return {
		displayName: 'Input Data Field Name',
		name: 'binaryPropertyName',
		type: 'string',
		default: '',
		placeholder: "e.g. data, or empty for the item's only file",
		description: `The name of the input field that contains the file, or several separated by commas. Leave empty if the item has only one file. ${advice}.`,
		displayOptions,
	};
}

/** Where the recording comes from. */
export const RECORDING_FROM = {
	displayName: 'Recording From',
	name: 'recordingFrom',
	type: 'options',
	noDataExpression: true,
	default: 'file',
	description: 'Where the recording comes from',
	options: [
		{
			name: 'All Files of the Item',
			value: 'all',
			description: 'Several files are tracks of one recording, in the order of their fields',
		},
		{
			name: 'File of the Item',
			value: 'file',
			description: 'One file, or several named fields as tracks of one recording',
		},
	],
} satisfies INodeProperties;

/** How files are sent. */
export const TRANSFER_OPTIONS: INodeProperties[] = [
	{
		displayName: 'Content Type',
		name: 'contentType',
		type: 'string',
		default: '',
		placeholder: 'e.g. audio/mpeg',
		description: "The type of the file, to send instead of the file's own",
	},
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: 'e.g. episode-12.mp3',
		description: "The name with its extension, to send instead of the file's own",
	},
	{
		displayName: 'Transfer',
		name: 'transfer',
		type: 'options',
		default: 'upload',
		description: 'How the file gets to the service',
		options: [
			{
				name: 'Signed Link',
				value: 'link',
				description:
					'The service fetches the file from this n8n, so it must be able to reach n8n. While the link is valid, anyone who has it can read the file.',
			},
			{
				name: 'Upload',
				value: 'upload',
				description: 'This node sends the file to the service',
			},
		],
	},
	{
		displayName: 'Link Validity (Hours)',
		name: 'linkValidHours',
		type: 'number',
		default: LINK_VALIDITY_HOURS,
		typeOptions: { minValue: 1, numberPrecision: 0 },
		displayOptions: { show: { transfer: ['link'] } },
		description:
			'The service fetches the file when it starts the edit. n8n must keep its copy until then.',
	},
];

const ADVICE =
	"A file that is already at a public URL needs no upload: give that URL to Create Edit. For an agent's tool, enter an expression for the file, such as {{ $('On form submission').item.binary.data }}";

/** The form of Upload. */
export const UPLOAD_FIELDS: INodeProperties[] = [
	RECORDING_FROM,
	inputField(ADVICE, { show: { recordingFrom: ['file'] } }),
	optionsField([...TRANSFER_OPTIONS, KEEP_INPUT_FILES_FIELD, TRANSFERS_AT_ONCE_FIELD]),
];
