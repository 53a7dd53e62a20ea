import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

import { temporaryFolder } from '../testkit/process/temporaryFolder.mts';

const ROOT = resolve(import.meta.dirname, '..');

const COMMANDS: Readonly<Record<string, string>> = {
	quick: "echo 'seeds 1 to 3'; echo 'bar time | space: 1.25 ms (goal <= 2 ms) ok'",
	slow: "echo 'bar speed: 3 (goal >= 5) SHORT'; exit 1",
	broken: "echo 'bar half: 1 (goal <= 2) ok'; echo 'no such file' >&2; exit 7",
	silent: 'true',
};

/** Runs benches in their own process, because they set its exit code. */
function runBenches(folder: string, names: readonly string[]) {
	const tsx = join(ROOT, 'node_modules', 'tsx', 'dist', 'loader.mjs');
	const benches = Object.fromEntries(
		Object.entries(COMMANDS).map(([name, command]) => [name, { about: name, command }]),
	);
	const code = `
		import { BENCHMARKS } from ${JSON.stringify(join(ROOT, 'testkit', 'measure', 'page', 'page.mts'))};
		import { writePage } from ${JSON.stringify(join(ROOT, 'testkit', 'measure', 'page', 'writePage.mts'))};
		await writePage(BENCHMARKS, ${JSON.stringify(benches)}, ${JSON.stringify(names)});`;
	const args = ['--import', tsx, '--input-type=module', '--eval', code];
	return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
}

/** The rows of the tables, each with its section before it. */
const rowsOf = (page: string) =>
	page
		.split(/^## /m)
		.slice(1)
		.flatMap((section) => {
			const [bench, ...lines] = section.split('\n');
			const cells = lines.filter((line) => line.startsWith('| ')).slice(2);
			return cells.map((line) => `${bench} ${line}`);
		});

await test('runs every bench, and goes on after one that is short or breaks', async () => {
	await using folder = await temporaryFolder();
	assert.equal(runBenches(folder.path, []).status, 1);
	const page = await readFile(join(folder.path, 'measured', 'benchmarks.md'), 'utf8');
	assert.deepEqual(rowsOf(page), [
		'broken | half | 1 | <= 2 | ok |',
		'broken | ended with 7: no such file |  |  | FAILED |',
		'quick | time \\| space | 1.25 ms | <= 2 ms | ok |',
		'silent | ended with 0: no output |  |  | FAILED |',
		'slow | speed | 3 | >= 5 | SHORT |',
	]);
	assert.match(
		page,
		/^## quick\n\nMeasured \d{4}-\d\d-\d\d \d\d:\d\d UTC, no commit, \d+ s, seeds 1 to 3\.$/m,
	);
	for (const fact of [/Processor: .+ cores/, /Memory: /, /Node 24\./, /ffmpeg /, /n8n-core 2\./]) {
		assert.match(page, fact);
	}
});

await test('refuses a bench that does not exist', async () => {
	await using folder = await temporaryFolder();
	const { status, stderr } = runBenches(folder.path, ['quik']);
	assert.equal(status, 1);
	assert.match(stderr, /No such bench: quik\. There are quick, slow, broken, silent\./);
});
