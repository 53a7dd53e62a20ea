import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { COMMAND } from '../../service/shared/flags.mts';
import { tableOf } from '../../testkit/text/markdown.ts';
import { type Figure, FIGURES, wrongFigures } from './figures.mts';

await test('pages and forms state the figures of the code', () => {
	assert.deepEqual(
		wrongFigures(FIGURES, (place) => readFileSync(place, 'utf8')),
		[],
	);
});

const RETENTION: Figure = ['a.md', 'after # days', 7];

await test('a figure agrees in digits and in words', () => {
	const texts = ['Deleted after 7 days.', 'Deleted after\nseven days.'];
	for (const text of texts)
		assert.deepEqual(
			wrongFigures([RETENTION], () => text),
			[],
		);
});

await test('finds a statement that disagrees, also inside a larger number', () => {
	const text = 'Deleted after 7 days. Deleted after 17 days.';
	assert.deepEqual(
		wrongFigures([RETENTION], () => text),
		['a.md: "after 17 days" is 7 in the code'],
	);
});

await test('each number of a statement with several must be right', () => {
	const range: Figure = ['a.md', '# to # LUFS', -36, -6];
	assert.deepEqual(
		wrongFigures([range], () => '−36 to -6 LUFS'),
		[],
	);
	assert.equal(wrongFigures([range], () => '-36 to -5 LUFS').length, 1);
});

await test('finds a figure that its place does not state any more', () => {
	assert.deepEqual(
		wrongFigures([RETENTION], () => 'Deleted later.'),
		['a.md does not state "after # days"'],
	);
});

const plain = (cell: string) => cell.replaceAll('`', '');

/** Returns the flags whose default is a number or a word, and another one in the table of a text. */
function wrongDefaults(
	markdown: string,
	flags: readonly { readonly flag: string; readonly value: unknown }[],
): string[] {
	const stated = new Map<string, string>();
	for (const [flag = '', value = ''] of tableOf(markdown, 'Flag', 'Default')) {
		stated.set(plain(flag), plain(value));
	}
	return flags
		.filter(({ value }) => typeof value === 'number' || typeof value === 'string')
		.filter(({ flag, value }) => stated.get(flag)?.replaceAll(',', '') !== String(value))
		.map(
			({ flag, value }) =>
				`${flag} is ${String(value)}, the table says ${stated.get(flag) ?? 'nothing'}`,
		);
}

await test('docs/service/configure.md has the default of each flag', () => {
	const flags = COMMAND.options.map(({ long, defaultValue }) => ({
		flag: long ?? '',
		value: defaultValue as unknown,
	}));
	assert.deepEqual(wrongDefaults(readFileSync('docs/service/configure.md', 'utf8'), flags), []);
});

await test('finds a flag with another default in the table, or none', () => {
	const table = '| Flag | Default |\n| --- | --- |\n| `--port` | `8,787` |\n| `--host` | here |\n';
	const flags = [
		{ flag: '--port', value: 8_787 },
		{ flag: '--host', value: 'there' },
		{ flag: '--gone', value: 1 },
		{ flag: '--without', value: undefined },
	];
	assert.deepEqual(wrongDefaults(table, flags), [
		'--host is there, the table says here',
		'--gone is 1, the table says nothing',
	]);
});
