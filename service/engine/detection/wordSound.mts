import { HOPS_PER_SECOND } from '../signal/levels.mts';
import { deepestDip, MAX_DIP_DB } from './fillers.mts';
import { runsOf, type Scene } from './scene.mts';
import type { IndexRange, TimeRange } from '../../shared/timeRanges.mts';

/** Says what is heard where a recognizer puts a word. */
export interface WordSound {
	/** Whether there is one sound: one syllable, without a pause and without anything louder after it. */
	isOneSound: (range: TimeRange) => boolean;
	/** Whether nothing is said there. */
	isPause: (range: TimeRange) => boolean;
}

/** Times of words are about this far off: what is this near to an end may belong to the next word, hops. */
const UNSURE_HOPS = 5;
const UNSURE_PAUSE_HOPS = 10;

/** A shorter gap is no pause: the noise reduction leaves holes in what is soft, hops. */
const MIN_PAUSE_HOPS = 5;

/** A word fills at least this share of its time. */
const MIN_SOUND_SHARE = 0.5;

/** Returns what is heard in a recording. */
export function wordSoundOf(scene: Scene): WordSound {
	const runsIn = ({ start, end }: IndexRange, bridge: number) =>
		runsOf(scene.isActive.subarray(start, Math.max(start, end)), bridge).map((run) => ({
			start: start + run.start,
			end: start + run.end,
		}));
	return {
		isOneSound: (range) => {
			const hops = hopsWithin(range, UNSURE_HOPS);
			const sounds = runsIn(hops, MIN_PAUSE_HOPS - 1);
			if (sounds.length !== 1) return false;
			const [sound] = sounds;
			return (
				sound.end - sound.start >= MIN_SOUND_SHARE * (hops.end - hops.start) &&
				deepestDip(scene, sound) <= MAX_DIP_DB
			);
		},
		isPause: (range) => runsIn(hopsWithin(range, UNSURE_PAUSE_HOPS), 0).length === 0,
	};
}

/** The hops of a range without those near its ends. */
function hopsWithin({ startSeconds, endSeconds }: TimeRange, unsureHops: number): IndexRange {
	return {
		start: Math.round(startSeconds * HOPS_PER_SECOND) + unsureHops,
		end: Math.round(endSeconds * HOPS_PER_SECOND) - unsureHops,
	};
}
