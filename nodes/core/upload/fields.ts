import type { INodeProperties } from 'n8n-workflow';

import { choice, mode, numberField, textField } from '../form/build';
import type { OptionsByGroup } from '../form/optionGroups';

/** How long a signed link to n8n's copy is valid by default: edits may wait in a queue. */
export const LINK_VALIDITY_HOURS = 24;

/** The field for the names of the fields to upload. @param advice the description's end, without the period */
export function inputField(
	advice: string,
	displayOptions: INodeProperties['displayOptions'],
): INodeProperties {
	return textField(
		'binaryPropertyName',
		'Input Data Field Name',
		`The name of the input field that contains the file, or several separated by commas. Leave empty if the item has only one file. ${advice}.`,
		{ placeholder: "e.g. data, or empty for the item's only file", displayOptions },
	);
}

/** Where the recording comes from. */
export const RECORDING_FROM = mode(
	'recordingFrom',
	'Recording From',
	'file',
	'Where the recording comes from',
	{
		all: [
			'All Files of the Item',
			'Several files are tracks of one recording, in the order of their fields',
		],
		file: ['File of the Item', 'One file, or several named fields as tracks of one recording'],
	},
);

const FILE_NAME = textField(
	'fileName',
	'File Name',
	"The name to send instead of the file's own, with its extension",
	{ placeholder: 'e.g. episode-12.mp3' },
);

const TRANSFER_OPTIONS: INodeProperties[] = [
	textField('contentType', 'Content Type', "The content type to send instead of the file's own", {
		placeholder: 'e.g. audio/mpeg',
	}),
	choice('transfer', 'Transfer', 'upload', 'How the file gets to the service', {
		link: [
			'Signed Link',
			'The service fetches the file from this n8n, so it must be able to reach n8n. While the link is valid, anyone who has it can read the file.',
		],
		upload: ['Upload', 'This node sends the file to the service'],
	}),
	numberField(
		'linkValidHours',
		'Link Validity (Hours)',
		LINK_VALIDITY_HOURS,
		'The service fetches the file when it starts the edit. n8n must keep its copy until then.',
		{
			typeOptions: { minValue: 1, numberPrecision: 0 },
			displayOptions: { show: { transfer: ['link'] } },
		},
	),
];

/** The options for how files are sent. */
export const UPLOAD_OPTIONS: OptionsByGroup = { files: [FILE_NAME], advanced: TRANSFER_OPTIONS };
