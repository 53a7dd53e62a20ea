import { z } from 'zod';

import { ChatServer } from './chatServer.mts';
import { markdownList, threadOf, type Summarization } from './texts.mts';
import type { Paragraph } from './paragraphs.mts';
import type { TextHelp } from './speech/transcriber.mts';
import type { TextWriter } from './writer.mts';
import type { OpenAiServerSettings } from '../shared/settings.mts';

/** Characters of transcript per request: about 12,000 tokens, or 70 minutes of speech. */
const PART_CHARACTERS = 48_000;

/** No text is nearly as long. */
const MAX_TEXT_CHARACTERS = 100_000;

const text = z.string().trim().min(1).max(MAX_TEXT_CHARACTERS);

const texts = z.array(text).min(1);
const chapterSchema = z.object({ start: z.coerce.number(), title: text, summary: text });

const PART = {
	schema: z.object({ chapters: z.array(chapterSchema).min(1), key_learnings: texts }),
	instructions:
		'The material is a part of the transcript: paragraphs with their start in seconds. Divide it into ' +
		'chapters where the topic changes (about one for every five minutes, at least one) and answer with ' +
		'{"chapters": [{"start": seconds of the paragraph it begins with, "title": up to 8 words, ' +
		'"summary": 2 to 4 sentences}], "key_learnings": [2 to 6 sentences a listener takes away]}.',
};

const WHOLE = {
	schema: z.object({
		title: text,
		summary: text,
		summary_of_summary: text,
		episode_description: text,
		key_learnings: texts,
	}),
	instructions:
		'The material is the chapters of an episode with their summaries, and its key learnings. Answer ' +
		'with {"title": of the episode, up to 12 words, "summary": one to three paragraphs, ' +
		'"summary_of_summary": one sentence, "episode_description": Markdown for a podcast directory, ' +
		'"key_learnings": [the 3 to 8 most important]}.',
};

const POSTS = {
	schema: z.object({ newsletter: text, tweets: texts, linkedin: text }),
	instructions:
		'The material is the summary of an episode. Answer with {"newsletter": Markdown with a headline, ' +
		'"tweets": [3 to 8 posts of a thread, each at most 280 characters], "linkedin": a post in plain ' +
		'text without Markdown}.',
};

/** A writer that uses a chat model. */
export function chatWriter(settings: OpenAiServerSettings): TextWriter {
	const server = new ChatServer(settings);
	return {
		name: server.name,
		summarize: (paragraphs, help) => summarize(server, paragraphs, help),
		writePosts: async ({ title, summary, key_learnings: learnings, chapters }, help) => {
			const material = { title, summary, key_learnings: learnings, chapters };
			const { newsletter, tweets, linkedin } = await server.ask(POSTS, material, help);
			return { newsletter, twitter_thread: threadOf(tweets), linkedin };
		},
	};
}

/** Summarizes part by part, so that any transcript fits, then the whole from the results. */
async function summarize(
	server: ChatServer,
	paragraphs: readonly Paragraph[],
	help: TextHelp,
): Promise<Summarization> {
	const chapters: Array<z.infer<typeof chapterSchema>> = [];
	const learnings: string[] = [];
	for (const part of partsOf(paragraphs)) {
		const material = part.map(({ startSeconds, speaker, text: said }) => ({
			start: Math.round(startSeconds * 10) / 10,
			speaker,
			text: said,
		}));
		const answer = await server.ask(PART, material, help);
		chapters.push(...onParagraphs(answer.chapters, part));
		learnings.push(...answer.key_learnings);
	}
	const material = { chapters, key_learnings: learnings };
	const whole = await server.ask(WHOLE, material, help);
	return {
		...whole,
		// Players expect the first chapter to start at 0.
		chapters: chapters.map(({ start, title }, index) => ({
			start: index === 0 ? 0 : start,
			title,
		})),
		summaries: chapters.map(({ summary }) => summary),
		key_learnings: markdownList(whole.key_learnings),
	};
}

/** Splits the paragraphs into groups that fit into one request. */
function partsOf(paragraphs: readonly Paragraph[]): Paragraph[][] {
	const parts: Paragraph[][] = [];
	let characters = Infinity;
	for (const paragraph of paragraphs) {
		characters += paragraph.text.length;
		if (characters > PART_CHARACTERS) {
			parts.push([]);
			characters = paragraph.text.length;
		}
		parts.at(-1)?.push(paragraph);
	}
	return parts;
}

/** Sorts chapters and moves each to the start of a paragraph, because models miscount. */
function onParagraphs<T extends { start: number }>(
	chapters: readonly T[],
	part: readonly Paragraph[],
): T[] {
	const starts = part.map(({ startSeconds }) => Math.round(startSeconds * 1000) / 1000);
	const nearest = (time: number) =>
		starts.reduce((best, start) => (Math.abs(start - time) < Math.abs(best - time) ? start : best));
	const placed = chapters
		.toSorted((a, b) => a.start - b.start)
		.map((chapter) => ({ ...chapter, start: nearest(chapter.start) }));
	return placed.filter(({ start }, index) => index === 0 || start > placed[index - 1].start);
}
