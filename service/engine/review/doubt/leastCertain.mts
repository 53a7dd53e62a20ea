import type { Cut } from '../../../shared/cuts.mts';
import { doubtFrom, type Doubt } from './reasons.mts';

/** A cut of the engine with the doubt about it. */
export type DoubtfulCut = Cut & Pick<Doubt, 'doubt' | 'reason'>;

/**
 * Returns the least certain cuts, the most doubtful first. What a person made or moved, or what stays, needs no question.
 *
 * @param doubts as they were measured; undefined for a recording that was kept before that was done.
 */
export function leastCertain(
	cuts: readonly Cut[],
	doubts: readonly Doubt[] | undefined,
	most: number,
): DoubtfulCut[] {
	const placeOf = ({ start, end }: Pick<Cut, 'start' | 'end'>) => `${start}-${end}`;
	const known = new Map(
		doubts?.map(({ doubt, reason, ...place }) => [placeOf(place), { doubt, reason }]),
	);
	return cuts
		.flatMap((cut) => {
			if (cut.keep || cut.sure === null) return [];
			return [{ ...cut, ...(known.get(placeOf(cut)) ?? doubtFrom(cut.sure, [])) }];
		})
		.sort((a, b) => b.doubt - a.doubt || a.start - b.start)
		.slice(0, most);
}
