import type { EditConfigKey } from '../../../api/contract';
import {
	MUTE_LUFS_DEFAULT,
	TARGET_LUFS_DEFAULT,
	MAX_TARGET_LUFS,
	MIN_TARGET_LUFS,
} from '../../../api/contract/limits';
import { choice, numberField, textField, toggle } from '../form/build';
import { PICTURE_FIELD } from './pictureField';
import type { ConfigKeyRow } from './configKeyRow';
import type { PresetName } from './presetOptions';

/** The presets that take noise and uneven loudness away. */
const CLEANING: readonly PresetName[] = ['podcastEpisode', 'enhance', 'studioPolish', 'fullEdit'];

/** Those that cut, too. */
const CUTTING: readonly PresetName[] = ['podcastEpisode', 'fullEdit'];

const SUMMARIZING: readonly PresetName[] = ['podcastEpisode', 'fullAnalysis'];

export const CONFIG_KEYS: Readonly<Record<EditConfigKey, ConfigKeyRow>> = {
	video: {
		field: PICTURE_FIELD,
		meaning: 'Must be true for video editing; otherwise the file is treated as audio only',
	},
	fillers: {
		group: 'cuts',
		field: toggle('fillers', 'Fillers (Um, Uh)', 'Whether to remove filler sounds and words'),
		meaning: 'Remove filler sounds and words',
		presets: CUTTING,
	},
	long_silences: {
		group: 'cuts',
		field: toggle('long_silences', 'Long Silences and Pauses', 'Whether to shorten long pauses'),
		meaning: 'Shorten long pauses',
		presets: CUTTING,
	},
	stutters: {
		group: 'cuts',
		field: toggle('stutters', 'Stutters', 'Whether to remove repeated word fragments'),
		meaning: 'Remove repeated word fragments',
		presets: CUTTING,
	},
	mouth_sounds: {
		group: 'cuts',
		field: toggle(
			'mouth_sounds',
			'Mouth Sounds',
			'Whether to remove clicks, lip smacks and similar sounds',
		),
		meaning: 'Remove clicks, lip smacks and similar',
		presets: CUTTING,
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
		presets: CUTTING,
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
		meaning: 'Remove background noise; on when omitted',
		presets: CLEANING,
	},
	keep_music: {
		group: 'sound',
		field: toggle(
			'keep_music',
			'Keep Music',
			'Whether to preserve music sections during noise reduction',
		),
		meaning: 'Preserve music sections during noise reduction',
		requires: {
			key: 'remove_noise',
			message:
				"'Keep Music' is part of noise removal, but 'Remove Noise' is set to 'Leave Untouched'",
			advice: "Set 'Remove Noise' to 'Remove', or switch 'Keep Music' off.",
		},
	},
	normalize: {
		group: 'sound',
		field: toggle(
			'normalize',
			'Normalize Loudness (Volume)',
			`Whether to bring the loudness to the target (${TARGET_LUFS_DEFAULT} LUFS unless set)`,
		),
		meaning: 'Bring the loudness of the whole file to a target',
		presets: CLEANING,
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
		requires: {
			key: 'normalize',
			message: "'Target Loudness (LUFS)' is set, but 'Normalize Loudness (Volume)' is off",
			advice: "Switch 'Normalize Loudness (Volume)' on, or remove the target.",
		},
	},
	mute_lufs: {
		group: 'sound',
		field: numberField(
			'mute_lufs',
			'Loudness Floor (LUFS)',
			MUTE_LUFS_DEFAULT,
			'Audio below this level is ignored when the loudness is measured',
		),
		meaning: 'Passages below this level in LUFS are ignored when loudness is measured',
	},
	studio_sound: {
		group: 'sound',
		field: choice('studio_sound', 'Studio Sound', 'true', 'Whether and how to enhance the sound', {
			true: ['Enhance', 'Aggressive; stronger than noise removal'],
			nightly: ['Experimental', "May change at any time; currently like 'Enhance'"],
			false: 'Off',
		}),
		meaning: 'Make speech sound like a studio recording; stronger than noise removal',
		presets: ['studioPolish'],
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
		meaning: 'Format of the edited audio; a video keeps its own',
	},
	transcription: {
		group: 'transcriptAndNotes',
		field: toggle('transcription', 'Transcription', 'Whether to return a word-level transcript'),
		meaning: 'Return every word that was said, with its time',
		presets: ['transcriptOnly', ...SUMMARIZING],
	},
	summarize: {
		group: 'transcriptAndNotes',
		field: toggle(
			'summarize',
			'Summarize',
			"Whether to write chapters, key learnings and a summary. Turns 'Transcription' on.",
		),
		meaning: 'Write title, summary, chapters and key learnings; turns `transcription` on',
		presets: SUMMARIZING,
	},
	social_content: {
		group: 'transcriptAndNotes',
		field: toggle(
			'social_content',
			'Social Content',
			"Whether to write social-media content. Turns 'Summarize' and 'Transcription' on.",
		),
		meaning: 'Write a newsletter and posts for social media; turns `summarize` on',
		presets: ['fullAnalysis'],
	},
	export_timestamps: {
		group: 'files',
		field: toggle(
			'export_timestamps',
			'Export Timestamps',
			'Whether to also return files with markers of the cuts',
		),
		meaning: 'Also return markers of the cuts, for editing programs',
	},
	signed_url: {
		group: 'files',
		field: textField(
			'signed_url',
			'Upload Result To',
			"A signed upload URL (PUT) for your own storage, where the service puts the edited file. It must stay valid until processing ends: at least one hour is advised. In Audio Editing Get Result, leave 'Download' empty.",
			{ placeholder: 'e.g. https://bucket.example.com/episode.mp3?signature=…' },
		),
		meaning: 'Pre-signed PUT URL of your own storage to which the edited file is delivered',
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
		requires: {
			key: 'video',
			message: "'Audio for Edit List' works only for a video whose picture is kept",
			advice: "Set 'Picture' to 'Keep' and pass a video, or switch 'Audio for Edit List' off.",
		},
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
