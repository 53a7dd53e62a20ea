import type { INodeProperties } from 'n8n-workflow';

import { choice, numberField, textField } from '../form/build';

const WHICH_FILE =
	'The URL of the file, or the name of the input field that contains it. It is made as loud as the recording.';

const EXAMPLE = { placeholder: 'e.g. intro, or https://example.com/intro.mp3' };

/** The options for the files of a show. */
export const KIT_FIELDS: INodeProperties[] = [
	textField('intro', 'Intro', `What is heard before the recording. ${WHICH_FILE}`, EXAMPLE),
	textField('outro', 'Outro', `What is heard after the recording. ${WHICH_FILE}`, {
		placeholder: 'e.g. outro, or https://example.com/outro.mp3',
	}),
	{
		displayName: 'Inserts',
		name: 'inserts',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add insert',
		default: {},
		description:
			'What is heard within the recording, such as advertisements. Each goes into the nearest pause, so that no word is divided.',
		options: [
			{
				displayName: 'Insert',
				name: 'insert',
				values: [
					textField('file', 'File', WHICH_FILE, {
						placeholder: 'e.g. ad, or https://example.com/ad.mp3',
					}),
					choice('place', 'Place', 'seconds', 'Where it is heard', {
						chapter: ['Before a Chapter', "A chapter of the recording's file"],
						seconds: ['At a Time', 'A time in the recording before the edit'],
					}),
					textField('chapter', 'Chapter', 'The number of the chapter, from 1, or its title', {
						displayOptions: { show: { place: ['chapter'] } },
						placeholder: 'e.g. 2',
					}),
					numberField('seconds', 'Seconds', 0, 'How far into the recording, before the edit', {
						displayOptions: { show: { place: ['seconds'] } },
						typeOptions: { minValue: 0, numberPrecision: 2 },
					}),
				],
			},
		],
	},
];
