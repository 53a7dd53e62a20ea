import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fileNameOfUrl, safeFileName } from '../../service/shared/fileNames.mts';
import { withoutUrlSecrets } from '../../service/shared/log.mts';

/** Twice the text takes at most this many times as long: quadratic growth makes it four. */
const SLOWER_AT_MOST = 2.6;

/** The characters of the longer text. */
const CHARACTERS = 1_000_000;

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
			const half = textOf(CHARACTERS / 2);
			const whole = textOf(CHARACTERS);
			// The shortest times are noise.
			const halfMs = Math.max(
				1,
				bestMilliseconds(() => call(half)),
			);
			const wholeMs = bestMilliseconds(() => call(whole));
			assert.ok(wholeMs <= SLOWER_AT_MOST * halfMs, `${halfMs} ms, then ${wholeMs} ms`);
		});
	}
}
