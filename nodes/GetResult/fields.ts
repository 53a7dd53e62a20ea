import type { INodeProperties } from 'n8n-workflow';

import { DOWNLOAD_FIELD, OUTPUT_FIELD, RESULT_OPTIONS } from '../core/fetch/fields';
import { FORMAT_FIELDS } from '../core/fetch/texts/formatFields';
import { EDIT_ID_FIELDS, MODEL_OUTPUT_FIELDS } from '../core/form/fields';
import { optionGroups } from '../core/form/optionGroups';

/** The form of Get Result. */
export const GET_RESULT_FIELDS: INodeProperties[] = [
	...EDIT_ID_FIELDS,
	DOWNLOAD_FIELD,
	{
		...OUTPUT_FIELD,
		required: true,
		displayOptions: { show: { download: ['edited', 'merged', 'markers'] } },
	},
	...FORMAT_FIELDS,
	...MODEL_OUTPUT_FIELDS,
	...optionGroups(RESULT_OPTIONS),
];
