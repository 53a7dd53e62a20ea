import { KIND_NAMES, type StatisticsKey } from '../api/contract';

/** The names by key; the service may count kinds that have none. */
const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(KIND_NAMES));

/** What the counts of a result are called in an output. */
export const CUT_FIELDS = {
	DEADAIR: 'longSilences',
	FILLER_SOUND: 'fillers',
	BREATH: 'breaths',
	STUTTERING: 'stutters',
	MOUTH_SOUND: 'mouthSounds',
} as const satisfies Record<StatisticsKey, string>;

/** A count with the name of what it counts: "1 filler", "3 fillers". */
export function countInWords(count: number, name: string): string {
	return `${count} ${name}${count === 1 ? '' : 's'}`;
}

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
			return countInWords(count, name);
		});
	return texts.join(', ') || 'none';
}
