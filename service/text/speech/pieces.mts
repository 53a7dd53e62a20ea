import { MIN_VOICE } from '../../engine/voice/hearVoice.mts';
import { MOMENT_SECONDS } from '../../engine/voice/searchVoice.mts';
import { HOPS_PER_SECOND, speechLevelDb } from '../../engine/signal/levels.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { quietestHop } from './speechChunks.mts';

/** Stretches of a recording that are heard one right after the other, as one sound. In order. */
export type Piece = readonly TimeRange[];

/** Where somebody speaks in a recording, and how loud it is. */
export interface SpeechSound {
	/** How likely somebody speaks at each moment, 0 to 1. */
	voice: Float32Array;
	/** Every 10 ms, dBFS. */
	levels: Float32Array;
	seconds: number;
}

/** A stretch with a voice has a moment that is this likely one. */
const SURE_VOICE = 0.3;

/** What is heard before and after a voice: the beginning or end of a word may be too soft to be a voice. */
const AROUND_SECONDS = 0.6;

/** The recognizer hears 30 s at once. A longer stretch is divided after this time at the earliest. */
const MAX_SECONDS = 28;
const MIN_SECONDS = 16;

/** Widths of pauses to divide a stretch at, in hops: a longer one, this far below the speech, is better. */
const PAUSE_HOPS = [20, 8, 3];
const PAUSE_DB = -20;

/** Returns where somebody speaks, joined to pieces of at most 28 s, and without anything else. */
export function piecesOf(sound: SpeechSound): Piece[] {
	const pieces: TimeRange[][] = [];
	let seconds = Infinity;
	for (const stretch of voiceStretches(sound).flatMap((one) => divided(one, sound.levels))) {
		const length = stretch.endSeconds - stretch.startSeconds;
		seconds += length;
		if (seconds <= MAX_SECONDS) {
			pieces.at(-1)?.push(stretch);
			continue;
		}
		pieces.push([stretch]);
		seconds = length;
	}
	return pieces;
}

/** Returns a time of a piece as a time of its recording. @param isEnd of a word, which stays with what is before a seam. */
export function timeIn(piece: Piece, secondsInPiece: number, isEnd = false): number {
	let rest = Math.max(0, secondsInPiece);
	for (const { startSeconds, endSeconds } of piece) {
		const length = endSeconds - startSeconds;
		if (rest < length || (isEnd && rest === length)) return startSeconds + rest;
		rest -= length;
	}
	return piece.at(-1)?.endSeconds ?? 0;
}

/** Stretches with a voice, and what is around them. */
function voiceStretches({ voice, seconds }: SpeechSound): TimeRange[] {
	const stretches: TimeRange[] = [];
	for (let moment = 0; moment < voice.length; ) {
		let end = moment;
		let surest = 0;
		while (end < voice.length && voice[end] > MIN_VOICE) surest = Math.max(surest, voice[end++]);
		if (surest >= SURE_VOICE) {
			const startSeconds = Math.max(0, moment * MOMENT_SECONDS - AROUND_SECONDS);
			const endSeconds = Math.min(seconds, end * MOMENT_SECONDS + AROUND_SECONDS);
			const last = stretches.at(-1);
			if (last && startSeconds <= last.endSeconds) last.endSeconds = endSeconds;
			else if (endSeconds > startSeconds) stretches.push({ startSeconds, endSeconds });
		}
		moment = Math.max(end, moment + 1);
	}
	return stretches;
}

/** Divides what is too long for a piece at the quietest pauses. */
function divided({ startSeconds, endSeconds }: TimeRange, levels: Float32Array): TimeRange[] {
	if (endSeconds - startSeconds <= MAX_SECONDS) return [{ startSeconds, endSeconds }];
	const start = Math.round(startSeconds * HOPS_PER_SECOND);
	const from = start + MIN_SECONDS * HOPS_PER_SECOND;
	// Both parts are long enough to be understood.
	const rest = Math.round(endSeconds * HOPS_PER_SECOND) - start;
	const to = start + Math.min(MAX_SECONDS * HOPS_PER_SECOND, rest - 2 * HOPS_PER_SECOND);
	const limit = speechLevelDb(levels.subarray(start, to)) + PAUSE_DB;
	const found = PAUSE_HOPS.map((hops) => quietestHop(levels, from, to, hops));
	const { hop } = found.find(({ level }) => level <= limit) ?? found[found.length - 1];
	const border = hop / HOPS_PER_SECOND;
	return [
		{ startSeconds, endSeconds: border },
		...divided({ startSeconds: border, endSeconds }, levels),
	];
}
