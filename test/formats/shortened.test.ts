import * as fc from 'fast-check';

import { shortened } from '../../formats/shortened';

const longText = fc
	.tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), fc.nat({ max: 60_000 }))
	.map(([text, length]) => text.repeat(Math.ceil(length / text.length)));

it('never splits a character, and keeps short text', () => {
	fc.assert(
		fc.property(longText, (text) => {
			const [{ summary }] = shortened([{ summary: text }]).items;
			expect(() => encodeURIComponent(String(summary))).not.toThrow();
			const isWhole = text.length <= 4_000;
			expect(summary === text).toBe(isWhole);
			if (!isWhole) expect(summary).toContain(`(cut; ${text.length} characters in all)`);
		}),
	);
});

it('drops the whole of an emoji at the limit', () => {
	const { items } = shortened([{ text: `${'a'.repeat(3_999)}😀${'b'.repeat(100)}` }]);
	expect(items).toEqual([{ text: `${'a'.repeat(3_999)}… (cut; 4101 characters in all)` }]);
});

it('keeps a link whole, and every field', () => {
	const downloadUrl = `https://storage.example.com/a.mp3?signature=${'x'.repeat(1_500)}`;
	const texts = Object.fromEntries([...'abcdefghij'].map((name) => [name, 'word '.repeat(2_000)]));
	const [short] = shortened([{ downloadUrl, ...texts }]).items;
	expect(short.downloadUrl).toBe(downloadUrl);
	expect(Object.keys(short)).toEqual(['downloadUrl', ...'abcdefghij']);
	expect(JSON.stringify(short).length).toBeLessThan(20_000);
});

it('cuts the list of items and says how many there were', () => {
	const items = Array.from({ length: 51 }, (_item, id) => ({ id }));
	const note = '… (cut; 51 entries in all)';
	expect(shortened(items)).toEqual({ items: items.slice(0, 50), note });
	expect(shortened(items.slice(1))).toEqual({ items: items.slice(1) });
});

it('cuts long lists at every depth until the answer fits', () => {
	const words = Array.from({ length: 20_000 }, (_word, id) => ({ id, text: 'word '.repeat(200) }));
	const short = shortened([{ result: { transcription: { words } } }]);
	expect(JSON.stringify(short)).toContain('20000 entries in all');
	expect(JSON.stringify(short).length).toBeLessThan(20_000);
});

it('keeps 100 fields of an object, and says how many there were', () => {
	const object = (count: number) =>
		Object.fromEntries(Array.from({ length: count }, (_field, id) => [`f${id}`, id]));
	expect(shortened([object(100)]).items).toEqual([object(100)]);
	expect(shortened([{ inside: object(101) }]).items).toEqual([
		{ inside: { ...object(100), note: '… (cut; 101 fields in all)' } },
	]);
});

it.each([
	[15, 1_000, 20],
	[60, 200, 5],
])('keeps of %d long texts %d characters each, and %d entries', (fields, characters, entries) => {
	const texts = Object.fromEntries(
		Array.from({ length: fields }, (_field, id) => [`f${id}`, 'x'.repeat(5_000)]),
	);
	const list = Array.from({ length: 30 }, (_entry, id) => id);
	const [short] = shortened([{ ...texts, list }]).items;
	expect(short.f0).toBe(`${'x'.repeat(characters)}… (cut; 5000 characters in all)`);
	expect(short.list).toEqual([...list.slice(0, entries), '… (cut; 30 entries in all)']);
});
