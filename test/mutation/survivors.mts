import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { hasSurvived } from './score.mts';
import type { MutantResult } from './stryker.mts';

/** Mutants of a file that may survive, and why no test can or should kill them. */
export interface AcceptedSurvivors {
	readonly file: string;
	readonly reason: string;
	/** Each as its line, what changes in it, and into what; see {@link survivorsOf}. */
	readonly mutants: readonly string[];
}

/** A mutant that survived: its file, and its description as in the list. */
export interface Survivor {
	readonly file: string;
	readonly mutant: string;
}

/** How the list differs from the survivors of a run. */
export interface Comparison {
	/** Survived, but not listed. */
	readonly unexplained: readonly Survivor[];
	/** Listed, but killed. */
	readonly outdated: readonly Survivor[];
}

/** Compares the survivors with the list, only for the files of the run. */
export function compareSurvivors(
	found: readonly Survivor[],
	list: readonly AcceptedSurvivors[],
	files: ReadonlySet<string>,
): Comparison {
	const open = list
		.filter(({ file }) => files.has(file))
		.flatMap(({ file, mutants }) => mutants.map((mutant) => ({ file, mutant })));
	const unexplained = found.filter(({ file, mutant }) => {
		const at = open.findIndex((entry) => entry.file === file && entry.mutant === mutant);
		if (at >= 0) open.splice(at, 1);
		return at < 0;
	});
	return { unexplained, outdated: open };
}

/** Returns the surviving mutants in the format of the list: `line | original → replacement`. */
export async function survivorsOf(
	mutants: readonly MutantResult[],
	root: string,
): Promise<Survivor[]> {
	return await Promise.all(
		mutants.filter(hasSurvived).map(async ({ fileName, location, replacement }) => {
			const lines = (await readFile(join(root, fileName), 'utf8')).split('\n');
			const { start, end } = location;
			const changed = lines.slice(start.line - 1, end.line);
			changed[changed.length - 1] = changed[changed.length - 1].slice(0, end.column - 1);
			const original = changed.join(' ').slice(start.column - 1);
			const line = lines[start.line - 1].trim();
			return {
				file: fileName,
				mutant: `${line} | ${short(original)} → ${short(replacement)}`,
			};
		}),
	);
}

function short(code: string): string {
	const MAXIMUM = 80;
	const text = code.replace(/\s+/g, ' ').trim();
	return text.length > MAXIMUM ? `${text.slice(0, MAXIMUM)}…` : text;
}
