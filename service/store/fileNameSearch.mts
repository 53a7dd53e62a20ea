import { sql, type ExpressionBuilder, type RawBuilder } from 'kysely';

import { withSafeCharacters } from '../shared/fileNames.mts';
import type { Tables } from './schema.mts';

/** A search is read up to here: a file name has at most 180 bytes, and each word is looked for in each name. */
export const MAX_SEARCH_CHARACTERS = 200;

/** The accents of the Latin, Greek and Cyrillic scripts, which people leave out. */
const ACCENTS = /[\u0300-\u036f]/g;

/**
 * Returns a text as searches compare it: `Café`, `CAFÉ` and `cafe` are one, and so are `ß` and `SS`, and the two
 * ways in which systems store an `é`. Databases fold only ASCII, or by the locale of their machine.
 */
function folded(text: string): string {
	const bare = text.normalize('NFKD').replace(ACCENTS, '');
	// Only upper case makes ß and SS one, and ẞ is no upper case until it was lower case.
	return bare.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/** Returns file names as a row holds them for `isNamed`, a line each. */
export function searchedNames(names: readonly string[]): string {
	return [...new Set(names.map(folded))].join('\n');
}

/** Adds a file name to those of a row. */
export function withName(name: string): RawBuilder<string> {
	return sql<string>`names || ${`\n${searchedNames([name])}`}`;
}

/** Returns a pattern of LIKE for what contains a word, with `\` as the escape character. */
function patternOf(word: string): string {
	return `%${folded(word).replace(/[\\%_]/g, '\\$&')}%`;
}

/** The condition that an edit's file names contain each word of a search, in the database's columns. */
export function isNamed(search: string) {
	const words = search.slice(0, MAX_SEARCH_CHARACTERS).split(/\s+/).filter(Boolean);
	const patterns = new Set(words.map((word) => patternOf(withSafeCharacters(word))));
	return (edits: ExpressionBuilder<Tables, 'edits'>) =>
		edits.and([...patterns].map((pattern) => sql<boolean>`names LIKE ${pattern} ESCAPE '\\'`));
}
