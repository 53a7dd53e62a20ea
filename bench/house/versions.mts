/** Versions of our nodes, and words about builds that nobody received. */
import { OUR_NODES } from '../../test/support/ourNodes.ts';
import { filesLike } from '../texts/tracked.mts';

/** What people would read of versions of our nodes before the first release, and what code does for them. */
const UNRELEASED = [
	/'@version'/,
	/typeVersion (?:[<>]=?|===) \d/,
	/\b(?:earlier|older|previous) (?:builds?|node versions?|versions? of (?:this package|(?:a|each|the) node))\b/i,
	/\bnode versions (?:before|without)\b/i,
	/\brows of (?:an )?earlier versions?\b/i,
	/\b[Vv]ersions? (?:[234] of|before [234] of) (?:Audio Editing|Create Edit|Wait For Edit|Get Result|Upload|Delete)\b/,
	/\b(?:Create Edit|Wait For Edit|Get Result|Upload|Delete) version [34]\b/,
];

/** Returns how many versions the nodes of the package have among them. */
export function nodeVersions(): number {
	return Object.values(OUR_NODES).flatMap(({ description }) => description.version).length;
}

/** Returns the lines with words about versions that were never released. */
export function linesAboutUnreleased(): string[] {
	const files = filesLike(/\.(?:md|m?ts|json)$/).filter(
		({ path }) => !path.startsWith('bench/house/'),
	);
	return files.flatMap(({ path, text }) =>
		text
			.split('\n')
			.map((line, index) => ({ line, at: `${path}:${index + 1}` }))
			.filter(({ line }) => UNRELEASED.some((pattern) => pattern.test(line)))
			.map(({ line, at }) => `${at}: ${line.trim()}`),
	);
}
