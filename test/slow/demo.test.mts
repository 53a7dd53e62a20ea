import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { measure } from '../../demo/measure.mts';
import { blocksOf } from '../../testkit/text/markdown.ts';

/** By how much two runs of the same commit may differ: encoders of other versions of ffmpeg. */
const MAX_SECONDS_APART = 0.05;
const MAX_LU_APART = 0.1;

const README_FILE = 'docs/recording-edited.mp3';

const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'demo']);

/** The numbers in a row of the table that the demo prints. */
function numbersIn(text: string, row: string): number[] {
	const line = text.split('\n').find((one) => one.startsWith(row)) ?? '';
	return (line.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
}

function assertNear(one: readonly number[], other: readonly number[], maxApart: number): void {
	assert.equal(one.length, other.length);
	for (const [index, value] of one.entries()) {
		// A hair more, because printed numbers are rounded.
		assert.ok(Math.abs(value - other[index]) <= maxApart + 1e-9, `${value} and ${other[index]}`);
	}
}

await test("the README shows the demo's figures", async () => {
	const blocks = blocksOf(await readFile('README.md', 'utf8'));
	const told = blocks.find(({ text }) => text.startsWith('A LibriVox '))?.text ?? '';
	assertNear(numbersIn(told, 'Length'), numbersIn(stdout, 'Length'), MAX_SECONDS_APART);
	assertNear(numbersIn(told, 'Loudness'), numbersIn(stdout, 'Loudness'), MAX_LU_APART);
	assert.equal(numbersIn(stdout, 'Length').length, 2, stdout);
	assert.deepEqual(numbersIn(told, 'Cut'), numbersIn(stdout, 'Cut'));
});

await test(`${README_FILE}, which the README plays, is what this commit makes`, async () => {
	const shown = await measure(README_FILE);
	const made = await measure(join('demo-output', 'recording-edited.mp3'));
	assertNear([shown.durationSeconds], [made.durationSeconds], MAX_SECONDS_APART);
	assertNear([shown.loudnessLufs], [made.loudnessLufs], MAX_LU_APART);
});
