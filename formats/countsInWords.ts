import { KIND_NAMES } from '../api/contract';

/** The names by key; the service may count kinds that have none. */
const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(KIND_NAMES));

/**
 * The counts of a result's statistics in words, the largest first: "12 fillers, 3 long silences".
 *
 * @returns `none` where all counts are 0; undefined where there are no counts
 */
export function countsInWords(
	statistics: Readonly<Record<string, number>> | undefined,
): string | undefined {
	const counts = Object.entries(statistics ?? {});
	if (counts.length === 0) return undefined;
	const texts = counts
		.filter(([, count]) => count > 0)
		.sort(([, one], [, other]) => other - one)
		.map(([kind, count]) => {
			const name = NAMES.get(kind);
			if (name === undefined) return `${count} ${kind.toLowerCase().replace(/_+/g, ' ').trim()}`;
			return `${count} ${name}${count === 1 ? '' : 's'}`;
		});
	return texts.join(', ') || 'none';
}
