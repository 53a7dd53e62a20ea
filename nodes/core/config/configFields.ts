import type { INodeProperties } from 'n8n-workflow';

import {
	MUTE_LUFS_DEFAULT,
	TARGET_LUFS_DEFAULT,
	MAX_TARGET_LUFS,
	MIN_TARGET_LUFS,
} from '../../../api/contract/limits';
import { choice, numberField, textField, toggle } from '../form/build';

/**
 * A field for each key of the configuration, with the same name (api.md#configuration). Keys
 * that take a boolean or a word are lists; readConfiguration.ts turns their `true` and `false` into booleans.
 */
export const CONFIG_FIELDS: INodeProperties[] = [
	toggle(
		'audio_for_edl',
		'Audio for Edit List',
		"Whether to also return a video's audio, enhanced but uncut, for a video editor that reads an EDL (a list of cuts). The local service returns it as 'Merged Audio'.",
	),
	toggle(
		'autoeq',
		'Auto EQ (Deprecated)',
		"Whether to apply the legacy automatic EQ. It will be removed; prefer 'Studio Sound'.",
	),
	choice('breath', 'Breaths', 'true', 'Whether and how to remove breaths', {
		false: 'Leave Untouched',
		legacy: ['Legacy', 'Cautious; for recordings that are already clean'],
		natural: ['Natural', 'Lighter; keeps more of the natural breathing'],
		true: ['Remove', 'Recommended for most recordings, especially difficult ones'],
	}),
	choice('export_format', 'Export Format', 'auto', 'Format of the edited audio file', {
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
	}),
	toggle(
		'export_timestamps',
		'Export Timestamps',
		'Whether to also return files with markers of the cuts',
	),
	toggle('fillers', 'Fillers', 'Whether to remove filler sounds and words'),
	toggle(
		'hesitations',
		'Hesitations',
		'Whether to remove short hesitation sounds that are not full fillers',
	),
	toggle('keep_music', 'Keep Music', 'Whether to preserve music sections during noise reduction'),
	toggle('long_silences', 'Long Silences', 'Whether to shorten long pauses'),
	numberField(
		'mute_lufs',
		'Loudness Floor (LUFS)',
		MUTE_LUFS_DEFAULT,
		'Audio below this level is ignored when the loudness is measured',
	),
	toggle(
		'merge',
		'Merge Tracks',
		"Whether to merge all tracks into one file. For several tracks only; best with 'Normalize Loudness'. Without it, the local service returns the tracks as a ZIP.",
	),
	toggle('mouth_sounds', 'Mouth Sounds', 'Whether to remove clicks, lip smacks and similar sounds'),
	toggle(
		'muted',
		'Mute Instead of Cut',
		'Whether to mute these passages instead of cutting them, so that the length stays the same',
	),
	toggle(
		'normalize',
		'Normalize Loudness',
		`Whether to bring the loudness to the target (${TARGET_LUFS_DEFAULT} LUFS unless set)`,
	),
	choice('remove_noise', 'Remove Noise', 'true', 'Whether and how to remove background noise', {
		false: 'Leave Untouched',
		legacy: ['Legacy', 'The previous noise engine'],
		true: ['Remove', 'The current noise engine; the default'],
		v2: ['V2 (Deprecated)', "The same as 'Remove'"],
	}),
	toggle(
		'send_email',
		'Send Email',
		"Whether to send the edited files to the account's email address",
	),
	textField(
		'signed_url',
		'Upload Result To',
		"A signed upload URL (PUT) for your own storage, where the service puts the edited file. It must stay valid until processing ends: at least one hour is advised. In Get Result, leave 'Download' empty.",
		{ placeholder: 'e.g. https://bucket.example.com/episode.mp3?signature=…' },
	),
	toggle(
		'social_content',
		'Social Content',
		"Whether to write social-media content. Turns 'Summarize' and 'Transcription' on.",
	),
	choice('studio_sound', 'Studio Sound', 'true', 'Whether and how to enhance the sound', {
		true: ['Enhance', 'Aggressive; stronger than noise removal'],
		nightly: ['Experimental', "May change at any time; currently like 'Enhance'"],
		false: 'Off',
	}),
	toggle('stutters', 'Stutters', 'Whether to remove repeated word fragments'),
	toggle(
		'summarize',
		'Summarize',
		"Whether to write chapters, key learnings and a summary. Turns 'Transcription' on.",
	),
	numberField(
		'target_lufs',
		'Target Loudness (LUFS)',
		TARGET_LUFS_DEFAULT,
		`Integrated loudness from ${MIN_TARGET_LUFS} to ${MAX_TARGET_LUFS}; needs 'Normalize Loudness'`,
		{ typeOptions: { minValue: MIN_TARGET_LUFS, maxValue: MAX_TARGET_LUFS } },
	),
	toggle('transcription', 'Transcription', 'Whether to return a word-level transcript'),
	toggle(
		'video',
		'Video',
		'Whether to edit the video. Otherwise the file is treated as audio only and no video is returned.',
	),
];

/** The fields that noise reduction ignores: it neither cuts nor writes texts. */
export const NOT_FOR_NOISE: ReadonlySet<string> = new Set([
	'breath',
	'fillers',
	'hesitations',
	'long_silences',
	'mouth_sounds',
	'muted',
	'stutters',
	'social_content',
	'summarize',
	'transcription',
]);
