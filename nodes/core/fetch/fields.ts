import type { INodeProperties } from 'n8n-workflow';

import { KEEP_INPUT_FILES_FIELD, SIMPLIFY_OPTION, TRANSFERS_AT_ONCE_FIELD } from '../form/fields';
import { SPEAKER_OPTIONS } from './texts/speakerNames';
import { CUT_SOUNDBITES, EMBEDDED_CHAPTERS, WRITE_TAGS } from './tags/fields';
import type { OptionsByGroup } from '../form/optionGroups';
import { choices, textField, toggle } from '../form/build';

/** The files of a result. */
export const DOWNLOAD_OPTIONS = choices({
	edited: 'Edited File',
	markers: ['Markers', "Needs 'Export Timestamps' on the edit"],
	merged: [
		'Merged Audio',
		"Needs 'Merge Tracks' on the edit. The local service also returns the audio from 'Audio for Edit List' here.",
	],
});

/** The node's option for the transcript. */
const TRANSCRIPT_OPTION: INodeProperties = {
	displayName: 'Speakers and Times in Transcript',
	name: 'transcriptShows',
	type: 'multiOptions',
	default: ['speakers'],
	description: 'What each paragraph of the transcript begins with',
	options: choices({ speakers: 'Speakers', times: 'Times' }),
};

/** Which files to fetch. */
export const DOWNLOAD_FIELD: INodeProperties = {
	displayName: 'Download',
	name: 'download',
	type: 'multiOptions',
	default: ['edited'],
	description: 'Which files to fetch into n8n; leave empty to get the links only',
	options: DOWNLOAD_OPTIONS,
};

/** Where to put the edited file. */
export const OUTPUT_FIELD = textField(
	'binaryPropertyName',
	'Put Output File in Field',
	"The name of the output field to put the edited file in. Other files get names such as 'data_markers_1'.",
	{ default: 'data', placeholder: 'e.g. data' },
);

const ONE_ITEM_PER_FILE = toggle(
	'oneItemPerFile',
	'One Item per File',
	"Whether to return each file as its own item, so that one node after this one stores all of them. What you choose under 'Also Return (Subtitles …)' becomes files, too.",
);

/** The options for what is made of a result, and how it is returned. */
export const RESULT_OPTIONS: OptionsByGroup = {
	files: [KEEP_INPUT_FILES_FIELD, ONE_ITEM_PER_FILE, WRITE_TAGS],
	transcriptAndNotes: [CUT_SOUNDBITES, ...EMBEDDED_CHAPTERS, ...SPEAKER_OPTIONS, TRANSCRIPT_OPTION],
	advanced: [SIMPLIFY_OPTION, TRANSFERS_AT_ONCE_FIELD],
};
