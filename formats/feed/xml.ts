import { escapeHtml } from '../values';

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** What XML 1.0, section 2.2, does not allow: control characters and halves of surrogate pairs. */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** An element with a text; attributes without a value are left out, and an empty element closes itself. */
export function element(name: string, attributes: Attributes, text = ''): string {
	return wrapped(name, attributes, escapeHtml(allowed(text)));
}

/** An element around other elements, one on each line. */
export function parent(name: string, attributes: Attributes, children: readonly string[]): string {
	return wrapped(name, attributes, children.map((child) => `\n${child}`).join('') + '\n');
}

/** An element with HTML in it. Where the text has the end mark of CDATA, the section is split in two. */
export function htmlElement(name: string, html: string): string {
	return wrapped(name, {}, `<![CDATA[${allowed(html).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`);
}

function wrapped(name: string, attributes: Attributes, content: string): string {
	const pairs = Object.entries(attributes)
		.filter(([, value]) => value !== undefined)
		.map(([key, value]) => ` ${key}="${escapeHtml(allowed(String(value)))}"`);
	const start = `<${name}${pairs.join('')}`;
	return content === '' ? `${start}/>` : `${start}>${content}</${name}>`;
}

/**
 * The text without what XML does not allow. Some readers report every kind of line end as a line feed, so
 * there is no other.
 */
function allowed(text: string): string {
	return text.replace(NOT_XML, '').replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n');
}
