import assert from 'node:assert/strict';
import { test } from 'node:test';

import { comparePictures, tablesOf } from '../../bench/texts/layout.mts';
import { readDocument } from '../../bench/texts/readTexts.mts';

await test('measures the widest line of each table, not of code', () => {
	const text = ['| a | b |', '| longer |', '```', '| not a table |', '```', '  | c |'].join('\n');
	assert.deepEqual(tablesOf({ path: 'a.md', text }), [
		{ path: 'a.md', line: 1, columns: 10 },
		{ path: 'a.md', line: 6, columns: 7 },
	]);
});

await test('finds pictures that no text shows, and pictures that do not exist', () => {
	const tracked = ['docs/images/shown.png', 'docs/images/dark.png', 'docs/images/unused.png'];
	const texts = [
		{ path: 'docs/a.md', text: '![x](images/shown.png)\n![y](images/gone.png)' },
		{ path: 'b.md', text: '<source srcset="docs/images/dark.png">' },
	];
	assert.deepEqual(comparePictures(tracked, texts), {
		unused: ['docs/images/unused.png'],
		missing: ['docs/images/gone.png'],
	});
});

await test('a codex file shows a picture, too', () => {
	const codex = { path: 'a.node.json', text: '{"url": "https://x.test/docs/images/one.png"}' };
	assert.deepEqual(comparePictures(['docs/images/one.png'], [codex]).unused, []);
});

await test('reads only the newest part of a changelog', () => {
	const text = '# Changelog\n\n## Unreleased\n\nNew.\n\n## 0.1.0\n\nOld.\n';
	const read = readDocument({ path: 'service/CHANGELOG.md', text });
	assert.equal(read, '# Changelog\n\n## Unreleased\n\nNew.\n\n');
});
