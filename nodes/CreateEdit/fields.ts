import type { INodeProperties } from 'n8n-workflow';

import { KEEP_INPUT_FILES_FIELD, inheritingField } from '../core/form/fields';
import { optionGroups } from '../core/form/optionGroups';
import { SKIPPED, SKIP_OPTIONS } from '../core/skip/fields';
import {
	CONFIGURE_FIELDS,
	CONFIG_JSON,
	EDIT_OPTIONS,
	FILE_URLS,
	ITEMS_ARE,
	NOT_NOISE,
	PRESET_FIELDS,
	SEVERAL_URLS,
} from '../core/config/fields';
import { PICTURE_FIELD } from '../core/config/pictureField';
import { SPENDING_OPTIONS } from '../core/submit/spendingFields';
import { mode } from '../core/form/build';

const JOB_TYPE = mode(
	'jobType',
	'Job Type',
	'edit',
	"What the service does with the recording. 'Noise Reduction' ignores 'Preset' and all options that cut or write texts, even if an agent's model chooses the preset. It sends 'Options (JSON)' unchanged.",
	{
		edit: ['Edit', 'Any combination of cuts and enhancements'],
		noise: ['Noise Reduction', 'Background-noise reduction only'],
	},
);

/** Where a recording goes. */
export const OUTPUTS = [{ name: 'submitted', label: 'Submitted' }, SKIPPED] as const;

/** The fields with the files of a track: everything else is what its first track says. */
export const TRACK_FIELDS: INodeProperties[] = inheritingField({
	...FILE_URLS,
	description: `The file URL from the output of Audio Editing Upload, or any public URL of an audio or video file. ${SEVERAL_URLS}`,
});

/** The form of Create Edit. */
export const CREATE_EDIT_FIELDS: INodeProperties[] = [
	...TRACK_FIELDS,
	ITEMS_ARE,
	...CONFIGURE_FIELDS,
	...PRESET_FIELDS.map(({ displayOptions, ...field }) => ({
		...field,
		displayOptions: {
			...displayOptions,
			hide: { ...displayOptions?.hide, ...NOT_NOISE },
		},
	})),
	CONFIG_JSON,
	PICTURE_FIELD,
	...optionGroups(EDIT_OPTIONS, {
		files: [KEEP_INPUT_FILES_FIELD],
		costAndSafety: [...SKIP_OPTIONS, ...SPENDING_OPTIONS],
		advanced: [JOB_TYPE],
	}),
];
