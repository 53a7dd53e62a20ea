import { z } from 'zod';

/** `result.transcription`, spec "result.transcription"; times in seconds of the edited file. */
const transcriptionSchema = z.object({
	paragraphs: z.array(
		z.object({ id: z.number(), start: z.number(), end: z.number(), text: z.string() }),
	),
	transcription: z.object({
		words: z.array(
			z.object({ id: z.number(), start: z.number(), end: z.number(), text: z.string() }),
		),
		paragraphs: z.array(
			z.object({ id: z.number(), start: z.number(), end: z.number(), speaker: z.string() }),
		),
	}),
});

/** `result.summarization`, spec "result.summarization". */
const summarizationSchema = z.object({
	title: z.string(),
	summary: z.string(),
	chapters: z.array(z.object({ start: z.number(), title: z.string() })),
	summaries: z.array(z.string()),
	key_learnings: z.string(),
	summary_of_summary: z.string(),
	episode_description: z.string(),
});

/** `result.social_content`: Markdown, posts in tweet tags, plain text. */
const socialContentSchema = z.object({
	newsletter: z.string(),
	twitter_thread: z.string(),
	linkedin: z.string(),
});

/** What an edit's texts are kept as, beside its files; null for what was not asked for. */
export const textsSchema = z.object({
	transcription: transcriptionSchema,
	summarization: summarizationSchema.nullable(),
	social_content: socialContentSchema.nullable(),
});

/** The texts of an edit. */
export type Texts = z.infer<typeof textsSchema>;
/** `result.summarization`. */
export type Summarization = z.infer<typeof summarizationSchema>;
/** `result.social_content`. */
export type SocialContent = z.infer<typeof socialContentSchema>;

/** Most characters a post may have. */
export const LONGEST_POST = 280;

/**
 * Posts as a thread: each in tweet tags, at most 280 characters, cut at a word where one is longer.
 * Tags inside a post (a speaker may say anything) are taken out, so that posts stay apart.
 */
export function threadOf(posts: readonly string[]): string {
	return posts
		.map((post) => shortened(post.replace(/<\/?tweet[^>]*>/gi, '').trim(), LONGEST_POST))
		.filter((post) => post !== '')
		.map((post) => `<tweet>${post}</tweet>`)
		.join('\n');
}

/** The text, or its beginning up to a word with an ellipsis, at most so many characters. */
export function shortened(text: string, longest: number): string {
	const characters = Array.from(text);
	if (characters.length <= longest) return text;
	const head = characters.slice(0, longest - 1).join('');
	return `${head.replace(/\s+\S*$/u, '')}…`;
}

/** Points as a Markdown list. */
export function markdownList(points: readonly string[]): string {
	return points.map((point) => `- ${point.replace(/\s+/g, ' ').trim()}`).join('\n');
}
