import type { INodeProperties } from 'n8n-workflow';

import type { EditConfigKey } from '../../../api/contract';
import {
	MUTE_LUFS_DEFAULT,
	TARGET_LUFS_DEFAULT,
	MAX_TARGET_LUFS,
	MIN_TARGET_LUFS,
} from '../../../api/contract/limits';
import { choice, numberField, textField, toggle } from '../form/build';
import { PICTURE_FIELD } from './pictureField';
import type { OptionGroup } from '../form/optionGroups';

/** What forms and docs/openapi.json say about a key of the configuration (api.md#configuration). */
interface ConfigKeyRow {
	/** The group that has it; missing for a key with a main field. */
	readonly group?: OptionGroup;
	/**
	 * Its field in the form, with the same name, unless it is a main field. Keys that take a boolean or a word are
	 * lists; readConfiguration.ts turns their `true` and `false` into booleans. A deprecated key has none: it can be
	 * set in JSON only.
	 */
	readonly field?: INodeProperties;
	/** What it does, in the words of the API. */
	readonly meaning: string;
}

export const CONFIG_KEYS: Readonly<Record<EditConfigKey, ConfigKeyRow>> = {
	video: {
		field: PICTURE_FIELD,
		meaning: 'Must be true for video editing; otherwise the file is treated as audio only',
	},
	fillers: {
		group: 'cuts',
		field: toggle('fillers', 'Fillers (Um, Uh)', 'Whether to remove filler sounds and words'),
		meaning: 'Remove filler sounds and words',
	},
	long_silences: {
		group: 'cuts',
		field: toggle('long_silences', 'Long Silences and Pauses', 'Whether to shorten long pauses'),
		meaning: 'Remove long pauses',
	},
	stutters: {
		group: 'cuts',
		field: toggle('stutters', 'Stutters', 'Whether to remove repeated word fragments'),
		meaning: 'Remove repeated word fragments',
	},
	mouth_sounds: {
		group: 'cuts',
		field: toggle(
			'mouth_sounds',
			'Mouth Sounds',
			'Whether to remove clicks, lip smacks and similar sounds',
		),
		meaning: 'Remove clicks, lip smacks and similar',
	},
	hesitations: {
		group: 'cuts',
		field: toggle(
			'hesitations',
			'Hesitations',
			'Whether to remove short hesitation sounds that are not full fillers',
		),
		meaning: 'Remove short hesitation sounds that are not full fillers',
	},
	breath: {
		group: 'cuts',
		field: choice('breath', 'Breaths', 'true', 'Whether and how to remove breaths', {
			false: 'Leave Untouched',
			legacy: ['Legacy', 'Cautious; for recordings that are already clean'],
			natural: ['Natural', 'Lighter; keeps more of the natural breathing'],
			true: ['Remove', 'Recommended for most recordings, especially difficult ones'],
		}),
		meaning: 'Remove or soften breaths',
	},
	muted: {
		group: 'cuts',
		field: toggle(
			'muted',
			'Mute Instead of Cut',
			'Whether to mute these passages instead of cutting them, so that the length stays the same',
		),
		meaning: 'Silence edits instead of cutting them: the output is as long as the input',
	},
	remove_noise: {
		group: 'sound',
		field: choice(
			'remove_noise',
			'Remove Noise',
			'true',
			'Whether and how to remove background noise',
			{
				false: 'Leave Untouched',
				legacy: ['Legacy', 'The previous noise engine'],
				true: ['Remove', 'The current noise engine; the default'],
			},
		),
		meaning: 'Background-noise reduction; on when omitted',
	},
	keep_music: {
		group: 'sound',
		field: toggle(
			'keep_music',
			'Keep Music',
			'Whether to preserve music sections during noise reduction',
		),
		meaning: 'Preserve music sections during noise reduction',
	},
	normalize: {
		group: 'sound',
		field: toggle(
			'normalize',
			'Normalize Loudness (Volume)',
			`Whether to bring the loudness to the target (${TARGET_LUFS_DEFAULT} LUFS unless set)`,
		),
		meaning: 'Loudness normalization; only a boolean',
	},
	target_lufs: {
		group: 'sound',
		field: numberField(
			'target_lufs',
			'Target Loudness (LUFS)',
			TARGET_LUFS_DEFAULT,
			`Integrated loudness from ${MIN_TARGET_LUFS} to ${MAX_TARGET_LUFS}; needs 'Normalize Loudness (Volume)'`,
			{ typeOptions: { minValue: MIN_TARGET_LUFS, maxValue: MAX_TARGET_LUFS } },
		),
		meaning:
			'Integrated loudness target in LUFS, -36 to -6; -16 when `normalize` is true and this is null',
	},
	mute_lufs: {
		group: 'sound',
		field: numberField(
			'mute_lufs',
			'Loudness Floor (LUFS)',
			MUTE_LUFS_DEFAULT,
			'Audio below this level is ignored when the loudness is measured',
		),
		meaning: 'Gate level in LUFS used when loudness is measured',
	},
	studio_sound: {
		group: 'sound',
		field: choice('studio_sound', 'Studio Sound', 'true', 'Whether and how to enhance the sound', {
			true: ['Enhance', 'Aggressive; stronger than noise removal'],
			nightly: ['Experimental', "May change at any time; currently like 'Enhance'"],
			false: 'Off',
		}),
		meaning: 'Studio-sound enhancement, stronger than noise removal',
	},
	autoeq: {
		meaning: 'Legacy automatic EQ; deprecated, `studio_sound` is preferred',
	},
	export_format: {
		group: 'files',
		field: choice(
			'export_format',
			'Export Format (MP3, WAV …)',
			'auto',
			'Format of the edited audio file',
			{
				aac: 'AAC',
				auto: [
					'Automatic',
					"Chosen by the service; the local service keeps the input's format if it can",
				],
				flac: 'FLAC',
				m4a: 'M4A',
				mp3: 'MP3',
				opus: 'Opus',
				wav: 'WAV',
			},
		),
		meaning: 'Format of the edited audio file',
	},
	transcription: {
		group: 'transcriptAndNotes',
		field: toggle('transcription', 'Transcription', 'Whether to return a word-level transcript'),
		meaning: 'Return a word-level transcript',
	},
	summarize: {
		group: 'transcriptAndNotes',
		field: toggle(
			'summarize',
			'Summarize',
			"Whether to write chapters, key learnings and a summary. Turns 'Transcription' on.",
		),
		meaning: 'Chapters, key learnings and summary; turns `transcription` on',
	},
	social_content: {
		group: 'transcriptAndNotes',
		field: toggle(
			'social_content',
			'Social Content',
			"Whether to write social-media content. Turns 'Summarize' and 'Transcription' on.",
		),
		meaning: 'Social-media texts; turns `summarize` on',
	},
	export_timestamps: {
		group: 'files',
		field: toggle(
			'export_timestamps',
			'Export Timestamps',
			'Whether to also return files with markers of the cuts',
		),
		meaning: 'Return edit markers',
	},
	signed_url: {
		group: 'files',
		field: textField(
			'signed_url',
			'Upload Result To',
			"A signed upload URL (PUT) for your own storage, where the service puts the edited file. It must stay valid until processing ends: at least one hour is advised. In Audio Editing Get Result, leave 'Download' empty.",
			{ placeholder: 'e.g. https://bucket.example.com/episode.mp3?signature=…' },
		),
		meaning: 'Pre-signed PUT URL to which the finished file is delivered',
	},
	merge: {
		group: 'files',
		field: toggle(
			'merge',
			'Merge Tracks',
			"Whether to merge all tracks into one file. For several tracks only; best with 'Normalize Loudness (Volume)'. Without it, the local service returns the tracks as a ZIP.",
		),
		meaning: 'Multi-track only: merge all tracks into one output',
	},
	audio_for_edl: {
		group: 'advanced',
		field: toggle(
			'audio_for_edl',
			'Audio for Edit List',
			"Whether to also return a video's audio, enhanced but uncut, for a video editor that reads an EDL (a list of cuts). The local service returns it as 'Merged Audio'.",
		),
		meaning: 'Video only: also return an uncut enhanced audio file',
	},
	send_email: {
		group: 'files',
		field: toggle(
			'send_email',
			'Send Email',
			"Whether to send the edited files to the account's email address",
		),
		meaning: "Send the edited files to the account's e-mail",
	},
};

const KEYS = Object.keys(CONFIG_KEYS) as EditConfigKey[];

const keysIn = (group: OptionGroup) => KEYS.filter((key) => CONFIG_KEYS[key].group === group);

const fieldOf = (key: EditConfigKey) => CONFIG_KEYS[key].field ?? [];

/** The fields of all keys that a form has. */
export const CONFIG_FIELDS: readonly INodeProperties[] = KEYS.flatMap(fieldOf);

/** The fields of a group. */
export const configFieldsIn = (group: OptionGroup) => keysIn(group).flatMap(fieldOf);

/** The keys that cut something out of the recording. */
export const CUTS = keysIn('cuts').filter((key) => key !== 'muted');

/** The keys that noise reduction ignores, since it neither cuts nor writes texts. */
export const NOT_FOR_NOISE: ReadonlySet<string> = new Set(
	keysIn('cuts').concat(keysIn('transcriptAndNotes')),
);
