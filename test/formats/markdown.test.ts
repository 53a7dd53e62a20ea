import * as fc from 'fast-check';

import { escapeMarkdown, markdownToHtml } from '../../formats/notes/markdown';

/** The tags our renderer may write; links only with http or https. */
const ALLOWED_TAG =
	/^<(?:\/?(?:h[1-6]|p|ul|ol|li|strong|em)|ol start="\d+"|br|\/a|a href="https?:\/\/[^"<>]*")>$/;

it.each([
	['# One\n### Three ###', '<h1>One</h1>\n<h3>Three</h3>'],
	['One\ntwo  \nthree\n\nfour', '<p>One\ntwo<br>\nthree</p>\n<p>four</p>'],
	['a **b _c_** *d*', '<p>a <strong>b <em>c</em></strong> <em>d</em></p>'],
	['snake_case_name and 2 * 3 * 4', '<p>snake_case_name and 2 * 3 * 4</p>'],
	['\\*a\\* \\<b\\>', '<p>*a* &lt;b&gt;</p>'],
	['* a\n* b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
	['3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
	['- a\n\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
	['- a\n  - b\n- c', '<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul></li>\n<li>c</li>\n</ul>'],
	['- a\n1. b', '<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>'],
	['[a *b*](https://x.example "t")', '<p><a href="https://x.example">a <em>b</em></a></p>'],
	[
		'<https://x.example/?a&b>',
		'<p><a href="https://x.example/?a&amp;b">https://x.example/?a&amp;b</a></p>',
	],
	['(https://x.example).', '<p>(<a href="https://x.example">https://x.example</a>).</p>'],
	['[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
	['[a](data:text/html,x)', '<p>[a](data:text/html,x)</p>'],
	[
		'[https://a.example](https://b.example)',
		'<p><a href="https://b.example">https://a.example</a></p>',
	],
	['<img src=x onerror="a()">', '<p>&lt;img src=x onerror=&quot;a()&quot;&gt;</p>'],
	['', ''],
])('renders %j', (markdown, html) => {
	expect(markdownToHtml(markdown)).toBe(html);
});

const piece = fc.oneof(
	fc.string(),
	fc.constantFrom(
		'# ',
		'- ',
		'  - ',
		'1. ',
		'**',
		'__',
		'*',
		'_',
		'\n',
		'\n\n',
		'[',
		'](',
		')',
		'\\',
		'"',
		'https://x.example',
		'javascript:',
		'<',
		'>',
		'<b onclick="x">',
		'&amp;',
		'<a href=',
		' ',
	),
);
const markdown = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

it('writes only known tags, all closed, for any input', () => {
	fc.assert(
		fc.property(markdown, (text) => {
			const html = markdownToHtml(text);
			const open: string[] = [];
			for (const [tag] of html.matchAll(/<[^>]*>|</g)) {
				expect(tag).toMatch(ALLOWED_TAG);
				const name = /[a-z]+[1-6]?/.exec(tag)?.[0] ?? '';
				if (tag.startsWith('</')) expect(open.pop()).toBe(name);
				else if (name !== 'br') open.push(name);
			}
			expect(open).toEqual([]);
			expect(html.replace(/<[^>]*>/g, '')).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
		}),
		{ numRuns: 2_000 },
	);
});

it('renders escaped text literally', () => {
	const oneLine = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/\s+/g, ' ').trim());
	fc.assert(
		fc.property(fc.oneof(oneLine, piece), (text) => {
			fc.pre(text.trim() !== '' && !text.includes('\n') && !text.includes('://'));
			const html = markdownToHtml(escapeMarkdown(text.trim()));
			const shown = html
				.replace(/^<p>|<\/p>$/g, '')
				.replace(/&lt;/g, '<')
				.replace(/&gt;/g, '>')
				.replace(/&quot;/g, '"')
				.replace(/&#39;/g, "'")
				.replace(/&amp;/g, '&');
			expect(shown).toBe(text.trim());
		}),
		{ numRuns: 1_000 },
	);
});

it.each([
	'2026. What a year',
	'1) First',
	'- none',
	'+ plus',
	'= equal',
	'&lt; and &#39;',
	'a | b ~ c',
])('renders escaped text literally that looks like Markdown: %s', (text) => {
	const shown = text.replace(/&/g, '&amp;');
	expect(markdownToHtml(escapeMarkdown(text))).toBe(`<p>${shown}</p>`);
});
