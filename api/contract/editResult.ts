import { z } from 'zod';

import { listOf, numberOrNothing, objectOrNothing, textOrNothing } from './tolerance';

/** A paragraph of the transcript; times in seconds from the start of the edited file. */
export const transcriptParagraphSchema = z
	.object({
		id: numberOrNothing,
		start: z.number(),
		end: z.number(),
		text: z.string(),
	})
	.passthrough();

/** One word of the transcript; times in seconds. */
export const transcriptWordSchema = transcriptParagraphSchema;

/** Who speaks from when to when; times in seconds, `speaker` is a label such as `Speaker 1`. */
export const speakerParagraphSchema = z
	.object({
		id: numberOrNothing,
		start: z.number(),
		end: z.number(),
		speaker: z.string(),
	})
	.passthrough();

/** `result.transcription`, spec "result.transcription". */
export const transcriptionSchema = z
	.object({
		paragraphs: listOf(transcriptParagraphSchema),
		transcription: objectOrNothing(
			z
				.object({
					words: listOf(transcriptWordSchema),
					paragraphs: listOf(speakerParagraphSchema),
				})
				.passthrough(),
		),
	})
	.passthrough();

/** A chapter: `start` in seconds, and its title. */
export const chapterSchema = z.object({ start: z.number(), title: z.string() }).passthrough();

/** `result.summarization`, spec "result.summarization". Some payloads carry only title and summary. */
export const summarizationSchema = z
	.object({
		title: textOrNothing,
		summary: textOrNothing,
		chapters: listOf(chapterSchema),
		summaries: listOf(z.string()),
		/** Markdown list. */
		key_learnings: textOrNothing,
		summary_of_summary: textOrNothing,
		/** Markdown. */
		episode_description: textOrNothing,
	})
	.passthrough();

/** `result.social_content` when enabled: newsletter in Markdown, thread in tweet tags, plain text. */
export const socialContentSchema = z
	.object({
		newsletter: textOrNothing,
		twitter_thread: textOrNothing,
		linkedin: textOrNothing,
	})
	.passthrough();

/** The kinds of edits that `result.statistics` counts. */
export const STATISTICS_KEYS = [
	'BREATH',
	'DEADAIR',
	'STUTTERING',
	'MOUTH_SOUND',
	'FILLER_SOUND',
] as const;

/** One of the kinds of edits that `result.statistics` counts. */
export type StatisticsKey = (typeof STATISTICS_KEYS)[number];

/** `result.statistics`: how many edits of each kind were made. */
export const statisticsSchema = z.record(z.number());

/** `result` of an edit, spec "result fields"; which keys appear depends on the configuration. */
export const editResultSchema = z
	.object({
		video: z.boolean().optional().catch(undefined),
		filename: textOrNothing,
		/** Time-limited link to the edited file; with `signed_url` it points to the client's storage. */
		download_url: textOrNothing,
		statistics: objectOrNothing(statisticsSchema),
		transcription: objectOrNothing(transcriptionSchema.nullable()),
		summarization: objectOrNothing(summarizationSchema.nullable()),
		social_content: objectOrNothing(socialContentSchema),
		merged_audio_url: listOf(z.string()),
		timestamps_markers_urls: listOf(z.string()),
		waveform_result: listOf(z.unknown()),
	})
	.passthrough();

/** `result` of an edit as the rest of the house sees it. */
export type EditResult = z.infer<typeof editResultSchema>;
/** `result.transcription`. */
export type Transcription = z.infer<typeof transcriptionSchema>;
/** `result.summarization`. */
export type Summarization = z.infer<typeof summarizationSchema>;
/** `result.social_content` when enabled. */
export type SocialContent = z.infer<typeof socialContentSchema>;
