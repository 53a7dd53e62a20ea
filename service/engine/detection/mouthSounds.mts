import { meanDb } from '../signal/levels.mts';
import { countOf, editAt, MAX_UNREST_DB, pauseUnrestDb, type Scene } from './scene.mts';
import type { IndexRange, TimelineEdit } from '../../shared/timeRanges.mts';

/** Longest mouth sound, hops. */
const MAX_HOPS = 8;

/** Its loudest millisecond is at least this far above its surroundings, dB. */
const MIN_RISE_DB = 10.3;
/** More where the pauses are restless themselves, by what they stay below for this share of the time. */
const RISE_PER_UNREST = 0.6;
const UNREST_SHARE = 0.75;

/** That millisecond is at least this far above the whole sound, and at most this far above speech, dB. */
const MIN_CREST_DB = 4.8;
const MAX_LEVEL_DB = 10;

/** Averaged over the bands, it stands out this much more than the pauses usually do, dB. */
const MIN_EXCESS_DB = 2.5;

/** A clear one rises and stands out by this much more than it must, dB. */
const CLEAR_DB = 15;

/** It begins and ends where the level is this far above its surroundings, dB. */
const BORDER_DB = 4;

/** Its surroundings are between this many hops away and this many. */
const NEAR_HOPS = 6;
const FAR_HOPS = 13;

/** A sound this close after a word may be the release of a final t; before one, the k of "kto". */
const AFTER_WORD_HOPS = 16;
const BEFORE_WORD_HOPS = 9;

/** Silence on both sides: no more than this above the noise, or at least this far below speech, dB. */
const STILL_MARGIN_DB = 6;
const STILL_DEPTH_DB = 55;

/**
 * Finds mouth clicks and lip smacks in the pauses: short bursts out of near silence, in the
 * recording as it came. Those within words stay: cutting there would harm the word.
 */
export function findMouthSounds(scene: Scene): TimelineEdit[] {
	const edits: TimelineEdit[] = [];
	const unrestDb = Math.min(MAX_UNREST_DB, pauseUnrestDb(scene, UNREST_SHARE));
	const minRiseDb = MIN_RISE_DB + RISE_PER_UNREST * unrestDb;
	for (let hop = 1; hop < scene.hops - 1; hop++) {
		if (!isLocalPeak(scene, hop)) continue;
		const aroundDb = levelAround(scene, hop);
		const riseDb = scene.raw.peaks[hop] - aroundDb;
		if (riseDb < minRiseDb) continue;
		const range = burstAt(scene, hop, aroundDb + BORDER_DB);
		if (range.end - range.start > MAX_HOPS || isNearWord(scene, range)) continue;
		if (!isStillAround(scene, hop)) continue;
		const excessDb = Math.max(...scene.rawExcessDb.subarray(range.start, range.end));
		const beyondDb = excessDb - MIN_EXCESS_DB - unrestDb;
		if (!isClick(scene, range) || beyondDb < 0) continue;
		const clearness = [(riseDb - minRiseDb) / CLEAR_DB, beyondDb / CLEAR_DB];
		edits.push(editAt('mouth_sound', range, clearness));
		hop = range.end;
	}
	return edits;
}

function isClick({ raw, edgeSpeechDb }: Scene, { start, end }: IndexRange): boolean {
	const peakDb = Math.max(...raw.peaks.subarray(start, end));
	const crestDb = peakDb - meanDb(raw.edges.subarray(start, end));
	return crestDb >= MIN_CREST_DB && peakDb <= edgeSpeechDb + MAX_LEVEL_DB;
}

function isLocalPeak({ raw, isSpeech }: Scene, hop: number): boolean {
	if (isSpeech[hop]) return false;
	const peak = raw.peaks[hop];
	for (let near = hop - 3; near <= hop + 3; near++) if (raw.peaks[near] > peak) return false;
	return true;
}

/** The level of the pause on its louder side, dBFS. */
function levelAround({ raw }: Scene, hop: number): number {
	return Math.max(...sidesOf(raw.edges, hop).map((side) => meanDb(side)));
}

/** True if there is nothing but noise on both sides. */
function isStillAround({ rawDb, rawFloorDb, rawSpeechDb }: Scene, hop: number): boolean {
	const limitDb = Math.max(rawFloorDb[hop] + STILL_MARGIN_DB, rawSpeechDb - STILL_DEPTH_DB);
	return sidesOf(rawDb, hop).every((side) => meanDb(side) <= limitDb);
}

/** The levels before and after a hop, as far as the recording goes. */
function sidesOf(levels: Float32Array, hop: number): Float32Array[] {
	return [
		levels.subarray(Math.max(0, hop - FAR_HOPS), Math.max(0, hop - NEAR_HOPS + 1)),
		levels.subarray(hop + NEAR_HOPS, hop + BEFORE_WORD_HOPS + 1),
	].filter((side) => side.length > 0);
}

/** The hops around a peak that are louder than a limit. */
function burstAt({ raw }: Scene, hop: number, limitDb: number): IndexRange {
	let start = hop;
	while (start > 0 && hop - start <= MAX_HOPS && raw.edges[start - 1] > limitDb) start--;
	let end = hop + 1;
	while (end < raw.hops && end - hop <= MAX_HOPS && raw.edges[end] > limitDb) end++;
	return { start, end };
}

function isNearWord({ isSpeech }: Scene, { start, end }: IndexRange): boolean {
	return (
		countOf(isSpeech, start - AFTER_WORD_HOPS, start) > 0 ||
		countOf(isSpeech, end, end + BEFORE_WORD_HOPS) > 0
	);
}
