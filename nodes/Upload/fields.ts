import type { INodeProperties } from 'n8n-workflow';

import { KEEP_INPUT_FILES_FIELD, TRANSFERS_AT_ONCE_FIELD, optionsField } from '../core/form/fields';
import { RECORDING_FROM, TRANSFER_OPTIONS, inputField } from '../core/upload/fields';

const ADVICE =
	"A file that is already at a public URL needs no upload: enter that URL in Create Edit. For an agent's tool, enter an expression for the file, such as {{ $('On form submission').item.binary.data }}";

/** The form of Upload. */
export const UPLOAD_FIELDS: INodeProperties[] = [
	RECORDING_FROM,
	inputField(ADVICE, { show: { recordingFrom: ['file'] } }),
	optionsField([...TRANSFER_OPTIONS, KEEP_INPUT_FILES_FIELD, TRANSFERS_AT_ONCE_FIELD]),
];
