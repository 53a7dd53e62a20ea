import assert from 'node:assert/strict';
import { test } from 'node:test';

import { deadCitations } from '../../bench/texts/citations.mts';
import { lostMutants } from '../mutation/runNamedMutants.mts';

const API = { path: 'docs/api.md', text: '# The API\n\n## Limits\n' };

/** What is dead in a source with this comment. */
function deadIn(comment: string): string[] {
	const source = { path: 'api/one.ts', text: `/** ${comment} */\nexport const one = 1;\n` };
	return deadCitations([source], [API.path, source.path], [API]);
}

for (const comment of [
	'Kept for 7 days (api.md#limits).',
	'A table of docs/api.md.',
	'See api/one.ts.',
	'Source: https://example.org/rss-specification, https://example.org/a.md.',
]) {
	await test(`finds in the repository: ${comment}`, () => {
		assert.deepEqual(deadIn(comment), []);
	});
}

for (const [comment, what] of [
	['Kept for 7 days (api.md#limit).', 'api.md#limit'],
	['See docs/interface.md.', 'docs/interface.md'],
	['See api/two.ts.', 'api/two.ts'],
	['The spec says so.', 'spec'],
	['House rule 5.', 'House rule'],
	['As endpoint 4 answers.', 'endpoint 4'],
] as const) {
	await test(`does not find in the repository: ${comment}`, () => {
		assert.deepEqual(deadIn(comment), [`api/one.ts:1: cites ${what}`]);
	});
}

await test('reads the titles of tests and comments that begin with #', () => {
	const sources = [
		{ path: 'one.test.ts', text: "it('keeps to the spec', () => {});\n" },
		{ path: 'one.yml', text: '# As in gone.md.\non: push\n' },
	];
	assert.deepEqual(deadCitations(sources, [], []), [
		'one.test.ts:1: cites spec',
		'one.yml:1: cites gone.md',
	]);
});

await test('each named mutant finds its text once', async () => {
	assert.deepEqual(await lostMutants(), []);
});
