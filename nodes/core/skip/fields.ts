import type { INodeProperties } from 'n8n-workflow';

import { choice, mode, textField } from '../form/build';

/** What makes two recordings the same. */
export type SkipWay = 'nameAndSize' | 'content' | 'url' | 'value';

/** What happens to a recording that may have been submitted before. */
export type IfUncertain = 'fail' | 'submit' | 'skip';

/** What happens to a recording whose edit failed. */
export type AfterFailure = 'once' | 'always' | 'skip';

/** Shows an option where recordings are skipped. */
const IF_SKIPPING = { show: { skipEdited: ['nameAndSize', 'content', 'url', 'value'] } };

/**
 * The output for skipped recordings: the nodes after the first one, which publish an episode for example, only get
 * recordings that have an edit.
 */
export const SKIPPED = {
	name: 'skipped',
	label: 'Skipped',
	group: 'costAndSafety',
	option: 'skipEdited',
} as const;

/** The options with which a node skips recordings. */
export const SKIP_OPTIONS: INodeProperties[] = [
	mode(
		'skipEdited',
		'Skip Recordings Already Edited',
		'nameAndSize',
		"How to recognize the same recording. The node submits a recording once. If an execution ends before the result was output, the next one fetches it at no charge. After that, the recording goes to the output 'Skipped'.",
		{
			nameAndSize: [
				'By File Name and Size',
				"For files; a file from Audio Editing Upload has a different URL each time. Compares the file's own name, not the one in 'File Name'.",
			],
			content: [
				'By Content',
				'For files whose names and sizes may be the same: compares their SHA-256, and reads each file once more for it',
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
			'What to do with a recording whose submission was interrupted, by a crash for example, or had no usable answer. Its edit may exist on the service, and have been charged: look there first.',
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
		displayOptions: IF_SKIPPING,
	},
	{
		...choice(
			'afterFailure',
			'Retry After a Failure',
			'once',
			'What to do with a recording whose edit failed before, with the same settings. The service does not say whether a failed edit is charged, so each submission may be. An execution that fetches results of earlier ones skips it in any case.',
			{
				once: ['Try Once More', 'After the second failure, the recording is skipped'],
				always: ['Always Submit Again', 'In each execution, which may be charged each time'],
				skip: ['Skip', 'After the first failure'],
			},
		),
		displayOptions: IF_SKIPPING,
	},
];
