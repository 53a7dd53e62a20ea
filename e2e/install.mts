/**
 * Installs the n8n that package.json and pnpm-lock.yaml beside this file name, unless it is there.
 * Ends with an error when it cannot be had: without n8n nothing is proved.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { HERE, N8N_FOLDER, N8N_PROGRAM } from './support/places.mts';

/** Written when everything is there; holds the lock file that was installed. */
const STAMP = join(N8N_FOLDER, 'installed.yaml');

const FILES = ['package.json', 'pnpm-lock.yaml'];

async function isInstalled(): Promise<boolean> {
	if (!existsSync(STAMP)) return false;
	return (await readFile(STAMP, 'utf8')) === (await readFile(join(HERE, 'pnpm-lock.yaml'), 'utf8'));
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
	for (const file of FILES) await copyFile(join(HERE, file), join(N8N_FOLDER, file));
	const { packageManager } = JSON.parse(await readFile(join(HERE, 'package.json'), 'utf8')) as {
		packageManager: string;
	};
	// No install scripts but that of the one native module that n8n cannot start without.
	pnpm(packageManager, 'install', '--frozen-lockfile', '--ignore-scripts', '--ignore-workspace');
	pnpm(packageManager, 'rebuild', 'sqlite3');
	await copyFile(join(HERE, 'pnpm-lock.yaml'), STAMP);
}

if (process.env['E2E_N8N'] === undefined && !(await isInstalled())) {
	console.log(`Installing n8n into ${N8N_FOLDER} (1.8 GB, about two minutes) …`);
	await install();
}
if (!existsSync(N8N_PROGRAM)) {
	console.error(`There is no n8n at ${N8N_PROGRAM}: nothing can be proved without it.`);
	process.exit(1);
}
