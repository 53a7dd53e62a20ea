import { runsOf } from '../engine/detection/scene.mts';
import type { EditKind, TimeRange } from '../shared/timeRanges.mts';
import { addAt, framesOf, fromDb, lowPassed, rms, toDb } from '../../testkit/media/signals.mts';

export interface KnownEvent {
	kind: EditKind;
	startSeconds: number;
	endSeconds: number;
	/** Nobody could hear it under the noise: neither finding nor missing it counts. */
	isMasked: boolean;
}

/** A recording of real people whose right edits are known. */
export interface Scene {
	/** What happened to it between the mouth and the engine. */
	condition: string;
	/** True when there is something to cut. */
	isEventful: boolean;
	/** The speaker, and the noise if there is any. */
	name: string;
	/** Everything, 48 kHz, mono. */
	samples: Float32Array;
	/** Speech and events before noise and music were added. */
	clean: Float32Array;
	/** For every 10 ms: WORD, STILL, or OTHER for a sound in a pause that may be a breath or a click. */
	marks: Uint8Array;
	events: KnownEvent[];
}

/** How loud speech is, RMS. */
export const SPEECH_RMS = fromDb(-23);

export const HOP_SECONDS = 0.01;

export const [STILL, WORD, OTHER] = [0, 1, 2] as const;

/** The stretches that hold one mark, in seconds. */
export function stretchesOf(marks: Uint8Array, wanted: number): TimeRange[] {
	return runsOf(marks.map((mark) => Number(mark === wanted))).map(({ start, end }) => ({
		startSeconds: start * HOP_SECONDS,
		endSeconds: end * HOP_SECONDS,
	}));
}

/** Adds a room, noise or music to what was said, and finds the events that nobody can hear under it. */
export function withBackground(
	{ clean, events }: Pick<Scene, 'clean' | 'events'>,
	...backgrounds: readonly Float32Array[]
): Pick<Scene, 'samples' | 'clean' | 'events'> {
	const samples = clean.slice();
	const background = new Float32Array(samples.length);
	for (const sound of backgrounds) addAt(background, sound, 0);
	addAt(samples, background, 0);
	return {
		samples,
		clean,
		events: events.map((event) => ({
			...event,
			isMasked: event.isMasked || isMasked(event, clean, background),
		})),
	};
}

/** True for a breath no louder than the background there, and a click that does not reach above it. */
function isMasked(
	{ kind, startSeconds, endSeconds }: KnownEvent,
	clean: Float32Array,
	background: Float32Array,
): boolean {
	if (kind !== 'breath' && kind !== 'mouth_sound') return false;
	const [start, end] = [framesOf(startSeconds), framesOf(endSeconds)];
	const event = audible(clean.subarray(start, end));
	const reach = framesOf(0.1);
	const around = audible(background.subarray(Math.max(0, start - reach), end + reach));
	const level = kind === 'breath' ? rms(event) : loudestRms(event);
	return toDb(level) < toDb(rms(around)) + (kind === 'breath' ? 0 : 3);
}

/** Without what lies below the voice: the hum of a fan masks no click. */
function audible(samples: Float32Array): Float32Array {
	const low = lowPassed(samples, 400);
	return samples.map((sample, index) => sample - low[index]);
}

/** The loudest 5 ms. */
function loudestRms(samples: Float32Array): number {
	const length = framesOf(0.005);
	let loudest = 0;
	for (let i = 0; i < samples.length; i += length / 2) {
		const part = samples.subarray(i, i + length);
		if (part.length > length / 2) loudest = Math.max(loudest, rms(part));
	}
	return loudest;
}
