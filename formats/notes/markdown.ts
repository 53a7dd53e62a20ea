import { inlineHtml } from './markdownInline';

/** Lists deeper than this are shown at this depth. */
const MAX_LIST_DEPTH = 6;

/**
 * Escapes plain text for Markdown. The patterns of the indent stop at the line's end, since over many
 * empty lines they would take a time that grows with the square of their number.
 */
export function escapeMarkdown(text: string): string {
	return text
		.replace(/[\\`*_[\]<>#|~]/g, '\\$&')
		.replace(/&(?=[a-z#])/gi, '\\&')
		.replace(/^([^\S\n\r\u2028\u2029]*)([-+=])/gm, '$1\\$2')
		.replace(/^([^\S\n\r\u2028\u2029]*\d{1,9})([.)])(?=\s)/gm, '$1\\$2');
}

interface Line {
	readonly kind: 'heading' | 'ul' | 'ol' | 'text' | 'blank';
	readonly text: string;
	/** The level of a heading, the indent of a list entry. */
	readonly depth: number;
	/** Where a numbered list begins. */
	readonly number?: number;
}

/**
 * Converts the Markdown that the service writes to safe HTML without a document around it: headings,
 * lists, paragraphs, bold, italic, links to http and https. Everything else stays text.
 */
export function markdownToHtml(markdown: string): string {
	const lines = markdown.split(/\r\n|[\n\r\u2028\u2029]/).map(readLine);
	const blocks: string[] = [];
	for (let index = 0; index < lines.length; ) {
		const line = lines[index];
		const end = endOfBlock(lines, index);
		if (line.kind === 'heading') {
			blocks.push(`<h${line.depth}>${inlineHtml(line.text)}</h${line.depth}>`);
		} else if (line.kind === 'text') {
			const text = lines.slice(index, end).map((part) => part.text);
			blocks.push(`<p>${inlineHtml(text.join('\n')).replace(/(?: {2,20}|\\)\n/g, '<br>\n')}</p>`);
		} else if (line.kind !== 'blank') {
			blocks.push(listHtml(lines.slice(index, end)));
		}
		index = end;
	}
	return blocks.join('\n');
}

function readLine(line: string): Line {
	const heading = /^ {0,3}(#{1,6})[ \t](.*)$/.exec(line);
	if (heading) {
		const text = heading[2].trim().replace(/(^| )#{1,100}$/, '');
		return { kind: 'heading', depth: heading[1].length, text };
	}
	const indent = /^[ \t]{0,20}/.exec(line)?.[0].replace(/\t/g, '    ').length ?? 0;
	const text = line.trimStart();
	const bullet = /^[-*+•][ \t](.*)$/.exec(text);
	if (bullet) return { kind: 'ul', depth: indent, text: bullet[1].trim() };
	const numbered = /^(\d{1,9})[.)][ \t](.*)$/.exec(text);
	if (numbered) {
		return { kind: 'ol', depth: indent, text: numbered[2].trim(), number: Number(numbered[1]) };
	}
	return { kind: text === '' ? 'blank' : 'text', depth: indent, text };
}

/** The index after the last line of the block that begins at `start`. */
function endOfBlock(lines: readonly Line[], start: number): number {
	const { kind } = lines[start];
	let end = start + 1;
	if (kind === 'heading' || kind === 'blank') return end;
	const isList = kind !== 'text';
	for (; end < lines.length; end++) {
		const line = lines[end];
		const goesOn = isList
			? isEntry(line) || (line.kind === 'text' && lines[end - 1].kind !== 'blank')
			: line.kind === 'text';
		// One blank line between the entries of a list does not end it.
		const isInside = isList && line.kind === 'blank' && isEntry(lines.at(end + 1));
		if (!goesOn && !isInside) break;
	}
	return end;
}

function isEntry(line: Line | undefined): boolean {
	return line?.kind === 'ul' || line?.kind === 'ol';
}

/** A list with the lists in it. An entry that is indented deeper belongs to the one before. */
function listHtml(lines: readonly Line[]): string {
	const open: Array<{ kind: string; depth: number }> = [];
	let html = '';
	const close = () => {
		html += `</li>\n</${open.pop()?.kind}>`;
	};
	for (const { kind, depth, text, number } of lines) {
		if (kind === 'blank') continue;
		if (kind === 'text') {
			html += `\n${inlineHtml(text)}`;
			continue;
		}
		while (open.length > 1 && (open.at(-1)?.depth ?? 0) > depth) close();
		const inner = open.at(-1);
		const isDeeper =
			inner === undefined || (depth >= inner.depth + 2 && open.length < MAX_LIST_DEPTH);
		if (!isDeeper && inner.kind !== kind) close();
		if (isDeeper || inner.kind !== kind) {
			const start = kind === 'ol' && number !== 1 ? ` start="${number ?? 1}"` : '';
			html += `${html === '' ? '' : '\n'}<${kind}${start}>\n`;
			open.push({ kind, depth });
		} else {
			html += '</li>\n';
		}
		html += `<li>${inlineHtml(text)}`;
	}
	while (open.length > 0) close();
	return html;
}
