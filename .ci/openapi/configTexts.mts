import type { EditConfigKey } from '../../service/shared/contract.mts';

/** What each key of the configuration does, for docs/openapi.json. */
export const CONFIG_TEXTS: Readonly<Record<EditConfigKey, string>> = {
	video: 'Must be true for video editing; otherwise the file is treated as audio only',
	fillers: 'Remove filler sounds and words',
	long_silences: 'Remove long pauses',
	stutters: 'Remove repeated word fragments',
	mouth_sounds: 'Remove clicks, lip smacks and similar',
	hesitations: 'Remove short hesitation sounds that are not full fillers',
	breath: 'Remove or soften breaths',
	muted: 'Silence edits instead of cutting them: the output is as long as the input',
	remove_noise: 'Background-noise reduction; on when omitted',
	keep_music: 'Preserve music sections during noise reduction',
	normalize: 'Loudness normalization; only a boolean',
	target_lufs:
		'Integrated loudness target in LUFS, -36 to -6; -16 when `normalize` is true and this is null',
	mute_lufs: 'Gate level in LUFS used when loudness is measured',
	studio_sound: 'Studio-sound enhancement, stronger than noise removal',
	autoeq: 'Legacy automatic EQ; deprecated, `studio_sound` is preferred',
	export_format: 'Format of the edited audio file',
	transcription: 'Return a word-level transcript',
	summarize: 'Chapters, key learnings and summary; turns `transcription` on',
	social_content: 'Social-media texts; turns `summarize` on',
	export_timestamps: 'Return edit markers',
	signed_url: 'Pre-signed PUT URL to which the finished file is delivered',
	merge: 'Multi-track only: merge all tracks into one output',
	audio_for_edl: 'Video only: also return an uncut enhanced audio file',
	send_email: "Send the edited files to the account's e-mail",
};
