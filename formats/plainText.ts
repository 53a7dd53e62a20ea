/** A text on one line: control characters and runs of white space become one space. */
export function onOneLine(text: string): string {
	return text
		.replace(/\p{Cs}/gu, '\uFFFD')
		.replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
		.trim();
}

/** Text with the five characters that HTML and XML read as markup written as entities. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};
