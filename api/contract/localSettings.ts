import { z } from 'zod';

/**
 * `input.local`: what only the local service reads (service/transcripts.md#cuts). A hosted service is not sent it.
 *
 * Every key is optional, and a template may hold each. An unknown key is refused, as in the configuration.
 */
export const localSettingsSchema = z
	.object({
		filler_words: z
			.boolean()
			.describe('Listens for filler words, which `fillers` then removes as well, in a single file'),
		word_check: z
			.boolean()
			.describe(
				'Listens for words, so that no filler, hesitation or stutter is cut that is one, in a single file',
			),
	})
	.partial()
	.strict()
	.describe('What only the local service has');

/** What only the local service reads of a request. */
export type LocalSettings = z.infer<typeof localSettingsSchema>;

/** The value of each omitted key. */
export const LOCAL_DEFAULTS: Required<LocalSettings> = { filler_words: false, word_check: false };

/** The settings with their defaults. */
export function resolveLocalSettings(settings?: LocalSettings | null): Required<LocalSettings> {
	return { ...LOCAL_DEFAULTS, ...settings };
}
