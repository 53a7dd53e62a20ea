import type { EditKind } from '../shared/timeRanges.mts';
import type { Chance } from '../../testkit/measure/chance.mts';
import { HOP_SECONDS, type KnownEvent, SPEECH_RMS, STILL } from './scene.mts';
import { addAt, framesOf, fromDb, RATE_HZ } from '../../testkit/media/signals.mts';

const HOP_FRAMES = framesOf(HOP_SECONDS);

/** A recording as it grows. Everything in it begins at a multiple of 10 ms, as marks do. */
export class Tape {
	/** Speech and events. */
	readonly clean: Float32Array;

	/** As in a Scene, of what was said with marks. */
	readonly marks: Uint8Array;

	readonly events: KnownEvent[] = [];

	private frame = 0;

	constructor(
		private readonly lengthSeconds: number,
		private readonly chance: Chance,
	) {
		this.clean = new Float32Array(framesOf(lengthSeconds));
		this.marks = new Uint8Array(Math.round(lengthSeconds / HOP_SECONDS));
	}

	get seconds(): number {
		return this.frame / RATE_HZ;
	}

	/** Whether samples fit, and some seconds after them. */
	hasRoomFor({ length }: Float32Array, spareSeconds: number): boolean {
		return this.seconds + length / RATE_HZ + spareSeconds < this.lengthSeconds;
	}

	pause(low: number, high: number): void {
		this.advance(this.chance.between(low, high) * RATE_HZ, Math.round);
	}

	/** @param marks those of the samples, which were recorded at this speed */
	say(samples: Float32Array, marks: Uint8Array, speed = 1): void {
		this.add(samples, SPEECH_RMS * fromDb(this.chance.between(-2, 2)));
		const first = Math.round(this.frame / HOP_FRAMES);
		const hops = Math.floor(samples.length / HOP_FRAMES);
		for (let hop = 0; hop < hops; hop++) {
			this.marks[first + hop] = marks[Math.floor(hop * speed)] ?? STILL;
		}
		this.advance(samples.length, Math.floor);
	}

	/** Adds a sound that must be cut. */
	put(kind: EditKind, samples: Float32Array, gain: number): void {
		this.add(samples, gain);
		this.mark(kind, this.seconds, this.seconds + samples.length / RATE_HZ);
		this.advance(samples.length, Math.ceil);
	}

	/** Adds broken-off beginnings with pauses between them. */
	stutter(fragments: readonly Float32Array[]): void {
		const start = this.seconds;
		for (const fragment of fragments) {
			this.add(fragment, SPEECH_RMS * fromDb(this.chance.between(-3, 1)));
			this.advance(fragment.length, Math.ceil);
			this.pause(0.03, 0.18);
		}
		this.mark('stutter', start, this.seconds);
	}

	mark(kind: EditKind, startSeconds: number, endSeconds: number): void {
		this.events.push({ kind, startSeconds, endSeconds, isMasked: false });
	}

	private add(samples: Float32Array, gain: number): void {
		addAt(this.clean, samples, this.frame, gain);
	}

	private advance(frames: number, round: (hops: number) => number): void {
		this.frame += round(frames / HOP_FRAMES) * HOP_FRAMES;
	}
}
