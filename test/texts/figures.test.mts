import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkFigures, repeatedFigures, wrongDefaults } from '../../bench/texts/checkFigures.mts';

const RETENTION = { retention: [[7], 'after # days'] } as const;

const sentence = (text: string) => ({ path: 'a.md', line: 3, text });

await test('a figure agrees in digits and in words', () => {
	const texts = [sentence('Deleted after 7 days.'), sentence('Deleted after seven days.')];
	assert.deepEqual(checkFigures(RETENTION, texts), []);
});

await test('finds a statement that disagrees, also inside a larger number', () => {
	const texts = [sentence('Deleted after 7 days.'), sentence('Deleted after 17 days.')];
	assert.deepEqual(checkFigures(RETENTION, texts), [
		'a.md:3: retention: 7 in the code: Deleted after 17 days.',
	]);
});

await test('each number of a statement with several must be right', () => {
	const range = { range: [[-36, -6], '# to # LUFS'] } as const;
	assert.deepEqual(checkFigures(range, [sentence('−36 to -6 LUFS')]), []);
	assert.equal(checkFigures(range, [sentence('-36 to -5 LUFS')]).length, 1);
});

await test('finds a figure that no text states any more', () => {
	assert.deepEqual(checkFigures(RETENTION, [sentence('Deleted later.')]), [
		'sharedFigures.mts: no text states the retention',
	]);
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

const PAGE = [
	'| Bar | Figure | Goal |',
	'| --- | --- | --- |',
	'| peak in MB | 288.66 | <= 300 |',
	'| wall / ideal | 1.014 | <= 1.05 |',
].join('\n');

await test('finds measured figures that another page repeats, rounded or not', () => {
	const texts = ['It takes 289 MB.', 'It takes 1.014 times as long.', 'At most 300 MB, or 1.05.'];
	assert.deepEqual(repeatedFigures([PAGE], texts.map(sentence)), [
		'a.md:3: 289 MB is a measured figure: It takes 289 MB.',
		'a.md:3: 1.014 is a measured figure: It takes 1.014 times as long.',
	]);
});
