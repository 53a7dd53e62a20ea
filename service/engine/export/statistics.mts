import type { StatisticsKey } from '../../shared/contract.mts';
import { rangesOf } from '../timeline.mts';
import type { EditKind, TimelineEdit } from '../../shared/timeRanges.mts';

/** The statistics key of each kind of edit (api.md#result); there is none for what a person added. */
const KEYS: Readonly<Partial<Record<EditKind, StatisticsKey>>> = {
	long_silence: 'DEADAIR',
	filler: 'FILLER_SOUND',
	hesitation: 'FILLER_SOUND',
	stutter: 'STUTTERING',
	mouth_sound: 'MOUTH_SOUND',
	breath: 'BREATH',
};

/** Returns by how much long silences shortened the recording, in seconds. */
export function silencesSavedSeconds(edits: readonly TimelineEdit[], isMuted: boolean): number {
	if (isMuted) return 0;
	const silences = edits.filter(({ kind }) => kind === 'long_silence');
	const saved = silences.reduce((sum, it) => sum + it.endSeconds - it.startSeconds, 0);
	return Math.round(saved * 1_000) / 1_000;
}

/**
 * Returns the number of applied edits per kind. Edits that touch become one cut, but each counts;
 * one too short to cut does not.
 *
 * @param sampleRateHz the rate of the edited audio and of `totalFrames`.
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
		const key = KEYS[kind];
		if (!key || !ranges.some(({ start, end }) => start <= middle && middle < end)) continue;
		counts[key] = (counts[key] ?? 0) + 1;
	}
	return counts;
}
