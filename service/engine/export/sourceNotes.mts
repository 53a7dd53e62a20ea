import { statedSeconds } from '../../media/statedLength.mts';
import type { Track } from '../track.mts';

/** A note needs more missing sound than both: this many seconds, and this share of the length. */
const WORTH_SAYING_SECONDS = 1;
const WORTH_SAYING_SHARE = 0.005;

/** Returns notes for the log and the page on a source that is truncated or damaged. */
export async function sourceNotes(
	path: string,
	{ info, sourceFrames, isDamaged }: Pick<Track, 'info' | 'sourceFrames' | 'isDamaged'>,
): Promise<string[]> {
	const seconds = sourceFrames / info.sampleRateHz;
	const stated = (await statedSeconds(path, info)) ?? 0;
	const minMissing = Math.max(WORTH_SAYING_SECONDS, WORTH_SAYING_SHARE * stated);
	if (stated - seconds > minMissing) {
		const lengths = `only ${seconds.toFixed(1)} of ${stated.toFixed(1)} s could be read`;
		return [`the source is incomplete: ${lengths}. Upload it again if sound is missing`];
	}
	if (!isDamaged) return [];
	return ['the source is damaged: parts could not be read. Check whether sound is missing'];
}
