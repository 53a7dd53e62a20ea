import { z } from 'zod';

import {
	counts,
	entryOf,
	isRecord,
	listOf,
	listOrOneOf,
	numberOrNothing,
	objectOrNothing,
	textOrNothing,
	timedText,
} from './tolerance';

const readSpoken = timedText('text');

/** A paragraph of the transcript; times in seconds from the start of the edited file. It may come as text alone. */
const readParagraph = (entry: unknown) =>
	readSpoken(typeof entry === 'string' ? { text: entry } : entry);

/** `transcription.transcription`: the words, and who speaks. A word is read like a paragraph. */
const wordsAndSpeakersSchema = z
	.object({
		words: listOf(readParagraph),
		/** Who speaks from when to when; `speaker` is a label such as `Speaker 1`. */
		paragraphs: listOf(timedText('speaker')),
	})
	.passthrough();

/**
 * `result.transcription` (api.md#transcription). The superseded `transcript` could be a text or
 * a list of paragraphs; both are read as paragraphs.
 */
const transcriptionSchema = z.preprocess(
	(value) => {
		const paragraphs = typeof value === 'string' ? [value] : value;
		// `[]` and empty texts mean "not requested".
		const isFilled = Array.isArray(paragraphs) && paragraphs.some((entry) => entry !== '');
		return isFilled ? { paragraphs } : value;
	},
	z
		.object({
			paragraphs: listOrOneOf(readParagraph),
			transcription: objectOrNothing(wordsAndSpeakersSchema),
		})
		.passthrough(),
);

/** A chapter: `start` in seconds, undefined where it is missing or unreadable, and its title. */
export const chapterSchema = z.object({ start: numberOrNothing, title: z.string() }).passthrough();

/** What `result.summarization` holds. */
const summaryFieldsSchema = z
	.object({
		title: textOrNothing,
		summary: textOrNothing,
		chapters: listOf(entryOf(chapterSchema)),
		summaries: listOf(entryOf(z.string())),
		/** Markdown list. */
		key_learnings: textOrNothing,
		summary_of_summary: textOrNothing,
		/** Markdown. */
		episode_description: textOrNothing,
	})
	.passthrough();

/**
 * `result.summarization` (api.md#summarization). Some payloads carry only title and summary; the
 * superseded `summary` could be a text.
 */
const summarizationSchema = z.preprocess(
	(value) => (typeof value === 'string' && value !== '' ? { summary: value } : value),
	summaryFieldsSchema,
);

/** `result.social_content` when enabled: newsletter in Markdown, thread in tweet tags, plain text. */
const socialContentSchema = z
	.object({ newsletter: textOrNothing, twitter_thread: textOrNothing, linkedin: textOrNothing })
	.passthrough();

/** What people call one edit of each kind that `result.statistics` counts. */
export const KIND_NAMES = {
	DEADAIR: 'long silence',
	FILLER_SOUND: 'filler',
	STUTTERING: 'stutter',
	MOUTH_SOUND: 'mouth sound',
	BREATH: 'breath',
} as const;

export type StatisticsKey = keyof typeof KIND_NAMES;

export const STATISTICS_KEYS = Object.keys(KIND_NAMES) as [StatisticsKey, ...StatisticsKey[]];

/** A link or a note in a list; an empty text is none. */
const readFilledText = (entry: unknown) =>
	typeof entry === 'string' && entry !== '' ? entry : undefined;

/** Takes the links of an object of names and links, and keeps each name by its link. */
function withNamedLinks(result: unknown): unknown {
	if (!isRecord(result) || !isRecord(result.timestamps_markers_urls)) return result;
	const named = Object.entries(result.timestamps_markers_urls);
	return {
		...result,
		timestamps_markers_urls: named.map(([, link]) => link),
		timestamps_markers_names: Object.fromEntries(named.map(([name, link]) => [link, name])),
	};
}

/** A cut that took a word, or may have: times in seconds of the source, and what was heard there. */
const cutOfWordsSchema = z
	.object({
		kind: textOrNothing,
		start: numberOrNothing,
		end: numberOrNothing,
		words: listOf(readFilledText),
	})
	.passthrough();

const wordCheckSchema = z
	.object({
		/** How many cuts were found, and around how many the recording was heard again. */
		cuts: numberOrNothing,
		checked: numberOrNothing,
		/** Cuts that took a word, and were not made; and those that may have taken one. */
		restored: listOf(entryOf(cutOfWordsSchema)),
		doubtful: listOf(entryOf(cutOfWordsSchema)),
	})
	.passthrough();

/** What `result` holds. */
const resultFieldsSchema = z
	.object({
		video: z.boolean().optional().catch(undefined),
		filename: textOrNothing,
		/** Time-limited link to the edited file; with `signed_url` it points to the client's storage. */
		download_url: textOrNothing,
		statistics: objectOrNothing(counts),
		transcription: objectOrNothing(transcriptionSchema.nullable()),
		summarization: objectOrNothing(summarizationSchema.nullable()),
		social_content: objectOrNothing(socialContentSchema),
		merged_audio_url: listOrOneOf(readFilledText),
		/** The sound of `audio_for_edl`. The API names no field for it; this one is of the local service. */
		audio_for_edl_urls: listOrOneOf(readFilledText).optional(),
		timestamps_markers_urls: listOrOneOf(readFilledText),
		/** The names of the markers by their links, where the service names them. */
		timestamps_markers_names: objectOrNothing(z.record(z.string())),
		/** A list, or an object that is kept as it is. */
		waveform_result: z
			.unknown()
			.transform((value) => (Array.isArray(value) || isRecord(value) ? value : [])),
		/** Lengths and loudness before and after the edit. From the local service. */
		duration_before_seconds: numberOrNothing.optional(),
		duration_after_seconds: numberOrNothing.optional(),
		/** By how many seconds `long_silences` shortened the recording. From the local service. */
		silences_saved_seconds: numberOrNothing.optional(),
		loudness_before_lufs: numberOrNothing.optional(),
		loudness_after_lufs: numberOrNothing.optional(),
		/** By no more than this noise was lowered, in dB, where that is known. From the local service. */
		noise_reduction_db: numberOrNothing.optional(),
		/** What a check of the cuts by words found. From the local service. */
		word_check: objectOrNothing(wordCheckSchema).optional(),
		/** The name of the person who approved the cuts, if somebody did. From the local service. */
		approved_by: textOrNothing.optional(),
		/** `local` in results of the local service. */
		edited_by: textOrNothing.optional(),
		/** How the result differs from the request, in sentences. From the local service. */
		notes: listOrOneOf(readFilledText).optional(),
	})
	.passthrough();

export const RESULT_KEYS = Object.keys(resultFieldsSchema.shape);

/** `result` of an edit (api.md#result); which keys appear depends on the configuration. */
export const editResultSchema = z.preprocess(withNamedLinks, resultFieldsSchema);

/** `result` of an edit. */
export type EditResult = z.infer<typeof editResultSchema>;
/** `result.transcription`. */
export type Transcription = z.infer<typeof transcriptionSchema>;
/** `result.summarization`. */
export type Summarization = z.infer<typeof summarizationSchema>;
/** `result.social_content` when enabled. */
export type SocialContent = z.infer<typeof socialContentSchema>;
