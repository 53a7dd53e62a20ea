import { HOPS_PER_SECOND } from '../engine/signal/levels.mts';
import { bare } from './speech/punctuation.mts';
import type { SpokenWord, TimeRange } from '../shared/timeRanges.mts';

/** What was heard in a track, and its level every 10 ms, dBFS. */
export interface HeardTrack {
	words: readonly SpokenWord[];
	levels: Float32Array;
}

/** The same word in two tracks is heard at times no further apart, seconds. */
const MOST_APART_SECONDS = 0.25;

/** A voice is at least this much softer in another's microphone, dB. Two who say the same are about as loud. */
const LEAST_SOFTER_DB = 6;

/**
 * Returns the words of each track without those that it heard from another one: the same word at the same
 * time, and softer than there.
 *
 * @param tracks of one recording, which begin at the same time.
 */
export function withoutCrosstalk(tracks: readonly HeardTrack[]): Array<readonly SpokenWord[]> {
	return tracks.map((track) =>
		track.words.filter(
			(word) =>
				!tracks.some(
					(other) =>
						other !== track &&
						levelOf(other, word) - levelOf(track, word) >= LEAST_SOFTER_DB &&
						isHeardIn(other, word),
				),
		),
	);
}

/** The loudest 10 ms of a stretch, dBFS. */
function levelOf({ levels }: HeardTrack, { startSeconds, endSeconds }: TimeRange): number {
	const [start, end] = [startSeconds, endSeconds].map((time) => Math.floor(time * HOPS_PER_SECOND));
	return levels.subarray(start, end + 1).reduce((loudest, level) => Math.max(loudest, level), -120);
}

function isHeardIn({ words }: HeardTrack, { text, startSeconds }: SpokenWord): boolean {
	let [first, last] = [0, words.length];
	while (first < last) {
		const middle = (first + last) >> 1;
		if (words[middle].startSeconds < startSeconds - MOST_APART_SECONDS) first = middle + 1;
		else last = middle;
	}
	for (let at = first; at < words.length; at++) {
		if (words[at].startSeconds > startSeconds + MOST_APART_SECONDS) return false;
		if (bare(words[at].text) === bare(text)) return true;
	}
	return false;
}
