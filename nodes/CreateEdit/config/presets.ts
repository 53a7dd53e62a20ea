import type { INodePropertyOptions } from 'n8n-workflow';

import type { EditConfig } from '../../../api/contract';

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
export const PRESET_OPTIONS: Array<INodePropertyOptions & { readonly value: PresetName }> = [
	{
		name: 'Podcast Episode',
		value: 'podcastEpisode',
		description:
			'Noise, loudness, silences, fillers, breaths, stutters, mouth sounds; also a transcript and a summary with chapters',
	},
	{ name: 'Enhance', value: 'enhance', description: 'Noise, loudness' },
	{ name: 'Studio Polish', value: 'studioPolish', description: 'Noise, loudness, studio sound' },
	{
		name: 'Full Edit',
		value: 'fullEdit',
		description: 'Noise, loudness, silences, fillers, breaths, stutters, mouth sounds',
	},
	{
		name: 'Transcript Only',
		value: 'transcriptOnly',
		description: 'A transcript; noise is still removed',
	},
	{
		name: 'Full Analysis',
		value: 'fullAnalysis',
		description: 'A transcript, a summary with chapters, social posts; noise is still removed',
	},
	{
		name: 'None',
		value: 'none',
		description:
			"Only what the options say; noise is still removed unless 'Remove Noise' is set to 'Leave Untouched'",
	},
];
