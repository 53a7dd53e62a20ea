import assert from 'node:assert/strict';
import { test } from 'node:test';

import { deadCommands, deadFigures } from '../../bench/texts/commands.mts';
import { filesLike } from '../../bench/texts/tracked.mts';

await test('files name only commands that npm and our runners know', () => {
	const files = filesLike(/\.(md|m?ts|m?js|ya?ml)$|^\.ci\/\w+$|(?<!-lock)\.json$/);
	assert.deepEqual(
		deadCommands(files.filter(({ path }) => path !== 'test/texts/commands.test.mts')),
		[],
	);
});

for (const [command, isDead] of [
	['npm run bench -- waiting', false],
	['npm run bench -- sleeping', true],
	['npm run bench:waiting', true],
	['npm run e2e -- e2e/push.test.mts', false],
	['npm run e2e -- e2e/pull.test.mts', true],
	['npm test -- slow', false],
	['npm test -- quick', true],
	['npm run check:texts -- docs/', false],
] as const) {
	await test(`${command} is ${isDead ? 'unknown' : 'known'}`, () => {
		const found = deadCommands([{ path: 'one.md', text: `Run \`${command}\`.` }]);
		assert.deepEqual(found, isDead ? [`one.md: ${command}`] : []);
	});
}

await test('finds figures that no bench prints any more', () => {
	const sources = [{ path: 'one.mts', text: 'const bar = `waiting for ${edits} edits, median`;' }];
	const rows = ['waiting for 100 edits, median', 'edits lost'].map(
		(bar) => `| ${bar} | 1 | <= 2 | ok |`,
	);
	const table = ['| Bar | Figure | Goal | Result |', '| --- | --- | --- | --- |', ...rows];
	const page = ['# Benchmarks', '## waiting', ...table, '## sleeping', ...table].join('\n');
	assert.deepEqual(deadFigures(page, sources), [
		'waiting: edits lost',
		'sleeping: waiting for 100 edits, median',
		'sleeping: edits lost',
	]);
});
