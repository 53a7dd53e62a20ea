import type { INodeProperties } from 'n8n-workflow';

import {
	CONFIGURE_FIELDS,
	CONFIG_JSON,
	EDIT_OPTIONS,
	FILE_URLS,
	ITEMS_ARE,
	PRESET_FIELDS,
	SEVERAL_URLS,
} from '../core/config/fields';
import { PICTURE_FIELD } from '../core/config/pictureField';
import { DOWNLOAD_FIELD, OUTPUT_FIELD, RESULT_OPTIONS } from '../core/fetch/fields';
import { FORMAT_FIELDS } from '../core/fetch/texts/formatFields';
import { type OptionsByGroup, optionGroups } from '../core/form/optionGroups';
import { PREVIEW_FIELD } from '../core/upload/previewFields';
import { RECORDING_FROM, UPLOAD_OPTIONS, inputField } from '../core/upload/fields';
import { POLL_OPTIONS, STILL_RUNNING, maximumWait, whenTimeIsUp } from '../core/wait/fields';
import {
	MODEL_OUTPUT_FIELDS,
	OUTSIDE_TOOLS,
	inheritingField,
	toolDescriptionField,
} from '../core/form/fields';
import { SPENDING_OPTIONS } from '../core/submit/spendingFields';
import { SKIPPED, SKIP_OPTIONS } from '../core/skip/fields';
import { toggle } from '../core/form/build';

/** The files of the item, which this node uploads, or a URL. An agent's call carries no files. */
const RECORDING: INodeProperties = {
	...RECORDING_FROM,
	displayOptions: OUTSIDE_TOOLS,
	options: [
		...RECORDING_FROM.options,
		{ name: 'URL', value: 'url', description: 'The service fetches it' },
	],
};

const FIELD_ADVICE = "For a file that is already at a public URL, set 'Recording From' to 'URL'";

const DELETE_WHEN_FETCHED = toggle(
	'deleteWhenFetched',
	'Delete Edit When Fetched',
	'Whether to delete each edit, its source file and its results on the service, one second after the node has ended and n8n has their files. An edit with a file that was not fetched is kept. If the node fails or is stopped, nothing is deleted; the service deletes edits 7 days after processing.',
	{ default: false },
);

/** What an agent's model reads about the node as its tool. */
export const FOR_MODELS =
	'Edit the audio or video file at a URL and wait for it, which takes minutes. Each new edit is charged. Returns editId, title, summary and links to the files. If finished is false, call it again with the same URL before you answer: that continues the same edit at no charge. After a timeout or over MCP, do not call it again. If you answer first, give the user the editId: a later call is a new edit.';

/** Where a recording goes. */
export const OUTPUTS = [{ name: 'edited', label: 'Edited' }, STILL_RUNNING, SKIPPED] as const;

/** The fields with the files of a track: everything else is what the first track says. */
const TRACK_SOURCE: INodeProperties[] = [
	RECORDING,
	inputField(FIELD_ADVICE, { show: { recordingFrom: ['file'] }, ...OUTSIDE_TOOLS }),
	...inheritingField({
		...FILE_URLS,
		description: `Any public URL of an audio or video file. ${SEVERAL_URLS}`,
		shownFor: { recordingFrom: ['url'] },
	}),
];

/** The form of another track than the first, with the options of the upload. */
export const TRACK_FIELDS: INodeProperties[] = [...TRACK_SOURCE, ...optionGroups(UPLOAD_OPTIONS)];

/** What is made of an edit, and how it is returned. */
const RESULT_FIELDS: INodeProperties[] = [...FORMAT_FIELDS, ...MODEL_OUTPUT_FIELDS];
const OPTIONS_OF_RESULT: readonly OptionsByGroup[] = [
	RESULT_OPTIONS,
	{
		// A preview has no texts, also if its item comes back.
		files: [DOWNLOAD_FIELD, { ...OUTPUT_FIELD, name: 'outputField' }, PREVIEW_FIELD],
		costAndSafety: [DELETE_WHEN_FETCHED],
	},
];

/** What counts of the form for an item that goes on with its edit: its recording was submitted before. */
export const GOING_ON_FIELDS: INodeProperties[] = [
	// The advice after a FAILURE depends on it.
	RECORDING,
	...RESULT_FIELDS,
	...optionGroups(...OPTIONS_OF_RESULT),
];

/** The form of Audio Editing: its own fields, and those of the nodes that do one step each. */
export const EDIT_RECORDING_FIELDS: INodeProperties[] = [
	toolDescriptionField(FOR_MODELS),
	...TRACK_SOURCE,
	{ ...ITEMS_ARE, displayOptions: OUTSIDE_TOOLS },
	...CONFIGURE_FIELDS,
	...PRESET_FIELDS,
	CONFIG_JSON,
	PICTURE_FIELD,
	...RESULT_FIELDS,
	...optionGroups(UPLOAD_OPTIONS, EDIT_OPTIONS, POLL_OPTIONS, ...OPTIONS_OF_RESULT, {
		costAndSafety: [...SKIP_OPTIONS, ...SPENDING_OPTIONS],
		advanced: [
			maximumWait(
				'How long to wait for each edit after its submission, or after its item comes back to this node. A recording of one hour takes 5 to 10 minutes. With many recordings, an edit may first wait for its turn on the service.',
			),
			whenTimeIsUp(
				"The item goes to a second output. Connect that output back to this node through n8n's Wait node only: the item continues with the same edit, even after n8n restarts. Without the fields 'editId', 'finished' and 'edit', it counts as a new recording and is charged again.",
			),
		],
	}),
];
