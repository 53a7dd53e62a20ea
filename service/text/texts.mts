import type { transcriptionOf } from './transcript.mts';

/** `result.summarization` (api.md#summarization) with all its keys. */
export interface Summarization {
	title: string;
	summary: string;
	chapters: Array<{ start: number; title: string }>;
	summaries: string[];
	key_learnings: string;
	summary_of_summary: string;
	episode_description: string;
}

/** `result.social_content`: Markdown, posts in tweet tags, plain text. */
export interface SocialContent {
	newsletter: string;
	twitter_thread: string;
	linkedin: string;
}

/** An edit's texts; null for those not requested. */
export interface Texts {
	transcription: ReturnType<typeof transcriptionOf>;
	summarization: Summarization | null;
	social_content: SocialContent | null;
}

/** Maximum characters of a post. */
export const MAX_POST = 280;

/**
 * Formats posts as a thread: each in tweet tags and cut after a word to at most 280 characters.
 * Removes tweet tags inside a post (a speaker may say anything), so that posts stay separate.
 */
export function threadOf(posts: readonly string[]): string {
	return posts
		.map((post) => shortened(post.replace(/<\/?tweet[^<>]*>/gi, '').trim(), MAX_POST))
		.filter((post) => post !== '')
		.map((post) => `<tweet>${post}</tweet>`)
		.join('\n');
}

/** Shortens a text to `longest` characters: cuts it after a word and adds an ellipsis. */
export function shortened(text: string, longest: number): string {
	const characters = Array.from(text);
	if (characters.length <= longest) return text;
	const head = characters.slice(0, longest - 1).join('');
	return `${head.replace(/(?<!\s)\s+\S*$/u, '')}…`;
}

/** Formats points as a Markdown list. */
export function markdownList(points: readonly string[]): string {
	return points.map((point) => `- ${point.replace(/\s+/g, ' ').trim()}`).join('\n');
}
