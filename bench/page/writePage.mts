import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Menu } from '../../.ci/menu.mts';
import { runBench } from './benchRun.mts';
import { commitOf, describeMachine } from './machine.mts';
import { type Page, pageOf } from './page.mts';

/** Runs the entries of a menu one after the other, all if none is named, and writes their bars to a page. */
export async function writePage(
	{ path, head }: Page,
	benches: Menu,
	names: readonly string[],
	folder = process.cwd(),
): Promise<void> {
	const pagePath = join(folder, path);
	const unknown = names.filter((name) => !Object.hasOwn(benches, name));
	if (unknown.length > 0) {
		const known = Object.keys(benches).join(', ');
		throw new Error(`No such bench: ${unknown.join(', ')}. There are ${known}.`);
	}
	const commit = commitOf(folder, path);
	await mkdir(join(folder, 'docs'), { recursive: true });
	for (const name of names.length > 0 ? names : Object.keys(benches)) {
		console.log(`\n== ${name}`);
		const rows = await runBench(name, benches[name].command, folder, commit);
		if (rows.some(({ result }) => result !== 'ok')) process.exitCode = 1;
		// After each bench, so that an interrupted run keeps what it has measured.
		const before = await readFile(pagePath, 'utf8').catch(() => '');
		await writeFile(pagePath, pageOf(head, before, rows, describeMachine(folder)));
	}
}
