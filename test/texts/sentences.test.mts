import assert from 'node:assert/strict';
import { test } from 'node:test';

import { neverWordsIn } from '../../bench/texts/neverList.mts';
import { blocksOf } from '../../bench/texts/prose.mts';
import {
	countWords,
	lengthP95,
	sentencesOf,
	splitSentences,
} from '../../bench/texts/sentences.mts';
import { hashComments, sourceTexts } from '../../bench/texts/sourceTexts.mts';

const textsOf = async (markdown: string) => (await blocksOf(markdown)).map(({ text }) => text);

await test('splits sentences at periods, but not within abbreviations and numbers', () => {
	assert.deepEqual(splitSentences('Use a file, e.g. Audio at 0.5 s. n8n reads it. Done?'), [
		'Use a file, e.g. Audio at 0.5 s.',
		'n8n reads it.',
		'Done?',
	]);
});

await test('counts words, not dashes', () => {
	assert.equal(countWords('Two words – and `X`, "six" in all.'), 7);
});

await test('a long sentence among few raises the 95th percentile', () => {
	const long = Array.from({ length: 40 }, () => 'word').join(' ');
	const block = (text: string) => ({ line: 1, text });
	const short = Array.from({ length: 19 }, () => block('Two words.'));
	assert.equal(lengthP95(sentencesOf('a.md', [...short, block(long)])), 2);
	assert.equal(lengthP95(sentencesOf('a.md', [...short, block(long), block(long)])), 40);
});

await test('reads prose, cells, headings and pictures, but no code, addresses and HTML', async () => {
	const markdown = [
		'# Title',
		'A [link](https://told.example/behind) and `told`.',
		'',
		'```sh',
		'told',
		'```',
		'',
		'| One | `told` |',
		'| --- | --- |',
		'| two | ![a form](told.png) |',
		'<b>told</b>',
	].join('\n');
	const texts = await textsOf(markdown);
	assert.deepEqual(texts.slice(0, 6), ['Title', 'A link and `X`.', 'One', '`X`', 'two', 'a form.']);
	assert.deepEqual(texts.flatMap(neverWordsIn).length, 1);
});

await test('keeps the line of each block', async () => {
	const lines = (await blocksOf('# One\n\nTwo\n\n- three\n')).map(({ line }) => line);
	assert.deepEqual(lines, [1, 3, 5]);
});

await test('finds the words of the never-list in any case, but not inside other words', () => {
	assert.equal(neverWordsIn('Whoever is TOLD so long').length, 3);
	assert.deepEqual(neverWordsIn('It understands retelling the number'), []);
});

await test('distinguishes senses of the words on the never-list', () => {
	assert.equal(
		neverWordsIn('It stands there, a page of its own, and a field of its own to fill').length,
		3,
	);
	const other = 'A URL of your own storage stands out beside a stand-in';
	assert.deepEqual(neverWordsIn(other), []);
});

const SOURCE = `
/**
 * Returns the sum. {@link add} is told.
 *
 * @param one the first
 * @returns whether it fits
 * @throws RangeError for a large one
 */
// eslint-disable-next-line no-told
const a = 1; // after code
const b = 2; // after more code
throw new Error('Nothing was sent at all: ' + \`\${a} of them\`);
query('SELECT told FROM the edits WHERE id = A');
const short = 'two words';
`;

await test('reads comments without directives, each where it is', async () => {
	const { comments } = sourceTexts('a.ts', SOURCE);
	assert.deepEqual(await textsOf(comments), [
		'Returns the sum. `X` is told.',
		'the first',
		'whether it fits',
		'for a large one',
		'after code',
		'after more code',
	]);
	assert.equal((await blocksOf(comments))[0]?.line, 3);
});

await test('reads the texts in strings that people see', () => {
	const { messages } = sourceTexts('a.ts', SOURCE);
	assert.deepEqual(messages, [{ line: 12, text: 'Nothing was sent at all: X of them' }]);
});

await test('reads the titles of tests', () => {
	const source = "describe.each([1])('%s is told', () => { it(`is ${x}`, f); });\nunit('told');";
	assert.deepEqual(sourceTexts('a.test.ts', source).titles, [
		{ line: 1, text: '%s is told' },
		{ line: 1, text: 'is X' },
	]);
});

await test('reads comments that begin with a hash', () => {
	assert.equal(hashComments('#!/bin/sh\n# One.\nrun # no\n'), '\nOne.\n\n');
});
