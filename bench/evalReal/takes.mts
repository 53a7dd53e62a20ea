import { voicingOf } from '../../service/engine/detection/voicing.mts';
import { activeRms, faded, framesOf, fromDb, RATE_HZ, rms, toDb } from '../eval/signals.mts';
import type { Prompt } from './speakers.mts';

/** Marks are set every 10 ms. */
export const HOP_SECONDS = 0.01;

/** A recorded file, speech at RMS 1. */
export interface Take {
	path: string;
	/** 48 kHz, mono, from shortly before the first sound to shortly after the last. */
	samples: Float32Array;
	/** For every 10 ms: WORD, STILL, or OTHER for a sound in a pause that may be a breath. */
	marks: Uint8Array;
	/** The noise of the recording, against speech, dB. */
	floorDb: number;
	text?: string;
}

export const [STILL, WORD, OTHER] = [0, 1, 2] as const;

/** A sound is what is no more than this below the mean of speech, dB. */
const SOUND_DEPTH_DB = 35;

/** An unvoiced sound in a pause from this length on and so far from others may be a breath, hops. */
const SHORTEST_OTHER_HOPS = 12;
const APART_HOPS = 5;
/** Voiced enough for a word (0 to 1), for this many hops. */
const LEAST_VOICING = 0.6;
const FEWEST_VOICED_HOPS = 3;

/** Left before the first and after the last sound, in seconds. */
const EDGE_SECONDS = 0.03;

/** Files begin and end in their own noise: no click is to be heard there, in seconds. */
const FADE_SECONDS = 0.015;

/** The level that a tenth of a recording stays below, dB. */
function floorOf(samples: Float32Array, speechRms: number): number {
	const hop = framesOf(HOP_SECONDS);
	const levels: number[] = [];
	for (let i = 0; i + hop <= samples.length; i += hop) {
		levels.push(toDb(rms(samples.subarray(i, i + hop)) / speechRms));
	}
	return levels.sort((a, b) => a - b)[Math.floor(levels.length / 10)] ?? 0;
}

/** All takes of a speaker within a range of lengths in seconds. */
export function takesWithin(takes: readonly Take[], shortest: number, longest: number): Take[] {
	return takes.filter(({ samples }) => {
		const seconds = samples.length / RATE_HZ;
		return seconds >= shortest && seconds <= longest;
	});
}

/** Makes a take of a decoded recording; undefined when it holds next to nothing. */
export function takeOf({ path, text }: Prompt, samples: Float32Array): Take | undefined {
	const level = activeRms(samples);
	if (samples.length < framesOf(0.1) || level < 1e-4) return undefined;
	const marks = marksOf(samples, level);
	const first = marks.findIndex((mark) => mark !== STILL);
	const last = marks.findLastIndex((mark) => mark !== STILL);
	if (first < 0) return undefined;
	const edge = Math.round(EDGE_SECONDS / HOP_SECONDS);
	const [start, end] = [Math.max(0, first - edge), Math.min(marks.length, last + 1 + edge)];
	const said = samples
		.slice(framesOf(start * HOP_SECONDS), framesOf(end * HOP_SECONDS))
		.map((sample) => sample / level);
	return {
		path,
		samples: faded(said, FADE_SECONDS, FADE_SECONDS),
		marks: marks.slice(start, end),
		floorDb: floorOf(samples, level),
		text,
	};
}

/** Says for a dry recording what is a word, by level, and by voicing for the rest. */
export function marksOf(samples: Float32Array, speechRms: number): Uint8Array {
	const hop = framesOf(HOP_SECONDS);
	const limitDb = toDb(speechRms * fromDb(-SOUND_DEPTH_DB));
	const marks = new Uint8Array(Math.floor(samples.length / hop));
	for (let i = 0; i < marks.length; i++) {
		marks[i] = toDb(rms(samples.subarray(i * hop, (i + 1) * hop))) > limitDb ? WORD : STILL;
	}
	const islands = islandsOf(marks);
	islands.forEach(({ start, end }, index) => {
		const before = start - (islands[index - 1]?.end ?? -APART_HOPS);
		const after = (islands[index + 1]?.start ?? marks.length + APART_HOPS) - end;
		if (end - start < SHORTEST_OTHER_HOPS || Math.min(before, after) < APART_HOPS) return;
		if (!isVoiced(samples, start, end)) marks.fill(OTHER, start, end);
	});
	return marks;
}

/** Stretches of hops that are not still. */
export function islandsOf(marks: Uint8Array): { start: number; end: number }[] {
	const islands: { start: number; end: number }[] = [];
	marks.forEach((mark, hop) => {
		if (mark === STILL) return;
		const last = islands.at(-1);
		if (last && last.end >= hop - 1) last.end = hop + 1;
		else islands.push({ start: hop, end: hop + 1 });
	});
	return islands;
}

function isVoiced(samples: Float32Array, start: number, end: number): boolean {
	let voiced = 0;
	for (let hop = start; hop < end; hop++) {
		if (voicingAt(samples, framesOf(hop * HOP_SECONDS)).strength >= LEAST_VOICING) voiced++;
	}
	return voiced >= FEWEST_VOICED_HOPS;
}

/** Voicing and pitch of the 40 ms around a frame. */
export function voicingAt(samples: Float32Array, frame: number): ReturnType<typeof voicingOf> {
	const thinned = new Float32Array(640);
	for (let i = 0; i < thinned.length; i++) {
		const place = frame + 3 * (i - thinned.length / 2);
		thinned[i] =
			((samples[place - 1] ?? 0) + (samples[place] ?? 0) + (samples[place + 1] ?? 0)) / 3;
	}
	return voicingOf(thinned);
}
