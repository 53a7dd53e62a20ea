import type { INodeProperties } from 'n8n-workflow';

import { KEEP_INPUT_FILES_FIELD, TRANSFERS_AT_ONCE_FIELD } from '../core/form/fields';
import { optionGroups } from '../core/form/optionGroups';
import { RECORDING_FROM, UPLOAD_OPTIONS, inputField } from '../core/upload/fields';

const ADVICE =
	"A file that is already at a public URL needs no upload: enter that URL in Audio Editing Create Edit. For an agent's tool, enter an expression for the file, such as {{ $('On form submission').item.binary.data }}";

/** The form of Upload. */
export const UPLOAD_FIELDS: INodeProperties[] = [
	RECORDING_FROM,
	inputField(ADVICE, { show: { recordingFrom: ['file'] } }),
	...optionGroups(UPLOAD_OPTIONS, {
		files: [KEEP_INPUT_FILES_FIELD],
		advanced: [TRANSFERS_AT_ONCE_FIELD],
	}),
];
