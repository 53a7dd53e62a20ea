import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fileNameOfUrl, safeFileName } from '../../service/shared/fileNames.mts';
import { withoutUrlSecrets } from '../../service/shared/log.mts';

/** Linear growth makes it 4 times as long, quadratic growth 16 times. */
const TIMES_LARGER = 4;
const SLOWER_AT_MOST = 9;

/** The characters of the shorter text. */
const CHARACTERS = 200_000;

/** Long texts that would be slow for a pattern which is tried at each of their characters. */
const WORST: Readonly<Record<string, (characters: number) => string>> = {
	'one letter': (characters) => 'a'.repeat(characters),
	dots: (characters) => `a${'.'.repeat(characters - 2)}b`,
	blanks: (characters) => `a${' '.repeat(characters - 2)}b`,
	emoji: (characters) => '🎧'.repeat(characters / 2),
	'beginnings of a URL': (characters) => 'http://'.repeat(characters / 7),
	'user names': (characters) => `http://${'a:'.repeat(characters / 2)}`,
	queries: (characters) => 'http://a?b'.repeat(characters / 10),
};

const FUNCTIONS = {
	safeFileName,
	withoutUrlSecrets,
	fileNameOfUrl: (text: string) => fileNameOfUrl(`https://example.com/${text}`),
};

function bestMilliseconds(run: () => unknown): number {
	const turns = Array.from({ length: 7 }, () => {
		const before = process.cpuUsage();
		run();
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1_000;
	});
	return Math.min(...turns);
}

for (const [name, call] of Object.entries(FUNCTIONS)) {
	for (const [kind, textOf] of Object.entries(WORST)) {
		await test(`${name} takes linear time for ${kind}`, () => {
			const small = textOf(CHARACTERS);
			const large = textOf(CHARACTERS * TIMES_LARGER);
			// The shortest times are noise.
			const smallMs = Math.max(
				1,
				bestMilliseconds(() => call(small)),
			);
			const largeMs = bestMilliseconds(() => call(large));
			assert.ok(largeMs <= SLOWER_AT_MOST * smallMs, `${smallMs} ms, then ${largeMs} ms`);
		});
	}
}
