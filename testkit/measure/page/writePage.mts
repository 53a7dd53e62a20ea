import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { dirname, join } from 'node:path';

import type { Menu } from '../../../.ci/menu.mts';
import { runBench } from './benchRun.mts';
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
	await mkdir(dirname(pagePath), { recursive: true });
	for (const name of names.length > 0 ? names : Object.keys(benches)) {
		console.log(`\n== ${name}`);
		const rows = await runBench(name, benches[name].command, folder, commit);
		if (rows.some(({ result }) => result !== 'ok')) process.exitCode = 1;
		// After each bench, so that an interrupted run keeps what it has measured.
		const before = await readFile(pagePath, 'utf8').catch(() => '');
		await writeFile(pagePath, pageOf(head, before, rows, describeMachine(folder)));
	}
}

/** The first line that a command prints; undefined if it cannot run. */
function firstLine(command: string, args: readonly string[], folder: string): string | undefined {
	const { status, stdout } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
	return status === 0 ? stdout.split('\n')[0] : undefined;
}

/** The commit in a folder, and whether it has changes besides those of a page that are not committed. */
function commitOf(folder: string, pagePath: string): string {
	const commit = firstLine('git', ['rev-parse', '--short', 'HEAD'], folder);
	if (commit === undefined) return 'no commit';
	const changes = firstLine('git', ['status', '--porcelain', '--', '.', `:!${pagePath}`], folder);
	return changes === '' ? commit : `${commit} with changes`;
}

/** Returns what the figures depend on: processor, memory, system and versions. */
function describeMachine(folder: string): string[] {
	const { version } = createRequire(import.meta.url)('n8n-core/package.json') as {
		version: string;
	};
	const ffmpeg = firstLine('ffmpeg', ['-version'], folder)?.split(' ')[2] ?? 'missing';
	return [
		`Processor: ${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores`,
		`Memory: ${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
		`System: ${type()} ${release()}`,
		`Versions: Node ${process.versions.node}, ffmpeg ${ffmpeg}, n8n-core ${version}`,
	];
}
