/**
 * Runs the benches of package.json (`bench:*`) one after the other, and writes their bars to
 * docs/benchmarks.md. `npm run bench`, or `npm run bench -- waiting overhead` for some of them.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runBench } from './all/benchRun.mts';
import { commitOf, describeMachine } from './all/machine.mts';
import { pageOf } from './all/page.mts';

const PREFIX = 'bench:';

const folder = process.cwd();
const pagePath = join(folder, 'docs', 'benchmarks.md');
const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};
const benches = Object.keys(scripts)
	.filter((name) => name.startsWith(PREFIX))
	.map((name) => name.slice(PREFIX.length));
const wished = process.argv.slice(2);
const unknown = wished.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
	throw new Error(`No such bench: ${unknown.join(', ')}. There are ${benches.join(', ')}.`);
}
const commit = commitOf(folder);
await mkdir(join(folder, 'docs'), { recursive: true });
for (const bench of wished.length > 0 ? wished : benches) {
	console.log(`\n== ${bench}`);
	const rows = await runBench(bench, folder, commit);
	if (rows.some(({ result }) => result !== 'ok')) process.exitCode = 1;
	// After each bench, so that an interrupted run keeps what it has measured.
	const before = await readFile(pagePath, 'utf8').catch(() => '');
	await writeFile(pagePath, pageOf(before, rows, describeMachine(folder)));
}
