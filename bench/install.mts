/**
 * Measures what a person waits for on a fresh machine: `npm ci && npm run demo` in a new clone of the
 * last commit, with an empty npm cache. Prints what was downloaded and what takes up the space.
 * `npm run bench -- install`
 *
 * The seconds depend on the network, so only the sizes have bars.
 */
import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { table } from '../demo/report.mts';
import { temporaryFolder } from '../testkit/process/temporaryFolder.mts';
import { printBars } from '../testkit/measure/bars.mts';

const ROOT = join(import.meta.dirname, '..');

/** Folders of `node_modules` that are printed, the largest first; the rest is printed as one sum. */
const FOLDERS_SHOWN = 12;

function runIn(cwd: string, program: string, ...args: string[]): string {
	const stdio = ['ignore', 'pipe', 'inherit'] as const;
	return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: [...stdio] });
}

/** Runs npm with its cache in a folder, and returns the seconds that it took. */
function npm(cwd: string, cache: string, ...args: string[]): number {
	const startedAtMs = performance.now();
	runIn(cwd, 'npm', ...args, '--cache', cache);
	return (performance.now() - startedAtMs) / 1_000;
}

/** The sizes of folders on the disk, in MB, the largest first. The first is the whole folder. */
function sizesOf(folder: string): [sizeMb: number, path: string][] {
	const lines = runIn(folder, 'du', '--block-size=1000', '--max-depth=1').trimEnd().split('\n');
	const sizes = lines.map((line): [number, string] => {
		const [sizeKb = '', path = ''] = line.split('\t');
		return [Number(sizeKb) / 1_000, path.replace('./', '')];
	});
	return sizes.sort(([one], [other]) => other - one);
}

await using temporary = await temporaryFolder();
const folder = temporary.path;
const clone = join(folder, 'clone');
const cache = join(folder, 'cache');
await mkdir(cache);
runIn(folder, 'git', 'clone', '--quiet', ROOT, clone);
const installSeconds = npm(clone, cache, 'ci', '--no-audit', '--no-fund');
const [[downloadedMb] = [0]] = sizesOf(cache);
const demoSeconds = npm(clone, cache, 'run', 'demo');
const [[installedMb] = [0], ...folders] = sizesOf(join(clone, 'node_modules'));
const shown = folders.slice(0, FOLDERS_SHOWN);
const othersMb = shown.reduce((left, [sizeMb]) => left - sizeMb, installedMb);
const rows = shown.map(([sizeMb, name]) => [name, `${sizeMb.toFixed(0)} MB`]);
console.log(table([['node_modules', ''], ...rows, ['others', `${othersMb.toFixed(0)} MB`]]));
console.log(
	`\nnpm ci: ${installSeconds.toFixed(0)} s, npm run demo: ${demoSeconds.toFixed(0)} s\n`,
);
printBars([
	{ name: 'npm ci, downloaded', figure: downloadedMb, limit: 300, unit: 'MB' },
	{ name: 'npm ci, installed', figure: installedMb, limit: 1_400, unit: 'MB' },
]);
