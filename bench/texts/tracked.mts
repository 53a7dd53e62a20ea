/** The files that git tracks, below the folder of the repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export interface TextFile {
	readonly path: string;
	readonly text: string;
}

/** Returns the paths of all tracked files that exist in the work tree. */
export function trackedPaths(): string[] {
	const listed = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' });
	return listed.split('\0').filter((path) => path !== '' && existsSync(path));
}

/** Returns the tracked files whose path matches `pattern`. */
export function filesLike(pattern: RegExp): TextFile[] {
	const paths = trackedPaths().filter((path) => pattern.test(path));
	return paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}
