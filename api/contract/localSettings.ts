import { z } from 'zod';

import { webUrlSchema } from './config';

/** More advertisements than any episode has. */
const MAX_INSERTS = 20;

/** A sound that goes into a recording, and before which moment of it. */
const insertSchema = z
	.object({
		url: webUrlSchema.describe('The file'),
		at_seconds: z
			.number()
			.min(0)
			.optional()
			.describe('Where, in seconds of the recording before the edit'),
		at_chapter: z
			.union([z.number().int().min(1), z.string().min(1)])
			.optional()
			.describe("Instead: before which chapter of the recording's file, by its number or title"),
	})
	.strict()
	.refine(
		({ at_seconds: seconds, at_chapter: chapter }) =>
			(seconds === undefined) !== (chapter === undefined),
		"Must have either 'at_seconds' or 'at_chapter'",
	);

/**
 * `input.local`: what only the local service reads (options.md#fine-control-local-service). A hosted service is not sent it.
 *
 * Every key is optional, and a template may hold each. An unknown key is refused, as in the configuration. The
 * request's own come before those of its template, and these before the operator's flags.
 */
export const localSettingsSchema = z
	.object({
		silence_min_seconds: z
			.number()
			.min(0.2)
			.max(60)
			.describe('`long_silences`: a pause from this length on is shortened, in seconds'),
		silence_kept_seconds: z
			.number()
			.min(0.1)
			.max(20)
			.describe(
				'`long_silences`: how much is left of a pause of 1 second, in seconds; a little more of longer ones',
			),
		noise_reduction_db: z
			.number()
			.min(0)
			.max(40)
			.describe('`remove_noise`: noise is lowered by no more than this, in dB'),
		hum_removal: z.boolean().describe('`remove_noise`: takes out the hum of the mains'),
		true_peak_dbtp: z
			.number()
			.min(-9)
			.max(0)
			.describe('`normalize`: no peak is louder than this, in dBTP'),
		speaker_leveling: z
			.number()
			.min(0)
			.max(1)
			.describe(
				'`normalize`: how far softer speakers of a single file are raised, from 0, not at all, to 1',
			),
		bleed_reduction_db: z
			.number()
			.min(0)
			.max(30)
			.describe(
				'Several tracks: how far others are lowered in a microphone while only they are heard in it, in dB',
			),
		crossfade_ms: z
			.number()
			.min(2)
			.max(50)
			.describe(
				'The length of the fade at each cut, in milliseconds; shorter beside a short sound',
			),
		high_pass_hz: z
			.number()
			.min(0)
			.max(300)
			.describe('Takes out what is lower than this, in Hz; with 0, only what nobody hears'),
		de_ess: z.boolean().describe('Softens nearly every S; `studio_sound` softens only sharp ones'),
		filler_words: z
			.boolean()
			.describe('Listens for filler words, which `fillers` then removes as well, in a single file'),
		word_check: z
			.boolean()
			.describe(
				'Hears the recording again around each cut, and puts a cut back that took a word, in a single file',
			),
		review: z
			.boolean()
			.describe('Whether the edit waits until somebody approves its cuts, if it cuts anything'),
		review_hours: z.number().min(0).max(8_760).describe('How long it waits for that, in hours'),
		intro: webUrlSchema.describe('A file that is heard before the recording, as loud as it'),
		outro: webUrlSchema.describe('A file that is heard after the recording, as loud as it'),
		inserts: z
			.array(insertSchema)
			.min(1)
			.max(MAX_INSERTS)
			.describe('Files that are heard within the recording, each in the nearest pause'),
		kit_fade_seconds: z
			.number()
			.min(0.01)
			.max(5)
			.describe(
				'The length of the cross-fades of intro, outro and inserts, in seconds; shorter beside words',
			),
	})
	.partial()
	.strict()
	.describe('What only the local service has');

/** What only the local service reads of a request. */
export type LocalSettings = z.infer<typeof localSettingsSchema>;

/** The keys that name files of a show: there are none unless they are given. */
export type KitKey = 'intro' | 'outro' | 'inserts';

/** What an omitted key means; for silences and reviews, unless a flag of the service says otherwise. */
export const LOCAL_DEFAULTS: Required<Omit<LocalSettings, KitKey>> = {
	silence_min_seconds: 0.9,
	silence_kept_seconds: 0.8,
	noise_reduction_db: 20,
	hum_removal: true,
	true_peak_dbtp: -1,
	speaker_leveling: 1,
	bleed_reduction_db: 10,
	crossfade_ms: 8,
	high_pass_hz: 0,
	de_ess: false,
	filler_words: false,
	word_check: false,
	review: false,
	review_hours: 24,
	kit_fade_seconds: 0.5,
};
