import { choices } from '../form/build';

/** The presets as the form lists them, the most wanted first. */
export const PRESET_OPTIONS = choices({
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
});

/** The name of a preset, which a workflow saves. */
export type PresetName = (typeof PRESET_OPTIONS)[number]['value'];
