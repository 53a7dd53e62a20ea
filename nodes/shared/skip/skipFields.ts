import type { INodeProperties } from 'n8n-workflow';

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

const WAYS: INodeProperties['options'] = [
	{
		name: 'By File Name and Size',
		value: 'nameAndSize',
		description: 'For files; a file from Upload has a different URL each time',
	},
	{
		name: 'By URL',
		value: 'url',
		description:
			'For public URLs. Compares the whole URL, except for a signature by S3, Google, Azure, CloudFront or another known host.',
	},
	{
		name: 'By Your Own Value',
		value: 'value',
		description: "Such as the file's ID in your storage, in the option 'Value of the Recording'",
	},
];

const IF_UNCERTAIN: INodeProperties['options'] = [
	{
		name: 'Fail',
		value: 'fail',
		description: 'The item fails, nothing is sent, and the error says what to do',
	},
	{
		name: 'Skip',
		value: 'skip',
		description: 'Choose this if its edit is at the service. It then counts as edited.',
	},
	{
		name: 'Submit Again',
		value: 'submit',
		description:
			'Choose this if its edit is not at the service. Otherwise it is charged a second time.',
	},
];

/** The options with which a node skips recordings. */
export const SKIP_OPTIONS: INodeProperties[] = [
	{
		displayName: 'Skip Recordings Already Edited',
		name: 'skipEdited',
		type: 'options',
		noDataExpression: true,
		default: 'nameAndSize',
		description:
			"Which recordings count as the same. A recording that this node submitted before, in any execution, goes to the output 'Skipped' and is not charged again.",
		options: WAYS,
	},
	{
		displayName: 'Value of the Recording',
		name: 'skipValue',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.md5 }}',
		description:
			'A text or number that is different for each recording and never changes for the same recording',
		displayOptions: { show: { skipEdited: ['value'] } },
	},
	{
		displayName: 'If Uncertain',
		name: 'ifUncertain',
		type: 'options',
		default: 'fail',
		description:
			'What to do with a recording whose submission was interrupted, by a crash for example. Its edit may be at the service, and charged: look there first.',
		options: IF_UNCERTAIN,
		displayOptions: { show: { skipEdited: ['nameAndSize', 'url', 'value'] } },
	},
];
