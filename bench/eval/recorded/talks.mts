import type { Chance } from '../chance.mts';
import { addAt, atSpeed, framesOf, fromDb, RATE_HZ } from '../signals.mts';
import { clickSound } from '../sounds.mts';
import { fillerOf, personBreath, stutterOf, type Person } from './people.mts';
import { HOP_SECONDS, type KnownEvent, SPEECH_RMS, STILL } from '../scene.mts';
import type { Take } from './takes.mts';
import type { EditKind } from '../../../service/shared/timeRanges.mts';

/** What a person said, before any room, noise or codec. */
export interface Talk {
	person: Person;
	/** 48 kHz, mono. */
	clean: Float32Array;
	/** For every 10 ms WORD, STILL or OTHER; fillers and the like are not words. */
	marks: Uint8Array;
	events: KnownEvent[];
}

/** What comes between two phrases, as often as it is named. */
const GAPS = [
	...['pause', 'pause', 'pause', 'breath', 'breath', 'breath', 'filler', 'filler', 'filler'],
	...['click', 'click', 'stutter', 'stutter', 'silence', 'silence'],
] as const;

/** Speech with natural pauses and nothing to cut; now and then a digit said twice on purpose. */
export function plainTalk(person: Person, seconds: number, chance: Chance): Talk {
	const reel = new Reel(person, seconds, chance);
	reel.pause(0.2, 0.4);
	for (;;) {
		const phrase = chance.pick(person.phrases);
		if (!reel.hasRoomFor(phrase, 0.7)) return reel.talk();
		reel.say(phrase);
		reel.pause(0.12, 0.7);
		if (person.digits.length === 0 || !chance.isTrue(0.12)) continue;
		const digit = chance.pick(person.digits);
		if (!reel.hasRoomFor(digit, digit.samples.length / RATE_HZ + 1)) return reel.talk();
		reel.say(digit);
		reel.pause(0.1, 0.3);
		reel.say(digit, chance.between(0.97, 1.03));
		reel.pause(0.2, 0.7);
	}
}

/** Speech with something to cut in its pauses. */
export function eventfulTalk(person: Person, seconds: number, chance: Chance): Talk {
	const reel = new Reel(person, seconds, chance);
	reel.pause(0.2, 0.4);
	for (;;) {
		let phrase = chance.pick(person.phrases);
		if (!reel.hasRoomFor(phrase, 7)) break;
		phrase = fillGap(reel, person, phrase, chance);
		reel.say(phrase);
	}
	return reel.talk();
}

/** Puts something before a phrase; a stutter brings its own phrase along. */
function fillGap(reel: Reel, person: Person, phrase: Take, chance: Chance): Take {
	const gap = chance.pick(GAPS);
	if (gap === 'silence') {
		reel.pause(1.1, 2.6);
		return phrase;
	}
	reel.pause(0.08, 0.4);
	if (gap === 'click') {
		reel.pause(0.1, 0.2);
		reel.put('mouth_sound', clickSound(chance), SPEECH_RMS * fromDb(chance.between(-16, 6)));
	} else if (gap === 'breath') {
		const breath = personBreath(person, chance);
		if (breath) reel.put('breath', breath, SPEECH_RMS * fromDb(chance.between(-30, -12)));
	} else if (gap === 'filler') {
		const filler = fillerOf(person, chance);
		if (filler) reel.put('filler', filler, SPEECH_RMS * fromDb(chance.between(-6, 0)));
	} else if (gap === 'stutter') {
		const stutter = stutterOf(person, chance);
		if (stutter && reel.hasRoomFor(stutter.phrase, 4)) {
			reel.stutter(stutter.fragments);
			return stutter.phrase;
		}
	}
	reel.pause(0.05, 0.35);
	return phrase;
}

/** A talk as it grows; everything begins at a multiple of 10 ms. */
class Reel {
	private readonly ownTalk: Talk;
	private readonly chance: Chance;
	private hop = 0;

	constructor(person: Person, seconds: number, chance: Chance) {
		const clean = new Float32Array(framesOf(seconds));
		const marks = new Uint8Array(Math.round(seconds / HOP_SECONDS));
		this.ownTalk = { person, clean, marks, events: [] };
		this.chance = chance;
	}

	get seconds(): number {
		return this.hop * HOP_SECONDS;
	}

	talk(): Talk {
		return this.ownTalk;
	}

	hasRoomFor({ samples }: Take, spareSeconds: number): boolean {
		const needed = this.seconds + samples.length / RATE_HZ + spareSeconds;
		return needed < this.ownTalk.clean.length / RATE_HZ;
	}

	pause(low: number, high: number): void {
		this.hop += Math.round(this.chance.between(low, high) / HOP_SECONDS);
	}

	say({ samples, marks }: Take, speed = 1): void {
		const gain = SPEECH_RMS * fromDb(this.chance.between(-2, 2));
		const said = speed === 1 ? samples : atSpeed(samples, speed);
		addAt(this.ownTalk.clean, said, framesOf(this.seconds), gain);
		const hops = Math.min(Math.floor(said.length / framesOf(HOP_SECONDS)), this.hopsLeft());
		for (let hop = 0; hop < hops; hop++) {
			this.ownTalk.marks[this.hop + hop] = marks[Math.floor(hop * speed)] ?? STILL;
		}
		this.hop += hops;
	}

	/** Adds a sound that must be cut. */
	put(kind: EditKind, samples: Float32Array, gain: number): void {
		addAt(this.ownTalk.clean, samples, framesOf(this.seconds), gain);
		const end = this.seconds + samples.length / RATE_HZ;
		this.mark(kind, this.seconds, end);
		this.hop = Math.ceil(end / HOP_SECONDS);
	}

	stutter(fragments: readonly Float32Array[]): void {
		const start = this.seconds;
		for (const fragment of fragments) {
			const gain = SPEECH_RMS * fromDb(this.chance.between(-3, 1));
			addAt(this.ownTalk.clean, fragment, framesOf(this.seconds), gain);
			this.hop += Math.ceil(fragment.length / framesOf(HOP_SECONDS));
			this.pause(0.03, 0.18);
		}
		this.mark('stutter', start, this.seconds);
	}

	mark(kind: EditKind, startSeconds: number, endSeconds: number): void {
		this.ownTalk.events.push({ kind, startSeconds, endSeconds, isMasked: false });
	}

	private hopsLeft(): number {
		return this.ownTalk.marks.length - this.hop;
	}
}
