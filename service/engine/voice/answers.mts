import type { PcmFile } from '../../media/pcmFile.mts';
import type { IndexRange, TimelineEdit, TimeRange } from '../../shared/timeRanges.mts';
import { countOf, type Scene } from '../detection/scene.mts';
import type { FillersAndAnswers, SpokenFillers } from '../detection/spokenWords.mts';
import { HOP_FRAMES, HOPS_PER_SECOND } from '../signal/levels.mts';
import { VOICE_SECONDS, voicesOfSounds } from './searchVoices.mts';
import TYPICAL from './typicalVoices.json' with { type: 'json' };

/** What the encoder hears at a time, hops, and how much of it is speech where it shows a voice. */
const WINDOW_HOPS = Math.floor(VOICE_SECONDS * HOPS_PER_SECOND);
const MIN_SPEECH_SHARE = 0.6;

/** The next windows of speech on each side of a sound, and how far they may be away, hops. */
const WINDOWS = 2;
const REACH_HOPS = 15 * HOPS_PER_SECOND;

/** How far a search goes on after a window that shows no voice, hops. */
const STEP_HOPS = 10;

/**
 * A hum of the same voice is at least this much like its sentences, both without what all hums and all sentences have in
 * common. Chosen on the tuning half of the evaluation's actors, so that none of 11 fillers that the engine finds there is
 * taken for an answer; 13 of 22 answers are.
 */
export const MIN_LIKE = 0.03;

/** The same of what a recognizer wrote as a sentence of its own: 3 of 6 fillers of the tuning half, no answer of 4. */
const MIN_LIKE_ALONE = 0.09;

/** A shorter sound does not show whose voice it is, seconds. */
const MIN_HEARD_SECONDS = 0.15;

/**
 * Returns the edits without fillers and hesitations in another voice than the sentences around them: somebody else
 * answers "hmm" while one person talks, and an answer is never cut. Where nothing is said around, they stay.
 *
 * @param input the recording as it came, 16 kHz.
 * @throws the signal's reason when aborted.
 */
export async function withoutAnswers(
	edits: readonly TimelineEdit[],
	scene: Scene,
	input: PcmFile,
	signal?: AbortSignal,
): Promise<TimelineEdit[]> {
	const hums = edits.filter(isHum);
	const likeness = await likenessToSentences(hums, scene, input, signal);
	const answers = new Set(hums.filter((_, at) => likeness[at] < MIN_LIKE));
	return edits.filter((edit) => !answers.has(edit));
}

/**
 * Tells the fillers of a transcript from answers: a sentence of its own is a filler if it is clearly in the voice of the
 * sentences around it.
 *
 * @param input the recording as it came, 16 kHz.
 * @throws the signal's reason when aborted.
 */
export async function fillersAndAnswers(
	{ within, alone }: SpokenFillers,
	scene: Scene,
	input: PcmFile,
	signal?: AbortSignal,
): Promise<FillersAndAnswers> {
	const seconds = input.frames / input.sampleRateHz;
	const heard = alone.filter(({ startSeconds, endSeconds }) => {
		return Math.min(seconds, endSeconds) - startSeconds >= MIN_HEARD_SECONDS;
	});
	const likeness = await likenessToSentences(heard, scene, input, signal);
	// Where nothing else is said, nobody knows whose it is.
	const own = new Set(
		heard.filter((_, at) => likeness[at] >= MIN_LIKE_ALONE && likeness[at] < Infinity),
	);
	return {
		fillers: [...within, ...own],
		answers: alone.filter((filler) => !own.has(filler)),
	};
}

/** Whether an edit is a sound that somebody else may have said for an answer. */
export function isHum({ kind }: Pick<TimelineEdit, 'kind'>): boolean {
	return kind === 'filler' || kind === 'hesitation';
}

/**
 * Returns how much the voice of each of some hums is like that of the sentences around it, up to 1, and Infinity where
 * nothing is said around; below `MIN_LIKE`, somebody else says it. Throws as `withoutAnswers`.
 */
export async function likenessToSentences(
	hums: readonly TimeRange[],
	scene: Scene,
	input: PcmFile,
	signal?: AbortSignal,
): Promise<number[]> {
	if (hums.length === 0) return [];
	const places = hums.map(({ startSeconds, endSeconds }) => ({
		start: Math.round(startSeconds * HOPS_PER_SECOND),
		end: Math.round(endSeconds * HOPS_PER_SECOND),
	}));
	const isSentence = scene.isSpeech.slice();
	for (const { start, end } of places) isSentence.fill(0, start, end);
	const around = places.map((place) => [
		...windowsFrom(isSentence, place.start, -1),
		...windowsFrom(isSentence, place.end, 1),
	]);
	// Hums near each other have windows in common.
	const starts = [...new Set(around.flat())];
	const windows = starts.map((start) => ({ start, end: start + WINDOW_HOPS }));
	const sounds = [...places, ...windows].map((hops) => samplesOf(hops, input));
	const voices = await voicesOfSounds(input, sounds, signal);
	const voiceFrom = new Map(starts.map((start, at) => [start, voices[places.length + at]]));
	return hums.map((_, at) => {
		const sentences = around[at].flatMap((start) => voiceFrom.get(start) ?? []);
		return sentences.length > 0 ? likeness(voices[at], sentences) : Infinity;
	});
}

/** Where the next windows of speech begin, from a hop on in a direction. */
function windowsFrom(isSentence: Uint8Array, from: number, direction: 1 | -1): number[] {
	const found: number[] = [];
	const step = direction * STEP_HOPS;
	let start = direction > 0 ? from : from - WINDOW_HOPS;
	while (found.length < WINDOWS && Math.abs(start - from) < REACH_HOPS + WINDOW_HOPS) {
		if (start < 0 || start + WINDOW_HOPS > isSentence.length) break;
		const speech = countOf(isSentence, start, start + WINDOW_HOPS);
		if (speech < MIN_SPEECH_SHARE * WINDOW_HOPS) start += step;
		else {
			found.push(start);
			start += direction * WINDOW_HOPS;
		}
	}
	return found;
}

function samplesOf({ start, end }: IndexRange, { frames }: PcmFile): IndexRange {
	return { start: start * HOP_FRAMES, end: Math.min(frames, end * HOP_FRAMES) };
}

/** How much a hum is like sentences, up to 1, by what is special about both. */
function likeness(hum: Float32Array, sentences: readonly Float32Array[]): number {
	const own = hum.map((one, i) => one - TYPICAL.hum[i]);
	const sum = hum.map((_, i) => sentences.reduce((all, voice) => all + voice[i], 0));
	const length = Math.hypot(...sum);
	const other = sum.map((one, i) => one / length - TYPICAL.sentence[i]);
	const product = own.reduce((all, one, i) => all + one * other[i], 0);
	return product / (Math.hypot(...own) * Math.hypot(...other));
}
