import type { INodeProperties } from 'n8n-workflow';

import {
	FIRST_POLL_DELAY_SECONDS,
	MINIMUM_POLL_INTERVAL_SECONDS,
	POLL_INTERVAL_SECONDS,
} from '../../api/contract';
import { EDIT_ID_FIELD, SIMPLIFY_FIELD } from '../shared/fields';

/** The form of Wait For Edit. */
export const WAIT_FOR_EDIT_FIELDS: INodeProperties[] = [
	EDIT_ID_FIELD,
	{
		displayName: 'Maximum Wait (Minutes)',
		name: 'maximumWaitMinutes',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 30,
		hint: 'A recording of one hour takes 5 to 10 minutes',
		description: 'How long to wait for all edits together, from the start of this node',
	},
	{
		displayName: 'When Time Is Up',
		name: 'whenTimeIsUp',
		type: 'options',
		default: 'fail',
		options: [
			{
				name: 'Fail',
				value: 'fail',
				description: 'The item fails; its edit goes on at the service',
			},
			{
				name: 'Pass On as Still Running',
				value: 'passOn',
				description: "The item goes on with 'finished' set to false",
			},
		],
	},
	SIMPLIFY_FIELD,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'First Poll After (Seconds)',
				name: 'firstPollDelaySeconds',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: FIRST_POLL_DELAY_SECONDS,
				description:
					"Counted from the submission where the input item has Create Edit's 'submittedAt', else from the start of this node",
			},
			{
				displayName: 'Poll Interval (Seconds)',
				name: 'pollIntervalSeconds',
				type: 'number',
				typeOptions: { minValue: MINIMUM_POLL_INTERVAL_SECONDS },
				default: POLL_INTERVAL_SECONDS,
				description:
					'Time between two status calls for one edit; wider when many edits share the 300 calls a minute',
			},
		],
	},
];
