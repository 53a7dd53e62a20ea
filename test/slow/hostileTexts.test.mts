import assert from 'node:assert/strict';
import { test } from 'node:test';

import { safeFileName } from '../../service/shared/fileNames.mts';
import { withoutUrlSecrets } from '../../service/shared/log.mts';

/*
 * These texts take linear code less than a second. Quadratic code takes hours, which the limit for a test file
 * ends: a ratio of two times depends on what the garbage collector does meanwhile.
 */
const CHARACTERS = 4_000_000;

/** Long texts that would be slow for a pattern which is tried at each of their characters. */
const WORST: Readonly<Record<string, string>> = {
	'one letter': 'a'.repeat(CHARACTERS),
	dots: `a${'.'.repeat(CHARACTERS)}b`,
	blanks: `a${' '.repeat(CHARACTERS)}b`,
	emoji: '🎧'.repeat(CHARACTERS / 2),
	'beginnings of a URL': 'http://'.repeat(CHARACTERS / 7),
	'user names': `http://${'a:'.repeat(CHARACTERS / 2)}`,
	queries: 'http://a?b'.repeat(CHARACTERS / 10),
};

for (const [kind, text] of Object.entries(WORST)) {
	await test(`makes a short file name of ${kind}`, () => {
		const bytes = Buffer.byteLength(safeFileName(text));
		assert.ok(bytes > 0 && bytes <= 180, String(bytes));
	});

	await test(`leaves no query in a log line of ${kind}`, () => {
		assert.ok(!withoutUrlSecrets(text).includes('?'));
	});
}
