import type { transcriptionOf } from './transcript.mts';

/** `result.summarization`, spec "result.summarization". */
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
export type SocialContent = Record<'newsletter' | 'twitter_thread' | 'linkedin', string>;

/** What an edit's texts are, beside its files; null for what was not asked for. */
export interface Texts {
	transcription: ReturnType<typeof transcriptionOf>;
	summarization: Summarization | null;
	social_content: SocialContent | null;
}

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

/** The text, cut after a word with an ellipsis when it is longer than the limit, in characters. */
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
