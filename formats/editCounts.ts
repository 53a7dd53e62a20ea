import type { StatisticsKey } from '../api/contract';

/** What the service counts, in words: one, and many. */
const KIND_NAMES: Readonly<Record<StatisticsKey, readonly [string, string]>> = {
	FILLER_SOUND: ['filler', 'fillers'],
	DEADAIR: ['long silence', 'long silences'],
	STUTTERING: ['stutter', 'stutters'],
	MOUTH_SOUND: ['mouth sound', 'mouth sounds'],
	BREATH: ['breath', 'breaths'],
};

/**
 * The counts of a result's statistics in words, the largest first: "12 fillers, 3 long silences".
 * Whether they were cut or muted, and how many seconds they lasted, the service does not say.
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
		.map(([kind, count]) => `${count} ${kindName(kind, count)}`);
	return texts.join(', ') || 'none';
}

function kindName(kind: string, count: number): string {
	if (isKnownKind(kind)) return KIND_NAMES[kind][count === 1 ? 0 : 1];
	return kind.toLowerCase().replace(/_+/g, ' ').trim();
}

function isKnownKind(kind: string): kind is StatisticsKey {
	return Object.hasOwn(KIND_NAMES, kind);
}
