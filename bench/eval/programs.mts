import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** True when a program can be started by its name. */
export function isInstalled(program: string): boolean {
	const folders = (process.env.PATH ?? '').split(delimiter);
	return folders.some((folder) => existsSync(join(folder, program)));
}
