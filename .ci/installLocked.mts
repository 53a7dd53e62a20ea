import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * Installs what the package-lock.json of a folder names, unless it is installed already. For tools that
 * few people need, so that `npm ci` in the root leaves them out.
 *
 * @throws Error if npm cannot
 */
export async function installLocked(folder: string): Promise<void> {
	const lockFile = join(folder, 'package-lock.json');
	// Written when everything is installed; contains the lock file in use.
	const stamp = join(folder, 'node_modules', 'installed.json');
	const wanted = await readFile(lockFile, 'utf8');
	if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === wanted) return;
	const name = relative(process.cwd(), folder);
	console.log(`Installing the packages of ${name} …`);
	const install = ['ci', '--no-audit', '--no-fund'];
	const { error, status } = spawnSync('npm', install, { cwd: folder, stdio: 'inherit' });
	if (error) throw error;
	if (status !== 0) throw new Error(`npm ci in ${name} ended with ${String(status)}`);
	await copyFile(lockFile, stamp);
}
