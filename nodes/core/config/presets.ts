import type { INodePropertyOptions } from 'n8n-workflow';

import type { EditConfig } from '../../../api/contract';
import { choices } from '../form/build';

const ENHANCE: EditConfig = { remove_noise: true, normalize: true };

const FULL_EDIT: EditConfig = {
	...ENHANCE,
	fillers: true,
	long_silences: true,
	mouth_sounds: true,
	breath: true,
	stutters: true,
};

/** The configuration keys of each preset: the package's own first, then those of api.md#presets. */
export const PRESETS = {
	podcastEpisode: { ...FULL_EDIT, transcription: true, summarize: true },
	enhance: ENHANCE,
	studioPolish: { ...ENHANCE, studio_sound: true },
	fullEdit: FULL_EDIT,
	transcriptOnly: { transcription: true },
	fullAnalysis: { transcription: true, summarize: true, social_content: true },
	none: {},
} satisfies Record<string, EditConfig>;

export type PresetName = keyof typeof PRESETS;

/** The presets as the form lists them, the most wanted first. */
export const PRESET_OPTIONS: Array<INodePropertyOptions & { readonly value: PresetName }> = choices(
	{
		podcastEpisode: [
			'Podcast Episode',
			'Noise, loudness, silences, fillers, breaths, stutters, mouth sounds; also a transcript and a summary with chapters',
		],
		enhance: ['Enhance', 'Noise, loudness'],
		studioPolish: ['Studio Polish', 'Noise, loudness, studio sound'],
		fullEdit: ['Full Edit', 'Noise, loudness, silences, fillers, breaths, stutters, mouth sounds'],
		transcriptOnly: ['Transcript Only', 'A transcript; noise is still removed'],
		fullAnalysis: [
			'Full Analysis',
			'A transcript, a summary with chapters, social posts; noise is still removed',
		],
		none: [
			'None',
			"Only the options that are set; noise is still removed unless 'Remove Noise' is set to 'Leave Untouched'",
		],
	},
);
