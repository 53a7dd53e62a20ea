import type { INodeProperties } from 'n8n-workflow';

import { choice, mode, textField } from '../form/build';

/** What makes two recordings the same. */
export type SkipWay = 'nameAndSize' | 'url' | 'value';

/** What happens to a recording that may have been submitted before. */
export type IfUncertain = 'fail' | 'submit' | 'skip';

/**
 * The outputs of a node with these fields. Skipped recordings go to a second output, so that the nodes
 * after the first one, which publish an episode for example, only get recordings that have an edit.
 */
export const SKIP_OUTPUTS =
	'={{ $parameter["options"]?.["skipEdited"] ? [{ type: "main", displayName: "Submitted" }, { type: "main", displayName: "Skipped" }] : ["main"] }}';

/** The options with which a node skips recordings. */
export const SKIP_OPTIONS: INodeProperties[] = [
	mode(
		'skipEdited',
		'Skip Recordings Already Edited',
		'nameAndSize',
		"How to recognise the same recording. A recording that this node submitted before with this option, in any execution, goes to the output 'Skipped' and is not charged again.",
		{
			nameAndSize: [
				'By File Name and Size',
				"For files; a file from Upload has a different URL each time. Compares the file's own name, not the one in 'File Name'.",
			],
			url: [
				'By URL',
				'For public URLs. Compares the whole URL, except for a signature by S3, Google, Azure, CloudFront or another known host.',
			],
			value: [
				'By Your Own Value',
				"Such as the file's ID in your storage, in the option 'Your Own Value'",
			],
		},
	),
	textField(
		'skipValue',
		'Your Own Value',
		'A text or number that is different for each recording and never changes for the same recording',
		{ placeholder: 'e.g. {{ $json.md5 }}', displayOptions: { show: { skipEdited: ['value'] } } },
	),
	{
		...choice(
			'ifUncertain',
			'If Uncertain',
			'fail',
			'What to do with a recording whose submission was interrupted, by a crash for example. Its edit may exist on the service, and have been charged: look there first.',
			{
				fail: ['Fail', 'The item fails, nothing is sent, and its message says what to do'],
				skip: [
					'Skip',
					'Choose this if its edit is on the service. The recording then counts as edited.',
				],
				submit: [
					'Submit Again',
					'Choose this if its edit is not on the service. Otherwise, the recording is charged a second time.',
				],
			},
		),
		displayOptions: { show: { skipEdited: ['nameAndSize', 'url', 'value'] } },
	},
];
