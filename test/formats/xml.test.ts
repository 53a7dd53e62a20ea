import { DOMParser } from '@xmldom/xmldom';

import { element, htmlElement, parent } from '../../formats/feed/xml';

/** The text and attributes that a parser finds in a document's root. */
function read(document: string) {
	const root = new DOMParser().parseFromString(document, 'text/xml').documentElement!;
	const attributes = [...root.attributes].map(({ name, value }) => [name, value]);
	return { text: root.textContent, attributes: Object.fromEntries(attributes) as object };
}

describe('XML', () => {
	it.each(['a & b < c > d', `"'`, ']]>', '<![CDATA[x]]>', '\u{1F3A4} \u05e9', '&amp;'])(
		'keeps %j in a text, in an attribute and in HTML',
		(text) => {
			expect(read(element('a', { b: text }, text))).toEqual({ text, attributes: { b: text } });
			expect(read(htmlElement('a', text)).text).toBe(text);
		},
	);

	it('drops what XML does not allow, and has one kind of line end', () => {
		const text = 'a\u0000\u0007\u001b\ud800\uffffb\r\nc\rd\u2028e\tf';
		expect(read(element('a', {}, text)).text).toBe('ab\nc\nd\ne\tf');
		expect(read(htmlElement('a', text)).text).toBe('ab\nc\nd\ne\tf');
		// Some parsers make a line feed of these themselves.
		expect(element('a', {}, 'b\u0085c\u2028d\u2029e\rf')).toBe('<a>b\nc\nd\ne\nf</a>');
	});

	it('splits the end mark of CDATA, which some parsers take for text', () => {
		expect(htmlElement('a', 'x]]>y')).toBe('<a><![CDATA[x]]]]><![CDATA[>y]]></a>');
	});

	it('leaves out attributes without a value, and closes empty elements', () => {
		expect(element('a', { b: undefined, c: 0 })).toBe('<a c="0"/>');
		expect(parent('a', {}, [element('b', {}), element('c', {}, 'd')])).toBe(
			'<a>\n<b/>\n<c>d</c>\n</a>',
		);
	});
});
