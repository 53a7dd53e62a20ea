import { z } from 'zod';

import {
	MUTE_LUFS_DEFAULT,
	TARGET_LUFS_DEFAULT,
	TARGET_LUFS_MAXIMUM,
	TARGET_LUFS_MINIMUM,
} from './limits';

/** Whether the text is an absolute http or https URL. */
export function isWebUrl(text: string): boolean {
	try {
		const { protocol, hostname } = new URL(text);
		return (protocol === 'http:' || protocol === 'https:') && hostname !== '';
	} catch {
		return false;
	}
}

/** What `files` and `signed_url` have to be. */
export const webUrlSchema = z
	.string()
	.refine(isWebUrl, { message: 'Input should be an http or https URL' })
	.describe('An absolute http or https URL');

/** Values of `breath` (api.md#breath). */
export const breathSchema = z.union([z.boolean(), z.enum(['legacy', 'natural'])]);

/** Values of `remove_noise` (api.md#remove_noise). `v2` is the same as true and deprecated. */
export const removeNoiseSchema = z.union([z.boolean(), z.enum(['legacy', 'v2'])]);

/** Values of `studio_sound` (api.md#studio_sound). `nightly` currently behaves like true. */
export const studioSoundSchema = z.union([z.boolean(), z.enum(['nightly'])]);

/** Values of `export_format`. `auto` keeps the format of the input; video keeps its container. */
export const exportFormatSchema = z.enum(['auto', 'mp3', 'wav', 'flac', 'm4a', 'opus', 'aac']);

/**
 * The configuration of an edit, `input.config` (api.md#configuration).
 *
 * Every key is optional. An unknown key is refused, because an edit with a misspelt key would be charged.
 */
export const editConfigSchema = z
	.object({
		video: z
			.boolean()
			.describe('Must be true for video editing; otherwise the file is treated as audio only'),
		fillers: z.boolean().describe('Remove filler sounds and words'),
		long_silences: z.boolean().describe('Remove long pauses'),
		stutters: z.boolean().describe('Remove repeated word fragments'),
		mouth_sounds: z.boolean().describe('Remove clicks, lip smacks and similar'),
		hesitations: z.boolean().describe('Remove short hesitation sounds that are not full fillers'),
		breath: breathSchema.describe('Remove or soften breaths'),
		muted: z
			.boolean()
			.describe('Silence edits instead of cutting them: the output is as long as the input'),
		remove_noise: removeNoiseSchema.describe('Background-noise reduction; on when omitted'),
		keep_music: z.boolean().describe('Preserve music sections during noise reduction'),
		normalize: z.boolean().describe('Loudness normalization; only a boolean'),
		target_lufs: z
			.number()
			.min(TARGET_LUFS_MINIMUM)
			.max(TARGET_LUFS_MAXIMUM)
			.nullable()
			.describe(
				'Integrated loudness target in LUFS, -36 to -6; -16 when `normalize` is true and this is null',
			),
		mute_lufs: z.number().finite().describe('Gate level in LUFS used when loudness is measured'),
		studio_sound: studioSoundSchema.describe(
			'Studio-sound enhancement, stronger than noise removal',
		),
		autoeq: z.boolean().describe('Legacy automatic EQ; deprecated, `studio_sound` is preferred'),
		export_format: exportFormatSchema.describe('Format of the edited audio file'),
		transcription: z.boolean().describe('Return a word-level transcript'),
		summarize: z
			.boolean()
			.describe('Chapters, key learnings and summary; turns `transcription` on'),
		social_content: z.boolean().describe('Social-media texts; turns `summarize` on'),
		export_timestamps: z.boolean().describe('Return edit markers'),
		signed_url: webUrlSchema
			.nullable()
			.describe('Pre-signed PUT URL to which the finished file is delivered'),
		merge: z.boolean().describe('Multi-track only: merge all tracks into one output'),
		audio_for_edl: z.boolean().describe('Video only: also return an uncut enhanced audio file'),
		send_email: z.boolean().describe("Send the edited files to the account's e-mail"),
	})
	.partial()
	.strict();

/** What a client may send as `input.config`. */
export type EditConfig = z.infer<typeof editConfigSchema>;

/** A key of the configuration. */
export type EditConfigKey = keyof EditConfig;

/** The value that the service uses for each omitted key, api.md#configuration. */
export const EDIT_CONFIG_DEFAULTS: Required<EditConfig> = {
	video: false,
	fillers: false,
	long_silences: false,
	stutters: false,
	mouth_sounds: false,
	hesitations: false,
	breath: false,
	muted: false,
	remove_noise: true,
	keep_music: false,
	normalize: false,
	target_lufs: null,
	mute_lufs: MUTE_LUFS_DEFAULT,
	studio_sound: false,
	autoeq: false,
	export_format: 'auto',
	transcription: false,
	summarize: false,
	social_content: false,
	export_timestamps: false,
	signed_url: null,
	merge: false,
	audio_for_edl: false,
	send_email: false,
};

/**
 * The configuration as the service applies it: with defaults, keys that other keys turn on
 * (`social_content` → `summarize` → `transcription`), and the target loudness.
 */
export function resolveEditConfig(config: EditConfig | null | undefined): Required<EditConfig> {
	const resolved = { ...EDIT_CONFIG_DEFAULTS, ...config };
	resolved.summarize ||= resolved.social_content;
	resolved.transcription ||= resolved.summarize;
	if (resolved.normalize) resolved.target_lufs ??= TARGET_LUFS_DEFAULT;
	return resolved;
}
