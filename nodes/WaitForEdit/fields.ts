import type { INodeProperties, INodePropertyOptions, IWebhookDescription } from 'n8n-workflow';

import {
	FIRST_POLL_DELAY_SECONDS,
	MINIMUM_POLL_INTERVAL_SECONDS,
	POLL_INTERVAL_SECONDS,
} from '../../api/contract/limits';
import { PENDING_NOTICE_MINUTES } from '../../waiting/schedule';
import {
	EDIT_ID_FIELDS,
	KEEP_INPUT_FILES_FIELD,
	MODEL_OUTPUT_FIELDS,
	SIMPLIFY_OPTION,
	optionsField,
} from '../shared/form/fields';

export type WhileWaiting = 'automatic' | 'keepRunning' | 'handOver' | 'park';

/** A parked execution takes the file at its resume URL, which n8n opens and closes with the execution. */
export const DELIVERY_WEBHOOKS: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'PUT',
		responseMode: 'onReceived',
		path: '',
		restartWebhook: true,
	},
];

const WAYS_TO_WAIT: INodePropertyOptions[] = [
	{
		name: 'Automatic',
		value: 'automatic',
		description:
			"Parks until the file is delivered if Create Edit has 'Deliver to This Workflow' on, and keeps running otherwise. A parked execution takes one item; when the time is up, it goes on with 'finished' set to false.",
	},
	{
		name: 'Hand Over When Time Is Up',
		value: 'handOver',
		description:
			"Sends unfinished edits to a second output. Connect it back through n8n's Wait node: the loop survives a restart of n8n.",
	},
	{
		name: 'Keep Running',
		value: 'keepRunning',
		description: 'Polls all edits together; a restart of n8n ends the wait',
	},
	{
		name: 'Park Until Delivered',
		value: 'park',
		description:
			"The execution sleeps in n8n's database until the service delivers the file to it. One item only.",
	},
];

/** When to ask about edits, and what Stop does to them. */
export const POLL_OPTIONS: INodeProperties[] = [
	{
		displayName: 'First Poll After (Seconds)',
		name: 'firstPollDelaySeconds',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: FIRST_POLL_DELAY_SECONDS,
		description:
			"How long after its submission to ask about an edit for the first time. If the input item has no 'submittedAt', the time counts from the start of the node.",
	},
	{
		displayName: 'Poll Interval (Seconds)',
		name: 'pollIntervalSeconds',
		type: 'number',
		typeOptions: { minValue: MINIMUM_POLL_INTERVAL_SECONDS },
		default: POLL_INTERVAL_SECONDS,
		description:
			'The shortest time between two requests about one edit. With many edits it is longer, because they share 300 requests a minute.',
	},
	{
		displayName: 'Warn After Pending (Minutes)',
		name: 'pendingNoticeMinutes',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: PENDING_NOTICE_MINUTES,
		description:
			'When to warn that an edit has had no status but PENDING. Unknown, deleted and expired edits also read as PENDING.',
	},
	{
		displayName: 'When Stopped',
		name: 'whenStopped',
		type: 'options',
		default: 'leave',
		description: 'What happens to unfinished edits when the execution is stopped',
		options: [
			{ name: 'Delete Edits', value: 'delete', description: 'Permanently, with their files' },
			{
				name: 'Leave Edits Running',
				value: 'leave',
				description: 'They keep running at the service',
			},
		],
	},
];

/** The longest wait by default, in minutes. */
export const MAXIMUM_WAIT_MINUTES = 120;

/** The option for the longest wait. */
export const maximumWait = (description: string): INodeProperties => ({
	displayName: 'Maximum Wait (Minutes)',
	name: 'maximumWaitMinutes',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: MAXIMUM_WAIT_MINUTES,
	description,
});

/** What happens to an item whose edit is not finished in time. */
export const WHEN_TIME_IS_UP = {
	displayName: 'When Time Is Up',
	name: 'whenTimeIsUp',
	type: 'options',
	noDataExpression: true,
	default: 'fail',
	description: 'What happens to an item whose edit is not finished yet',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item fails; its edit keeps running at the service',
		},
		{
			name: 'Pass On as Still Running',
			value: 'passOn',
			description: "The item goes on with 'finished' set to false",
		},
	],
} satisfies INodeProperties;

const DELIVERED_FILE: INodeProperties = {
	displayName: 'Put Delivered File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	placeholder: 'e.g. data',
	description: 'The name of the output field to put the delivered file in',
};

/** Shows an option for these ways to wait. */
const whileWaiting = (ways: WhileWaiting[], option: INodeProperties): INodeProperties => ({
	...option,
	displayOptions: { ...option.displayOptions, show: { '/whileWaiting': ways } },
});

export const WAIT_FOR_EDIT_FIELDS: INodeProperties[] = [
	...EDIT_ID_FIELDS,
	{
		displayName: 'While Waiting',
		name: 'whileWaiting',
		type: 'options',
		noDataExpression: true,
		default: 'automatic',
		description:
			"What the execution does while it waits. As an agent's tool, the node always keeps running.",
		options: WAYS_TO_WAIT,
	},
	{
		displayName:
			"Create Edit must have 'Deliver to This Workflow' on, and the service must be able to reach n8n. An edit that ends in FAILURE delivers nothing: when the time is up, the item goes on with 'finished' set to false, and a Get Result after this node reports why.",
		name: 'parkNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { whileWaiting: ['park'] } },
	},
	...MODEL_OUTPUT_FIELDS,
	optionsField([
		maximumWait(
			'How long to wait for all edits together, from the start of this node. A recording of one hour takes 5 to 10 minutes.',
		),
		whileWaiting(['automatic', 'keepRunning'], WHEN_TIME_IS_UP),
		whileWaiting(['automatic', 'park'], DELIVERED_FILE),
		...[...POLL_OPTIONS, SIMPLIFY_OPTION, KEEP_INPUT_FILES_FIELD].map((option) =>
			whileWaiting(['automatic', 'keepRunning', 'handOver'], option),
		),
	]),
];
