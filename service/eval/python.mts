import { join } from 'node:path';

import { execa } from 'execa';

/** Installs packages of PyPI into an empty folder. Returns the path of its interpreter. */
export async function installPython(folder: string, packages: readonly string[]): Promise<string> {
	await execa('python3', ['-m', 'venv', folder]);
	const python = join(folder, 'bin/python');
	await pip(python, 'install', ...packages);
	return python;
}

/** Runs a command of pip. */
export async function pip(python: string, command: string, ...args: string[]): Promise<void> {
	await execa(python, ['-m', 'pip', command, '--quiet', '--disable-pip-version-check', ...args]);
}
