/** The prose of Markdown: what a person reads of it, without code, links' addresses and HTML. */
import { type AstPath, type Plugin, format } from 'prettier';
import { parsers } from 'prettier/plugins/markdown';

/** Replaces code: one word, in which no rule about words finds anything. */
const CODE = '`X`';

/** A heading, a paragraph, a list item's text or a table cell. */
export interface Block {
	readonly line: number;
	readonly text: string;
}

interface MarkdownNode {
	readonly type: string;
	readonly value?: string;
	readonly alt?: string | null;
	readonly children?: readonly MarkdownNode[];
	readonly position?: { readonly start: { readonly line: number } };
}

const BLOCKS = new Set(['paragraph', 'heading', 'tableCell']);

/** Returns the text of a node inside a block. */
function inlineText({ type, value = '', alt, children = [] }: MarkdownNode): string {
	if (type === 'inlineCode' || type === 'liquidNode') return CODE;
	if (type === 'text') return value;
	if (type === 'break') return ' ';
	// A picture has its own text, which is not a part of the sentence around it.
	if (type === 'image' || type === 'imageReference') return alt ? ` ${alt}. ` : '';
	return children.map(inlineText).join('');
}

function linesOf(node: MarkdownNode): string[] {
	if (!BLOCKS.has(node.type)) return (node.children ?? []).flatMap(linesOf);
	const text = inlineText(node).replace(/\s+/g, ' ').trim();
	return text === '' ? [] : [`${node.position?.start.line ?? 0}\t${text}`];
}

/** Has prettier, whose Markdown parser this uses, print each block as one line. */
const PROSE_PLUGIN: Plugin = {
	parsers: { prose: { ...parsers.markdown, astFormat: 'prose' } },
	printers: { prose: { print: (path: AstPath<MarkdownNode>) => linesOf(path.node).join('\n') } },
};

/** Returns the blocks of a Markdown text in order. */
export async function blocksOf(markdown: string): Promise<Block[]> {
	const printed = await format(markdown, { parser: 'prose', plugins: [PROSE_PLUGIN] });
	const lines = printed.split('\n').filter((line) => line !== '');
	return lines.map((printedLine) => {
		const tab = printedLine.indexOf('\t');
		return { line: Number(printedLine.slice(0, tab)), text: printedLine.slice(tab + 1) };
	});
}
