/** What must survive of a text: everything but white space and what no text file can hold. */
export function letters(text: string): string {
	return text.replace(/[\p{Cc}\p{Cs}\p{Cn}\s\u2060\ufffd]/gu, '');
}

/** A text as an XML document can hold it. */
export function inXml(text: string): string {
	return text
		.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
		.replace(/[\u0085\u2028]/g, '\n');
}

/** The HTML of show notes as XML. */
export function xmlOf(html: string): string {
	return inXml(html).replaceAll('<br>', '<br/>');
}
