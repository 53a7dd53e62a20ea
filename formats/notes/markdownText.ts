import { markdownToHtml } from './markdown';

const LINK_BEGIN = '<a href="';
const LINK_END = '</a>';

/** Replaces the link at the end of a piece of HTML, without its closing tag. */
function withLinkAsText(html: string): string {
	const before = html.slice(0, html.lastIndexOf(LINK_BEGIN));
	const [url, text = ''] = html.slice(before.length + LINK_BEGIN.length).split('">', 2);
	return before + (url === text ? url : `${text} (${url})`);
}

/** The Markdown of the service as plain text: lists with bullets, links with their address in brackets. */
export function markdownToText(markdown: string): string {
	return markdownToHtml(markdown)
		.split(LINK_END)
		.map((part, index, { length }) => (index < length - 1 ? withLinkAsText(part) : part))
		.join('')
		.replace(/<br>/g, '')
		.replace(/<\/(?:p|h\d)>\n?/g, '\n\n')
		.replace(/\n?<li>/g, '\n• ')
		.replace(/<\/?[a-z][^<>]*>/g, '')
		.replace(/&lt;/g, '<')
		.replace(/&gt;/g, '>')
		.replace(/&quot;/g, '"')
		.replace(/&#39;/g, "'")
		.replace(/&amp;/g, '&')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}
