import type { INodeProperties, IWebhookDescription } from 'n8n-workflow';

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
import { choice, mode, numberField, textField } from '../shared/form/build';

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

/** When to ask about edits, and what Stop does to them. */
export const POLL_OPTIONS: INodeProperties[] = [
	numberField(
		'firstPollDelaySeconds',
		'First Poll After (Seconds)',
		FIRST_POLL_DELAY_SECONDS,
		"How long after submission to first check an edit. If the input item has no 'submittedAt', the time counts from the start of the node.",
		{ typeOptions: { minValue: 0 } },
	),
	numberField(
		'pollIntervalSeconds',
		'Poll Interval (Seconds)',
		POLL_INTERVAL_SECONDS,
		'The shortest time between two status calls for the same edit. With many edits, the time is longer, because they share 300 requests a minute.',
		{ typeOptions: { minValue: MINIMUM_POLL_INTERVAL_SECONDS } },
	),
	numberField(
		'pendingNoticeMinutes',
		'Warn After Pending (Minutes)',
		PENDING_NOTICE_MINUTES,
		'When to warn about an edit that has never left PENDING. Unknown, deleted and expired edits also show PENDING.',
		{ typeOptions: { minValue: 0 } },
	),
	choice(
		'whenStopped',
		'When Stopped',
		'leave',
		'What happens to unfinished edits when the execution is stopped',
		{
			delete: ['Delete Edits', 'Permanently, with their files'],
			leave: ['Leave Edits Running', 'They keep running on the service'],
		},
	),
];

/** The longest wait by default, in minutes. */
export const MAXIMUM_WAIT_MINUTES = 120;

/** The option for the longest wait. */
export const maximumWait = (description: string) =>
	numberField('maximumWaitMinutes', 'Maximum Wait (Minutes)', MAXIMUM_WAIT_MINUTES, description, {
		typeOptions: { minValue: 0 },
	});

/** What happens to an item whose edit is not finished in time. */
export const WHEN_TIME_IS_UP = mode(
	'whenTimeIsUp',
	'When Time Is Up',
	'fail',
	'What happens to an item whose edit is not finished yet. A tool passes it on unless you add this option.',
	{
		fail: ['Fail', 'The item fails; its edit keeps running on the service'],
		passOn: ['Pass On as Still Running', "The item goes on with 'finished' set to false"],
	},
);

const DELIVERED_FILE = textField(
	'binaryPropertyName',
	'Put Delivered File in Field',
	'The name of the output field to put the delivered file in',
	{ default: 'data', placeholder: 'e.g. data' },
);

/** Shows an option for these ways to wait. */
const whileWaiting = (ways: WhileWaiting[], option: INodeProperties): INodeProperties => ({
	...option,
	displayOptions: { ...option.displayOptions, show: { '/whileWaiting': ways } },
});

export const WAIT_FOR_EDIT_FIELDS: INodeProperties[] = [
	...EDIT_ID_FIELDS,
	mode(
		'whileWaiting',
		'While Waiting',
		'automatic',
		"What the execution does while it waits. As an agent's tool, the node always keeps running.",
		{
			automatic: [
				'Automatic',
				"Parks until the file is delivered if Create Edit has 'Deliver to This Workflow' on, and keeps running otherwise. A parked execution can wait for one item only; when time is up, the item goes on with 'finished' set to false.",
			],
			handOver: [
				'Hand Over When Time Is Up',
				"Sends unfinished edits to a second output. Connect it back through n8n's Wait node: the loop survives n8n restarts.",
			],
			keepRunning: ['Keep Running', 'Polls all edits together; an n8n restart ends the wait'],
			park: [
				'Park Until Delivered',
				"The execution sleeps in n8n's database until the service delivers the file to it. One item only.",
			],
		},
	),
	{
		displayName:
			"Create Edit must have 'Deliver to This Workflow' on, and the service must be able to reach n8n. An edit that fails delivers nothing: when time is up, the item goes on with 'finished' set to false, and a Get Result after this node reports why.",
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
