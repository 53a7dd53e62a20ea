import type { EditConfig } from '../../api/contract';

/** The names of the recommended presets, spec "Recommended presets". */
export type PresetName =
	| 'enhance'
	| 'studioPolish'
	| 'fullEdit'
	| 'transcriptOnly'
	| 'fullAnalysis'
	| 'none';

const ENHANCE: EditConfig = { remove_noise: true, normalize: true };

/** The configuration keys each preset switches on. */
export const PRESETS: Record<PresetName, EditConfig> = {
	enhance: ENHANCE,
	studioPolish: { ...ENHANCE, studio_sound: true },
	fullEdit: {
		...ENHANCE,
		fillers: true,
		long_silences: true,
		mouth_sounds: true,
		breath: true,
		stutters: true,
	},
	transcriptOnly: { transcription: true },
	fullAnalysis: { transcription: true, summarize: true, social_content: true },
	none: {},
};
