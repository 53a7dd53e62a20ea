/**
 * Installs the n8n named by package.json and pnpm-lock.yaml in this folder (in `oldest/` with
 * E2E_HOST=oldest), unless it is installed already. Fails if it cannot: e2e tests need n8n.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { HOST_SOURCE, N8N_FOLDER, N8N_PROGRAM, NODE_PROGRAM } from './support/places.mts';

/** Written when everything is installed; contains the lock file in use. */
const STAMP = join(N8N_FOLDER, 'installed.yaml');

const FILES = ['package.json', 'pnpm-lock.yaml'];

/** What needs its install script to start: a native module of n8n. */
const BUILT = ['sqlite3'];

const source = (file: string) => join(HOST_SOURCE, file);

async function isInstalled(): Promise<boolean> {
	if (!existsSync(STAMP)) return false;
	return (await readFile(STAMP, 'utf8')) === (await readFile(source('pnpm-lock.yaml'), 'utf8'));
}

function pnpm(version: string, ...args: string[]): void {
	const { status } = spawnSync('npm', ['exec', '--yes', version, '--', ...args], {
		cwd: N8N_FOLDER,
		stdio: 'inherit',
	});
	if (status !== 0) throw new Error(`${version} ${args.join(' ')} ended with ${String(status)}`);
}

async function install(): Promise<void> {
	await mkdir(N8N_FOLDER, { recursive: true });
	for (const file of FILES) await copyFile(source(file), join(N8N_FOLDER, file));
	const { packageManager } = JSON.parse(await readFile(source('package.json'), 'utf8')) as {
		packageManager: string;
	};
	pnpm(packageManager, 'install', '--frozen-lockfile', '--ignore-scripts', '--ignore-workspace');
	pnpm(packageManager, 'rebuild', ...BUILT);
	await copyFile(source('pnpm-lock.yaml'), STAMP);
}

if (process.env['E2E_N8N'] === undefined && !(await isInstalled())) {
	console.log(`Installing n8n into ${N8N_FOLDER} (up to 1.8 GB, about two minutes) …`);
	await install();
}
for (const program of [N8N_PROGRAM, NODE_PROGRAM]) {
	if (existsSync(program)) continue;
	console.error(`There is nothing at ${program}. The tests need it.`);
	process.exit(1);
}
