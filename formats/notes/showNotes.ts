import type { EditResult } from '../../api/contract';
import { chaptersOf } from './chapters';
import { escapeMarkdown, markdownToHtml } from './markdown';
import { linksIn } from './markdownInline';
import { listTime, onOneLine } from '../values';

/**
 * Show notes in Markdown: title, description, key learnings, chapters, and the links found in them.
 * What the service did not write has no section.
 *
 * @returns undefined where nothing was summarized
 */
export function showNotesMarkdown(result: EditResult | undefined): string | undefined {
	const summarization = result?.summarization;
	const title = onOneLine(summarization?.title ?? '');
	const description = descriptionOf(result);
	const keyLearnings = keyLearningsList(summarization?.key_learnings ?? '');
	const chapters = chaptersOf(result).map(({ startSeconds, title: name }) => {
		const time = startSeconds === undefined ? '' : `${listTime(startSeconds)} `;
		return `- ${time}${escapeMarkdown(name)}`;
	});
	const links = linksIn(`${description}\n${keyLearnings}`).map(({ url, text }) =>
		text === undefined ? `- <${url}>` : `- [${text}](<${url}>)`,
	);
	const sections = [
		title && `# ${escapeMarkdown(title)}`,
		description,
		section('Key learnings', keyLearnings),
		section('Chapters', chapters.join('\n')),
		section('Links', links.join('\n')),
	].filter((text) => text !== '');
	return sections.length > 0 ? `${sections.join('\n\n')}\n` : undefined;
}

/** The show notes as safe HTML without a document around them. */
export function showNotesHtml(result: EditResult | undefined): string | undefined {
	const markdown = showNotesMarkdown(result);
	return markdown === undefined ? undefined : `${markdownToHtml(markdown)}\n`;
}

function section(heading: string, text: string): string {
	return text === '' ? '' : `## ${heading}\n\n${text}`;
}

/** The description in Markdown, else a summary; its headings one level below the title. */
export function descriptionOf(result: EditResult | undefined): string {
	const summarization = result?.summarization;
	const title = onOneLine(summarization?.title ?? '');
	const markdown = summarization?.episode_description?.trim();
	if (markdown) return belowTitle(markdown, title);
	const { summary, summary_of_summary: shortSummary, summaries = [] } = summarization ?? {};
	const plain = [summary, shortSummary, summaries.join('\n\n')].find((text) => text?.trim());
	return escapeMarkdown(plain?.trim() ?? '');
}

function belowTitle(markdown: string, title: string): string {
	const [first, ...others] = markdown.split('\n');
	const isTitle = /^#{1,6}\s/.test(first) && onOneLine(first.replace(/^#{1,6}/, '')) === title;
	const text = isTitle ? others.join('\n').trim() : markdown;
	return text.replace(/^(#{1,5})(?=[ \t])/gm, '#$1');
}

/** The key learnings as a Markdown list, as api.md#summarization says; lines without a mark become entries. */
function keyLearningsList(markdown: string): string {
	const text = markdown.trim();
	if (text === '' || /^\s{0,9}(?:[-*+•]|\d{1,9}[.)])\s/m.test(text)) return text;
	const lines = text.split('\n').map((line) => line.trim());
	return lines.map((line) => (line === '' || line.startsWith('#') ? line : `- ${line}`)).join('\n');
}
