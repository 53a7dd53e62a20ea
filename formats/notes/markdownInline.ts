import { isWebUrl } from '../../api/contract';
import { escapeHtml } from '../values';

/** Escapes, links, bare addresses, bold, italic. All lengths are limited, so that no text takes long. */
const INLINE = new RegExp(
	[
		/\\(?<escaped>[!-/:-@[-`{-~])/,
		/\[(?<text>(?:[^[\]\\\n]|\\.){1,300})\]\(<?(?<url>[^\s()<>]{1,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,500})?)>?(?:[ \t]{1,9}"[^"\n]{0,200}")?\)/,
		/<(?<angled>https?:\/\/[^\s<>]{1,2000})>/,
		/(?<bare>https?:\/\/[^\s<>"'*[\]\\]{1,2000})/,
		/(?<strongMark>\*\*|__)(?=\S)(?<strong>(?:(?!\k<strongMark>)[^\\]|\\.){1,1000})(?<=\S)\k<strongMark>/,
		/(?<![\p{L}\p{N}])(?<mark>[*_])(?=[^\s*_])(?<emphasis>(?:(?!\k<mark>)[^\\]|\\.){1,500})(?<=\S)\k<mark>(?![\p{L}\p{N}])/u,
	]
		.map(({ source }) => `(?:${source})`)
		.join('|'),
	'giu',
);

/** The HTML of text within a paragraph. Inside a link, `hasLinks` is false. */
export function inlineHtml(text: string, hasLinks = true): string {
	let html = '';
	let done = 0;
	for (const match of text.matchAll(INLINE)) {
		html += escapeHtml(text.slice(done, match.index)) + matchHtml(match, hasLinks);
		done = match.index + match[0].length;
	}
	return html + escapeHtml(text.slice(done));
}

function matchHtml({ 0: whole, groups = {} }: RegExpMatchArray, hasLinks: boolean): string {
	if (groups.escaped !== undefined) return escapeHtml(groups.escaped);
	if (groups.strong !== undefined) return `<strong>${inlineHtml(groups.strong, hasLinks)}</strong>`;
	if (groups.emphasis !== undefined) return `<em>${inlineHtml(groups.emphasis, hasLinks)}</em>`;
	const { url, text, tail } = linkOf(groups);
	if (!hasLinks || !isWebUrl(url)) return escapeHtml(whole);
	const shown = text === undefined ? escapeHtml(url) : inlineHtml(text, false);
	return `<a href="${escapeHtml(url)}">${shown}</a>${escapeHtml(tail)}`;
}

/** A link in a Markdown text. */
interface MarkdownLink {
	readonly url: string;
	/** Markdown; a bare address has none. */
	readonly text?: string;
}

/** The web links in a Markdown text, each address once, with the text of its first link. */
export function linksIn(markdown: string): MarkdownLink[] {
	const links = new Map<string, MarkdownLink>();
	for (const { groups = {} } of markdown.matchAll(INLINE)) {
		const inner = groups.strong ?? groups.emphasis;
		const { url, text } = linkOf(groups);
		for (const link of inner === undefined ? [{ url, text }] : linksIn(inner)) {
			if (isWebUrl(link.url) && !links.has(link.url)) links.set(link.url, link);
		}
	}
	return [...links.values()];
}

function linkOf(groups: Readonly<Record<string, string | undefined>>) {
	const { url, angled, bare = '', text } = groups;
	// A mark after an address ends the sentence, but the bracket of "…/Rome_(city)" ends the address.
	const marks = /[.,;:!?_~)]{1,20}$/.exec(bare)?.[0] ?? '';
	const tail = marks.startsWith(')') && bare.includes('(') ? marks.slice(1) : marks;
	return { url: url ?? angled ?? bare.slice(0, bare.length - tail.length), text, tail };
}
