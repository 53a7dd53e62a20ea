import { firstFrom, HOPS_PER_SECOND, SILENCE_DB, speechLevelDb } from '../engine/signal/levels.mts';
import { bare } from './speech/punctuation.mts';
import type { SpokenWord, TimeRange } from '../shared/timeRanges.mts';

/** What was recognized in a track, and its level every 10 ms, dBFS. */
export interface RecognizedTrack {
	words: readonly SpokenWord[];
	levels: Float32Array;
}

/** The same word in two tracks is heard at times no further apart, seconds. */
const MAX_APART_SECONDS = 0.25;

/** A voice is at least this much softer in another's microphone than in its own, dB. */
const MIN_SOFTER_DB = 6;

/** A shorter word than this may be said by two people at once, unless the next one is the same as well. */
const LONG_WORD_LETTERS = 5;

interface Track extends RecognizedTrack {
	/** The usual level of its own speaker, dBFS. */
	speechDb: number;
}

/**
 * Returns the words of each track without those that it heard from another one: the same at the same time,
 * and softer than there. Both are compared with their tracks' usual levels, because one microphone may be
 * set lower.
 *
 * @param tracks of one recording, which begin at the same time.
 */
export function withoutCrosstalk(tracks: readonly RecognizedTrack[]): Array<readonly SpokenWord[]> {
	const all = tracks.map((track): Track => ({ ...track, speechDb: speechLevelDb(track.levels) }));
	return all.map((track) =>
		track.words.filter(
			(_, at) => !all.some((other) => other !== track && isFrom(other, track, at)),
		),
	);
}

/** Whether a track has a word, given by its place, from another track. */
function isFrom(other: Track, track: Track, at: number): boolean {
	const word = track.words[at];
	const same = placeIn(other, word);
	if (same < 0) return false;
	const isLong = bare(word.text).length >= LONG_WORD_LETTERS;
	const next = track.words.at(at + 1);
	const before = at === 0 ? undefined : track.words[at - 1];
	const isOneOfSeveral = [next, before].some((it) => it !== undefined && placeIn(other, it) >= 0);
	if (!isLong && !isOneOfSeveral) return false;
	// The stretch is the same in both, so that each word is softer in one of them only.
	const twin = other.words[same];
	const stretch = {
		startSeconds: Math.max(word.startSeconds, twin.startSeconds),
		endSeconds: Math.min(word.endSeconds, twin.endSeconds),
	};
	return relativeDb(other, stretch) - relativeDb(track, stretch) >= MIN_SOFTER_DB;
}

/** The loudest 10 ms of a stretch against the track's speech, dB. */
function relativeDb({ levels, speechDb }: Track, { startSeconds, endSeconds }: TimeRange): number {
	const start = Math.floor(startSeconds * HOPS_PER_SECOND);
	const end = Math.max(start + 1, Math.floor(endSeconds * HOPS_PER_SECOND));
	return levels.subarray(start, end).reduce((a, b) => Math.max(a, b), SILENCE_DB) - speechDb;
}

/** Returns the place of the same word at the same time in a track; -1 if it has none. */
function placeIn({ words }: Track, { text, startSeconds }: SpokenWord): number {
	const earliest = startSeconds - MAX_APART_SECONDS;
	const first = firstFrom(words, (word) => word.startSeconds < earliest);
	for (let at = first; at < words.length; at++) {
		if (words[at].startSeconds > startSeconds + MAX_APART_SECONDS) return -1;
		if (bare(words[at].text) === bare(text)) return at;
	}
	return -1;
}
