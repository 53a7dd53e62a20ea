import type { StatisticsKey } from '../shared/contract.mts';
import { rangesOf } from './timeline.mts';
import type { EditKind, TimelineEdit } from '../shared/timeRanges.mts';

/** What a kind of edit is counted as (spec "result fields", statistics). */
const KEYS: Readonly<Record<EditKind, StatisticsKey>> = {
	long_silence: 'DEADAIR',
	filler: 'FILLER_SOUND',
	hesitation: 'FILLER_SOUND',
	stutter: 'STUTTERING',
	mouth_sound: 'MOUTH_SOUND',
	breath: 'BREATH',
};

/**
 * How many edits of each kind are carried out. Edits that touch become one cut, and each of them
 * counts; one too short to be cut does not.
 *
 * @param sampleRateHz of what is edited, as are the frames.
 */
export function statisticsOf(
	edits: readonly TimelineEdit[],
	sampleRateHz: number,
	totalFrames: number,
): Partial<Record<StatisticsKey, number>> {
	const ranges = rangesOf(edits, sampleRateHz, totalFrames);
	const counts: Partial<Record<StatisticsKey, number>> = {};
	for (const { kind, startSeconds, endSeconds } of edits) {
		const middle = ((startSeconds + endSeconds) / 2) * sampleRateHz;
		if (!ranges.some(({ start, end }) => start <= middle && middle < end)) continue;
		counts[KEYS[kind]] = (counts[KEYS[kind]] ?? 0) + 1;
	}
	return counts;
}
