/** Reads every text that a person meets, in three kinds. */
import { formTexts } from './formTexts.mts';
import { type Block, blocksOf } from './prose.mts';
import { type Sentence, sentencesOf } from './sentences.mts';
import { hashComments, sourceTexts } from './sourceTexts.mts';
import { type TextFile, filesLike } from './tracked.mts';

export const KINDS = ['documents', 'forms and messages', 'comments and test titles'] as const;

export type Kind = (typeof KINDS)[number];

/** Where texts in strings reach a person: in n8n, in a terminal or on the service's page. */
const SPEAKING = /^(api|credentials|formats|nodes|waiting|service|demo)\//;

/** Returns a document as it is, but only the newest part of a changelog. */
export function readDocument({ path, text }: TextFile): string {
	if (!path.endsWith('CHANGELOG.md')) return text;
	const [head = '', newest = ''] = text.split(/^(?=## )/m);
	return head + newest;
}

/** Returns the Markdown in the sticky notes of a workflow. */
function stickyNotes(workflow: string): string {
	const { nodes } = JSON.parse(workflow) as { nodes: { parameters: { content?: string } }[] };
	return nodes.map(({ parameters }) => parameters.content ?? '').join('\n\n');
}

async function documents(): Promise<Sentence[]> {
	const pages = filesLike(/\.md$/).map((file) => ({ path: file.path, text: readDocument(file) }));
	const notes = filesLike(/^workflows\/.*\.json$/).map(({ path, text }) => ({
		path,
		text: stickyNotes(text),
	}));
	return await sentencesIn([...pages, ...notes]);
}

async function sentencesIn(files: readonly TextFile[]): Promise<Sentence[]> {
	const sentences: Sentence[] = [];
	for (const { path, text } of files) sentences.push(...sentencesOf(path, await blocksOf(text)));
	return sentences;
}

/** Returns the prose of lines of Markdown, each where it is in its file. */
async function proseOf(lines: readonly Block[]): Promise<Block[]> {
	// An empty line between them keeps them separate: the text with index 3 is in line 7.
	const blocks = await blocksOf(lines.map(({ text }) => text).join('\n\n'));
	return blocks.map(({ line, text }) => ({ line: lines[(line - 1) / 2].line, text }));
}

/** Returns the sentences of the comments, and those of the texts in strings. */
async function sourceSentences(): Promise<{ comments: Sentence[]; messages: Sentence[] }> {
	const comments: Sentence[] = [];
	const messages: Sentence[] = [];
	for (const { path, text } of filesLike(/\.(m?ts|m?js|cjs)$/)) {
		const texts = sourceTexts(path, text);
		comments.push(...sentencesOf(path, await blocksOf(texts.comments)));
		comments.push(...sentencesOf(path, await proseOf(texts.titles)));
		if (!SPEAKING.test(path)) continue;
		messages.push(...sentencesOf(path, await proseOf(texts.messages)));
	}
	for (const { path, text } of filesLike(/(\.(ya?ml|sh|py)|Dockerfile|^\.ci\/\w+)$/)) {
		comments.push(...sentencesOf(path, await blocksOf(hashComments(text))));
	}
	return { comments, messages };
}

/** Adds the texts of the forms that the nodes put together from several strings. */
async function withForms(messages: readonly Sentence[]): Promise<Sentence[]> {
	const known = new Set(messages.map(({ text }) => text));
	const pages = formTexts().map(({ where, text }) => ({ path: where, text }));
	const sentences = await sentencesIn(pages);
	return [...messages, ...sentences.filter(({ text }) => !known.has(text))];
}

/** Returns all sentences that a person meets, by kind. */
export async function readTexts(): Promise<Record<Kind, Sentence[]>> {
	const { comments, messages } = await sourceSentences();
	return {
		documents: await documents(),
		'forms and messages': await withForms(messages),
		'comments and test titles': comments,
	};
}
