import { z } from 'zod';

import { MUTE_LUFS_DEFAULT, TARGET_LUFS_DEFAULT, MAX_TARGET_LUFS, MIN_TARGET_LUFS } from './limits';

/** Whether the text is an absolute http or https URL. */
export function isWebUrl(text: string): boolean {
	return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** What `files` and `signed_url` have to be. */
export const webUrlSchema = z
	.string()
	.refine(isWebUrl, { message: 'Input should be an http or https URL' })
	.describe('An absolute http or https URL');

/** Values of `export_format`. `auto` keeps the format of the input; video keeps its container. */
export const exportFormatSchema = z.enum(['auto', 'mp3', 'wav', 'flac', 'm4a', 'opus', 'aac']);

/**
 * The configuration of an edit, `input.config`. What its keys do: api.md#configuration.
 *
 * Every key is optional. An unknown key is refused, because an edit with a misspelled key would be charged.
 */
export const editConfigSchema = z
	.object({
		video: z.boolean(),
		fillers: z.boolean(),
		long_silences: z.boolean(),
		stutters: z.boolean(),
		mouth_sounds: z.boolean(),
		hesitations: z.boolean(),
		breath: z.union([z.boolean(), z.enum(['legacy', 'natural'])]),
		muted: z.boolean(),
		/** `v2` is the same as true and deprecated. */
		remove_noise: z.union([z.boolean(), z.enum(['legacy', 'v2'])]),
		keep_music: z.boolean(),
		normalize: z.boolean(),
		target_lufs: z.number().min(MIN_TARGET_LUFS).max(MAX_TARGET_LUFS).nullable(),
		mute_lufs: z.number().finite(),
		/** `nightly` currently behaves like true. */
		studio_sound: z.union([z.boolean(), z.enum(['nightly'])]),
		autoeq: z.boolean(),
		export_format: exportFormatSchema,
		transcription: z.boolean(),
		summarize: z.boolean(),
		social_content: z.boolean(),
		export_timestamps: z.boolean(),
		signed_url: webUrlSchema.nullable(),
		merge: z.boolean(),
		audio_for_edl: z.boolean(),
		send_email: z.boolean(),
	})
	.partial()
	.strict();

/**
 * The keys and values that clients of other makers send, too (api.md#beyond-this-page). What they would do is not
 * known.
 */
const otherClientsKeys = {
	automix: withoutEffect(),
	trim: withoutEffect(),
	waveform_preview: withoutEffect(),
	breath: z.union([z.boolean(), z.enum(['legacy', 'natural', 'muted'])]).optional(),
};

function withoutEffect() {
	return z.unknown().describe('Accepted from clients of other makers, and has no effect');
}

/** What a service must accept as `input.config`: the configuration, and what clients of other makers send. */
export const acceptedConfigSchema = editConfigSchema.extend(otherClientsKeys);

/** What a client may send as `input.config`. */
export type EditConfig = z.infer<typeof editConfigSchema>;

/** A configuration with what clients of other makers send. */
export type AcceptedConfig = z.infer<typeof acceptedConfigSchema>;

/** A key of the configuration. */
export type EditConfigKey = keyof EditConfig;

const KEYS = Object.keys(editConfigSchema.shape) as EditConfigKey[];

/** The value that the service uses for each omitted key, api.md#configuration: most are off. */
export const EDIT_CONFIG_DEFAULTS: Required<EditConfig> = {
	...(Object.fromEntries(KEYS.map((key) => [key, false])) as Record<EditConfigKey, false>),
	remove_noise: true,
	target_lufs: null,
	mute_lufs: MUTE_LUFS_DEFAULT,
	export_format: 'auto',
	signed_url: null,
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
