/**
 * Raises the versions as the change files in `.changeset/` ask for, dates the changelogs and deletes
 * the change files. The first release of a package keeps its version. `npm run release -- version`; it
 * changes nothing if something is missing.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installLocked } from './installLocked.mts';
import {
	changeFiles,
	CHANGES,
	type Manifest,
	PACKAGES,
	readManifest,
	type Released,
	ROOT,
} from './released.mts';

/** The folder that locks the version of changesets. */
const TOOL = join(import.meta.dirname, 'changesets');

const PROGRAM = join(TOOL, 'node_modules', '@changesets', 'cli', 'bin.js');

/** A package and its next version. */
interface Raised {
	readonly released: Released;
	readonly manifest: Manifest;
	readonly version: string;
}

/**
 * Returns the packages that get a new version.
 *
 * changesets only finds a package in the root that is among the workspaces. In package.json this
 * would link the package into its own node_modules, so changesets works on a copy.
 */
async function raisedPackages(): Promise<Raised[]> {
	const copy = await mkdtemp(join(tmpdir(), 'audio-editing-versions-'));
	try {
		const workspaces = PACKAGES.map(({ folder }) => folder);
		for (const folder of workspaces) {
			const { name, version } = await readManifest(ROOT, folder);
			await mkdir(join(copy, folder), { recursive: true });
			const manifest = folder === '.' ? { name, version, workspaces } : { name, version };
			await writeFile(join(copy, folder, 'package.json'), JSON.stringify(manifest));
		}
		// Without this file, changesets does not see that the workspaces are npm's.
		await writeFile(join(copy, 'package-lock.json'), '{}');
		await cp(CHANGES, join(copy, '.changeset'), { recursive: true });
		// Without any, changesets calls it an error.
		if ((await changeFiles()).length > 0) run(process.execPath, [PROGRAM, 'version'], copy);
		const raised: Raised[] = [];
		for (const released of PACKAGES) {
			const manifest = await readManifest(ROOT, released.folder);
			const { version } = await readManifest(copy, released.folder);
			const changelog = await readFile(join(ROOT, released.folder, 'CHANGELOG.md'), 'utf8');
			const isFirst = !/^## \d/m.test(changelog);
			if (isFirst) raised.push({ released, manifest, version: manifest.version });
			else if (version !== manifest.version) raised.push({ released, manifest, version });
		}
		return raised;
	} finally {
		await rm(copy, { recursive: true, force: true });
	}
}

/** Returns each file to write with its new text. */
async function editsFor({ released, manifest, version }: Raised): Promise<[string, string][]> {
	const { folder } = released;
	const today = new Date().toISOString().slice(0, 10);
	const versions = [`"version": "${manifest.version}"`, `"version": "${version}"`];
	const headings = ['\n## Unreleased\n', `\n## ${version} - ${today}\n`];
	return [
		await replaced(join(ROOT, folder, 'package.json'), versions),
		await replaced(join(ROOT, folder, 'CHANGELOG.md'), headings),
	];
}

/** @throws Error if the file does not have the old text */
async function replaced(path: string, [old, next]: string[]): Promise<[string, string]> {
	const text = await readFile(path, 'utf8');
	if (!text.includes(old)) throw new Error(`${path} has no "${old.trim()}": add it, and commit`);
	return [path, text.replace(old, next)];
}

function run(program: string, args: readonly string[], cwd: string): void {
	const { error, status } = spawnSync(program, args, { cwd, stdio: 'inherit' });
	if (error) throw error;
	if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${String(status)}`);
}

async function raise(): Promise<void> {
	await installLocked(TOOL);
	const raised = await raisedPackages();
	const edits = (await Promise.all(raised.map(editsFor))).flat();
	for (const [path, text] of edits) await writeFile(path, text);
	for (const name of await changeFiles()) await rm(join(CHANGES, name));
	run(
		'npm',
		['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'],
		ROOT,
	);
	for (const { released, manifest, version } of raised) {
		console.log(`\n${manifest.name} ${manifest.version} → ${version}`);
		console.log(`  Then: npm run release -- check ${released.tagPrefix}${version}`);
	}
}

try {
	await raise();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
