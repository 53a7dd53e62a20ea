import { runsOf } from '../../engine/detection/scene.mts';
import { voicingOf } from '../../engine/detection/voicing.mts';
import { HOP_SECONDS, OTHER, STILL, WORD } from '../scene.mts';
import {
	activeRms,
	faded,
	framesOf,
	lowPassed,
	RATE_HZ,
	rms,
	toDb,
} from '../../../testkit/media/signals.mts';
import type { Prompt } from './speakers.mts';

/** A sound is at most this far below the mean of speech, and at least this far above the noise, dB. */
const SOUND_DEPTH_DB = 35;
const SOUND_OVER_NOISE_DB = 8;

/** An unvoiced sound in a pause may be a breath from this length and this distance to other sounds on, hops. */
const MIN_BREATH_HOPS = 12;
const BREATH_APART_HOPS = 5;
/** A shorter one is a click if it is further from words than the release of a final t is. */
const CLICK_APART_HOPS = 15;
/**
 * Breath blown into the microphone after a word is this soft against speech, and has this much less above that
 * frequency than in all. No sound of the two people with the cleanest recordings is so for more than 20 ms, but one.
 */
const BLOWN_DEPTH_DB = -14;
const BLOWN_HZ = 1_000;
const BLOWN_DARKNESS_DB = -12;
/** Voiced enough for a word (0 to 1), for this many hops. */
const MIN_VOICING = 0.6;
const MIN_VOICED_HOPS = 3;

/** Left before the first and after the last sound, in seconds. */
const EDGE_SECONDS = 0.03;

/** Fade at the beginning and end of a file, in seconds, so that its noise does not start with a click. */
const FADE_SECONDS = 0.015;

/** What is further below speech than this is digital silence, dB. */
const DIGITAL_SILENCE_DB = -75;

/**
 * The noise of a speaker's recordings against speech, dB: a tenth of the files have a pause that is
 * no louder. Most files hold no pause at all.
 */
export function noiseOf(recordings: readonly Float32Array[]): number {
	const levels = recordings.map(quietestDb).sort((a, b) => a - b);
	return levels[Math.floor(levels.length / 10)] ?? 0;
}

/** The quietest 50 ms of a recording that are not digital silence, against speech, dB. */
function quietestDb(samples: Float32Array): number {
	const speechRms = activeRms(samples);
	const [span, hop] = [framesOf(0.05), framesOf(HOP_SECONDS)];
	let quietest = 0;
	for (let i = 0; i + span <= samples.length; i += hop) {
		const level = toDb(rms(samples.subarray(i, i + span)) / (speechRms + 1e-9));
		if (level > DIGITAL_SILENCE_DB) quietest = Math.min(quietest, level);
	}
	return quietest;
}

/** All takes of a speaker within a range of lengths in seconds. */
export function takesWithin(takes: readonly Take[], shortest: number, longest: number): Take[] {
	return takes.filter(({ samples }) => {
		const seconds = samples.length / RATE_HZ;
		return seconds >= shortest && seconds <= longest;
	});
}

/**
 * Makes a take of a decoded recording; undefined when it holds next to nothing.
 *
 * @param noiseDb of the speaker's recordings, against speech.
 */
export function takeOf({ path, text }: Prompt, samples: Float32Array, noiseDb: number) {
	const level = activeRms(samples);
	if (samples.length < framesOf(0.1) || level < 1e-4) return undefined;
	const marks = marksOf(samples, level, noiseDb);
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
		text,
		/** 48 kHz, mono, from shortly before the first sound to shortly after the last. */
		samples: faded(said, FADE_SECONDS, FADE_SECONDS),
		/** For every 10 ms: WORD, STILL, or OTHER for a sound in a pause that may be a breath or a click. */
		marks: marks.slice(start, end),
	};
}

/** A recorded file, speech at RMS 1. */
export type Take = NonNullable<ReturnType<typeof takeOf>>;

/** Says for a dry recording what is a word, by level, and by voicing for the rest. */
export function marksOf(samples: Float32Array, speechRms: number, noiseDb: number): Uint8Array {
	const hop = framesOf(HOP_SECONDS);
	const limitDb = toDb(speechRms) + Math.max(-SOUND_DEPTH_DB, noiseDb + SOUND_OVER_NOISE_DB);
	const marks = new Uint8Array(Math.floor(samples.length / hop));
	for (let i = 0; i < marks.length; i++) {
		marks[i] = toDb(rms(samples.subarray(i * hop, (i + 1) * hop))) > limitDb ? WORD : STILL;
	}
	const islands = runsOf(marks, 1);
	islands.forEach(({ start, end }, index) => {
		const before = start - (islands[index - 1]?.end ?? -CLICK_APART_HOPS);
		const after = (islands[index + 1]?.start ?? marks.length + CLICK_APART_HOPS) - end;
		const apart = end - start < MIN_BREATH_HOPS ? CLICK_APART_HOPS : BREATH_APART_HOPS;
		const isApart = Math.min(before, after) >= apart;
		const isNoWord =
			isBlown(samples.subarray(start * hop, end * hop), speechRms) ||
			(isApart && !isVoiced(samples, start, end));
		if (isNoWord) marks.fill(OTHER, start, end);
	});
	return marks;
}

/** Whether a sound is only breath that was blown into the microphone. */
function isBlown(sound: Float32Array, speechRms: number): boolean {
	const low = lowPassed(lowPassed(sound, BLOWN_HZ), BLOWN_HZ);
	const level = rms(sound) + 1e-9;
	const darkness = rms(sound.map((sample, frame) => sample - low[frame])) / level;
	return toDb(level / speechRms) < BLOWN_DEPTH_DB && toDb(darkness) < BLOWN_DARKNESS_DB;
}

function isVoiced(samples: Float32Array, start: number, end: number): boolean {
	let voiced = 0;
	for (let hop = start; hop < end; hop++) {
		if (voicingAt(samples, framesOf(hop * HOP_SECONDS)).strength >= MIN_VOICING) voiced++;
	}
	return voiced >= MIN_VOICED_HOPS;
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
