import type { INodeProperties } from 'n8n-workflow';

import {
	EDIT_ID_FIELDS,
	KEEP_INPUT_FILES_FIELD,
	MODEL_OUTPUT_FIELDS,
	SIMPLIFY_OPTION,
} from '../core/form/fields';
import { optionGroups } from '../core/form/optionGroups';
import { POLL_OPTIONS, STILL_RUNNING, maximumWait, whenTimeIsUp } from '../core/wait/fields';

/** Where an edit goes. */
export const OUTPUTS = [{ name: 'finished', label: 'Finished' }, STILL_RUNNING] as const;

/** The form of Wait For Edit. */
export const WAIT_FOR_EDIT_FIELDS: INodeProperties[] = [
	...EDIT_ID_FIELDS,
	...MODEL_OUTPUT_FIELDS,
	...optionGroups(POLL_OPTIONS, {
		files: [KEEP_INPUT_FILES_FIELD],
		advanced: [
			maximumWait(
				'How long to wait for all edits together, from the start of this node. A recording of one hour takes 5 to 10 minutes.',
			),
			whenTimeIsUp(
				"The item goes to a second output. Connect that output back to this node through n8n's Wait node: the loop survives n8n restarts.",
			),
			SIMPLIFY_OPTION,
		],
	}),
];
