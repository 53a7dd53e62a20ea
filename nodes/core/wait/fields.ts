import type { INodeProperties } from 'n8n-workflow';

import {
	FIRST_POLL_DELAY_SECONDS,
	MIN_POLL_INTERVAL_SECONDS,
	POLL_INTERVAL_SECONDS,
} from '../../../api/contract/limits';
import { PENDING_NOTICE_MINUTES } from '../../../waiting/schedule';
import { choice, mode, numberField } from '../form/build';
import type { OptionsByGroup } from '../form/optionGroups';

/** When to ask about edits. */
const POLL_TIMES: INodeProperties[] = [
	numberField(
		'firstPollDelaySeconds',
		'First Poll After (Seconds)',
		FIRST_POLL_DELAY_SECONDS,
		"How long after submission to first check an edit. Without this option, sooner if the service runs on this machine or asks for it. If the input item has no 'submittedAt', the time counts from the start of the node.",
		{ typeOptions: { minValue: 0 } },
	),
	numberField(
		'pollIntervalSeconds',
		'Poll Interval (Seconds)',
		POLL_INTERVAL_SECONDS,
		'The shortest time between two status calls for the same edit. With many edits, the time is longer, because they share 300 requests a minute.',
		{ typeOptions: { minValue: MIN_POLL_INTERVAL_SECONDS } },
	),
	numberField(
		'pendingNoticeMinutes',
		'Warn After Pending (Minutes)',
		PENDING_NOTICE_MINUTES,
		'When to warn about an edit that has never left PENDING. Unknown, deleted and expired edits also show PENDING.',
		{ typeOptions: { minValue: 0 } },
	),
];

const WHEN_STOPPED = choice(
	'whenStopped',
	'When Stopped',
	'leave',
	'What happens to unfinished edits when the execution is stopped',
	{
		delete: ['Delete Edits', 'Permanently, with their files'],
		leave: ['Leave Edits Running', 'They keep running on the service'],
	},
);

/** The options of the wait that are the same in each node. */
export const POLL_OPTIONS: OptionsByGroup = { costAndSafety: [WHEN_STOPPED], advanced: POLL_TIMES };

/** The longest wait by default, in minutes. */
export const MAX_WAIT_MINUTES = 120;

/** The option for the longest wait. */
export const maximumWait = (description: string) =>
	numberField('maximumWaitMinutes', 'Maximum Wait (Minutes)', MAX_WAIT_MINUTES, description, {
		typeOptions: { minValue: 0 },
	});

/**
 * What happens to an item whose edit is not finished in time.
 *
 * @param secondOutput what 'Send to Second Output' does
 */
export const whenTimeIsUp = (secondOutput: string) =>
	mode(
		'whenTimeIsUp',
		'When Time Is Up',
		'fail',
		'What happens to an item whose edit is not finished yet. A tool passes it on unless you add this option.',
		{
			fail: ['Fail', 'The item fails; its edit keeps running on the service'],
			passOn: ['Pass On as Still Running', "The item goes on with 'finished' set to false"],
			secondOutput: ['Send to Second Output', secondOutput],
		},
	);

/** The output for edits that are not finished, if the form asks for it. */
export const STILL_RUNNING = {
	name: 'stillRunning',
	label: 'Still Running',
	group: 'advanced',
	option: 'whenTimeIsUp',
	value: 'secondOutput',
} as const;
