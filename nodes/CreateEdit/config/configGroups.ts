import type { INodeProperties } from 'n8n-workflow';

import type { EditConfigKey } from '../../../api/contract';
import { CONFIG_FIELDS } from './configFields';
import { LOUDNESS_FOR_FIELD } from './loudnessFor';

/** A group of options, in the order in which the form offers them. */
interface ConfigGroup {
	readonly name: string;
	readonly displayName: string;
	readonly description: string;
	readonly keys: readonly EditConfigKey[];
}

/** Every key of the configuration, grouped by what a person wants to do. */
export const CONFIG_GROUPS: readonly ConfigGroup[] = [
	{
		name: 'cleanUp',
		displayName: 'Clean Up',
		description: 'Noise, sound and loudness',
		keys: [
			'remove_noise',
			'keep_music',
			'studio_sound',
			'normalize',
			'target_lufs',
			'mute_lufs',
			'autoeq',
		],
	},
	{
		name: 'cut',
		displayName: 'Cut',
		description: 'What to take out of the recording',
		keys: [
			'fillers',
			'long_silences',
			'breath',
			'mouth_sounds',
			'stutters',
			'hesitations',
			'muted',
		],
	},
	{
		name: 'texts',
		displayName: 'Texts',
		description: 'What to write about the recording',
		keys: ['transcription', 'summarize', 'social_content'],
	},
	{
		name: 'delivery',
		displayName: 'Delivery',
		description: 'Which files come back, in which format, and where they go',
		keys: [
			'export_format',
			'video',
			'merge',
			'export_timestamps',
			'audio_for_edl',
			'signed_url',
			'send_email',
		],
	},
];

/** The names of the groups' fields. */
export const GROUP_FIELD_NAMES: readonly string[] = CONFIG_GROUPS.map(({ name }) => name);

/** The fields of the groups. */
export function groupFields(
	displayOptions: NonNullable<INodeProperties['displayOptions']>,
): INodeProperties[] {
	return CONFIG_GROUPS.map(({ name, displayName, description, keys }) => ({
		displayName,
		name,
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		description,
		displayOptions,
		options: keys.flatMap((key) => [
			...(key === 'target_lufs' ? [LOUDNESS_FOR_FIELD] : []),
			...CONFIG_FIELDS.filter((field) => field.name === key),
		]),
	}));
}
