import type { INodeProperties } from 'n8n-workflow';

import { numberField } from '../form/build';

export const PREVIEW_LABEL = 'Preview Only (Minutes)';

export const MIN_PREVIEW_MINUTES = 0.5;
export const MAX_PREVIEW_MINUTES = 10;

/** The option to edit a part of the recording before the whole. */
export const PREVIEW_FIELD: INodeProperties = numberField(
	'previewMinutes',
	PREVIEW_LABEL,
	1,
	"How many minutes to edit instead of the whole recording, from a third into it, to hear what the settings do. They are an edit of their own, which is charged by itself; the whole edit charges these minutes again. For MP3 and WAV files that this node uploads. Transcript, notes, email and 'Upload Result To' are left out.",
	{
		typeOptions: {
			minValue: MIN_PREVIEW_MINUTES,
			maxValue: MAX_PREVIEW_MINUTES,
			numberPrecision: 1,
		},
	},
);
