import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { hasSurvived } from './score.mts';
import type { MutantResult } from './stryker.mts';

/** Returns each surviving mutant as its file, its line, what changes in it, and into what. */
export async function survivorsOf(
	mutants: readonly MutantResult[],
	root: string,
): Promise<string[]> {
	return await Promise.all(
		mutants.filter(hasSurvived).map(async ({ fileName, location, replacement }) => {
			const lines = (await readFile(join(root, fileName), 'utf8')).split('\n');
			const { start, end } = location;
			const changed = lines.slice(start.line - 1, end.line);
			changed[changed.length - 1] = changed[changed.length - 1].slice(0, end.column - 1);
			const original = changed.join(' ').slice(start.column - 1);
			const line = lines[start.line - 1].trim();
			return `${fileName}: ${line} | ${short(original)} → ${short(replacement)}`;
		}),
	);
}

function short(code: string): string {
	const MAXIMUM = 80;
	const text = code.replace(/\s+/g, ' ').trim();
	return text.length > MAXIMUM ? `${text.slice(0, MAXIMUM)}…` : text;
}
