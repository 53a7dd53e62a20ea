import { markdownToHtml } from './markdown';

const ENTITIES: Readonly<Record<string, string>> = {
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&#39;': "'",
	'&amp;': '&',
};

/** The Markdown of the service as plain text: lists with bullets, links with their address in brackets. */
export function markdownToText(markdown: string): string {
	return markdownToHtml(markdown)
		.replace(/<a href="([^"]*)">(.*?)<\/a>/gs, (_link, url: string, text: string) =>
			url === text ? url : `${text} (${url})`,
		)
		.replace(/<br>/g, '')
		.replace(/<\/(?:p|h\d)>\n?/g, '\n\n')
		.replace(/\n?<li>/g, '\n• ')
		.replace(/<\/?[a-z][^>]*>/g, '')
		.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity])
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}
