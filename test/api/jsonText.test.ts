import { isCutJson, jsonFault, parsed } from '../../api/jsonText';

describe('JSON text', () => {
	it.each([
		['{"a":NaN}', { a: null }],
		['[Infinity,-Infinity, NaN ]', [null, null, null]],
		['{"end":NaN,"text":"NaN, not -Infinity"}', { end: null, text: 'NaN, not -Infinity' }],
		['{"NaN":NaN}', { NaN: null }],
		[String.raw`{"text":"a \" NaN","end":NaN}`, { text: 'a " NaN', end: null }],
		[
			String.raw`{"text":"ends with \\\\","end":NaN}`,
			{ text: String.raw`ends with \\`, end: null },
		],
		['\uFEFF{"a":1}', { a: 1 }],
		[5, 5],
		['ok', 'ok'],
		['{"a":NaNa}', '{"a":NaNa}'],
		['{"a":NaN', '{"a":NaN'],
	])('%j is %j', (text, value) => {
		expect(parsed(text)).toEqual(value);
	});

	it.each([
		['{"id":"7f9c', true],
		[' [1, 2', true],
		['{"a":NaN,"b":[', true],
		[String.raw`{"id":"\\`, true],
		[String.raw`{"id":"\"`, true],
		['{"id":"7f9c"}', false],
		['{"id":undefined}', false],
		['ok', false],
		['<html>{', false],
		['', false],
	])('%j is truncated JSON: %p', (text, isCut) => {
		expect(isCutJson(text)).toBe(isCut);
	});

	it.each([
		['{"id":undefined}', /Unexpected token/],
		["{'id':1}", /JSON/],
		['{"id":1}}', /JSON/],
	])('says why %j cannot be read', (text, reason) => {
		expect(jsonFault(text)).toEqual({ isCut: false, reason: expect.stringMatching(reason) });
	});

	it.each(['{"id":1}', '[NaN]', 'ok', '<html>'])(
		'has no fault where %j is JSON, or no JSON at all',
		(text) => {
			expect(jsonFault(text)).toBeUndefined();
		},
	);
});
