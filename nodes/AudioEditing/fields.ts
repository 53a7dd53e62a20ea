import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	CONFIGURE_FIELDS,
	CONFIG_JSON,
	FILE_URLS,
	OPTION_FIELDS,
	PRESET_FIELDS,
	SEVERAL_URLS,
	SPECIAL_FIELD,
} from '../CreateEdit/config/configurationFields';
import { DOWNLOAD_FIELD, OUTPUT_FIELD, RESULT_OPTIONS } from '../GetResult/fields';
import { FORMAT_FIELDS } from '../GetResult/texts/formatFields';
import { TAG_FIELDS } from '../GetResult/tags/tagFields';
import { FILES_FROM, TRANSFER_OPTIONS, inputField } from '../Upload/fields';
import { MAXIMUM_WAIT, POLL_OPTIONS, WHEN_TIME_IS_UP_OPTIONS } from '../WaitForEdit/fields';
import {
	KEEP_INPUT_FILES_FIELD,
	TRANSFERS_AT_ONCE_FIELD,
	OUTSIDE_TOOLS,
	inheritingField,
	outputFields,
	toolDescriptionField,
} from '../shared/form/fields';
import { SKIP_FIELDS } from '../shared/skip/skipFields';

/** Shows a field where the recording is a file of the item; an agent's call carries no files. */
const forFiles = (more: NonNullable<INodeProperties['displayOptions']>['show'] = {}) => ({
	show: { recordingFrom: ['file'], ...more },
	...OUTSIDE_TOOLS,
});

const RECORDING_FROM: INodeProperties = {
	displayName: 'Recording From',
	name: 'recordingFrom',
	type: 'options',
	noDataExpression: true,
	default: 'file',
	description: 'Where the recording comes from',
	displayOptions: OUTSIDE_TOOLS,
	options: [
		{ name: 'File of the Item', value: 'file', description: 'This node uploads it' },
		{ name: 'URL', value: 'url', description: 'The service fetches it' },
	],
};

const FIELD_ADVICE = "For a file that is already at a public URL, set 'Recording From' to 'URL'";

const SECOND_OUTPUT: INodePropertyOptions = {
	name: 'Send to Second Output',
	value: 'secondOutput',
	description:
		"The item goes to a second output. Connect that output back to this node through n8n's Wait node only: the item goes on with the same edit, also after a restart of n8n. Without the fields 'editId', 'finished' and 'edit', it would be a new recording, which is charged.",
};

const WHEN_TIME_IS_UP: INodeProperties = {
	displayName: 'When Time Is Up',
	name: 'whenTimeIsUp',
	type: 'options',
	noDataExpression: true,
	default: 'fail',
	description: 'What happens to an item whose edit is not finished yet',
	options: [...WHEN_TIME_IS_UP_OPTIONS, SECOND_OUTPUT],
};

const DELETE_WHEN_FETCHED: INodeProperties = {
	displayName: 'Delete Edit When Fetched',
	name: 'deleteWhenFetched',
	type: 'boolean',
	default: false,
	description:
		'Whether to delete each edit, its source file and its results at the service, a second after the node has ended and n8n has their files. An edit with a file that is not fetched stays. If the node fails or is stopped, it deletes nothing; the service deletes edits 7 days after processing.',
};

/** What an agent's model reads about the node as its tool. */
export const FOR_MODELS =
	'Edit the audio or video file at a URL and wait for it, which takes minutes. Each new edit is charged. Returns editId, title, summary and links to the files. If finished is false, call it again with the same URL before you answer: that continues the same edit at no charge. After a timeout or over MCP, do not call it again. If you answer first, give the user the editId: a later call is a new edit.';

/** The outputs: Edited, and those that the form asks for. */
export const OUTPUTS =
	'={{ $parameter["whenTimeIsUp"] !== "secondOutput" && ($parameter["skipEdited"] ?? "off") === "off" ? ["main"] : [{ type: "main", displayName: "Edited" }].concat($parameter["whenTimeIsUp"] === "secondOutput" ? [{ type: "main", displayName: "Still Running" }] : [], ($parameter["skipEdited"] ?? "off") === "off" ? [] : [{ type: "main", displayName: "Skipped" }]) }}';

/** The form of Audio Editing: its own fields, and those of the nodes that do one step each. */
export const EDIT_RECORDING_FIELDS: INodeProperties[] = [
	toolDescriptionField(FOR_MODELS),
	RECORDING_FROM,
	{ ...FILES_FROM, displayOptions: forFiles() },
	inputField(FIELD_ADVICE, forFiles({ filesFrom: ['fields'] })),
	...inheritingField({
		...FILE_URLS,
		description: `Any public URL of an audio or video file. ${SEVERAL_URLS}`,
		shownFor: { recordingFrom: ['url'] },
	}),
	...CONFIGURE_FIELDS,
	...PRESET_FIELDS,
	CONFIG_JSON,
	...OPTION_FIELDS,
	...SKIP_FIELDS,
	{
		...MAXIMUM_WAIT,
		default: 120,
		description:
			'How long to wait for each edit after its submission, or after its item comes back to this node. A recording of one hour takes 5 to 10 minutes. With many recordings, an edit may first wait for its turn at the service.',
	},
	WHEN_TIME_IS_UP,
	DOWNLOAD_FIELD,
	{ ...OUTPUT_FIELD, name: 'outputField' },
	...TAG_FIELDS,
	...FORMAT_FIELDS,
	...outputFields(),
	KEEP_INPUT_FILES_FIELD,
	SPECIAL_FIELD,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			...TRANSFER_OPTIONS,
			...POLL_OPTIONS,
			...RESULT_OPTIONS,
			DELETE_WHEN_FETCHED,
			TRANSFERS_AT_ONCE_FIELD,
		].sort((one, other) => (one.displayName < other.displayName ? -1 : 1)),
	},
];
