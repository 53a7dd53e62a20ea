import type { Chance } from '../../../testkit/measure/chance.mts';
import { atSpeed, fromDb, RATE_HZ } from '../../../testkit/media/signals.mts';
import { clickSound } from '../sounds.mts';
import { personBreath, stutterOf, type Person } from './people.mts';
import { SPEECH_RMS } from '../scene.mts';
import { Tape } from '../tape.mts';
import type { Take } from './takes.mts';

/** What comes between two phrases, as often as it is named. */
const GAPS = [
	'pause',
	'pause',
	'pause',
	'breath',
	'breath',
	'breath',
	'click',
	'click',
	'stutter',
	'stutter',
	'silence',
	'silence',
] as const;

/** Speech with natural pauses and nothing to cut; now and then a digit said twice on purpose. */
export function plainTalk(person: Person, seconds: number, chance: Chance): Talk {
	const tape = new Tape(seconds, chance);
	tape.pause(0.2, 0.4);
	for (;;) {
		const phrase = chance.pick(person.phrases);
		if (!tape.hasRoomFor(phrase.samples, 0.7)) return talkOf(person, tape);
		tape.say(phrase.samples, phrase.marks);
		tape.pause(0.12, 0.7);
		if (person.digits.length === 0 || !chance.isTrue(0.12)) continue;
		const digit = chance.pick(person.digits);
		if (!tape.hasRoomFor(digit.samples, digit.samples.length / RATE_HZ + 1))
			return talkOf(person, tape);
		tape.say(digit.samples, digit.marks);
		tape.pause(0.1, 0.3);
		const speed = chance.between(0.97, 1.03);
		tape.say(atSpeed(digit.samples, speed), digit.marks, speed);
		tape.pause(0.2, 0.7);
	}
}

/** Speech with something to cut in its pauses. */
export function eventfulTalk(person: Person, seconds: number, chance: Chance): Talk {
	const tape = new Tape(seconds, chance);
	tape.pause(0.2, 0.4);
	for (;;) {
		let phrase = chance.pick(person.phrases);
		if (!tape.hasRoomFor(phrase.samples, 7)) break;
		phrase = fillGap(tape, person, phrase, chance);
		tape.say(phrase.samples, phrase.marks);
	}
	return talkOf(person, tape);
}

function talkOf(person: Person, { clean, marks, events }: Tape) {
	return { person, clean, marks, events };
}

/** What a person said, before any room, noise or codec. Fillers and the like are not marked as words. */
export type Talk = ReturnType<typeof talkOf>;

/** Puts something before a phrase; a stutter brings its own phrase along. */
function fillGap(tape: Tape, person: Person, phrase: Take, chance: Chance): Take {
	const gap = chance.pick(GAPS);
	if (gap === 'silence') {
		tape.pause(1.1, 2.6);
		return phrase;
	}
	tape.pause(0.08, 0.4);
	if (gap === 'click') {
		tape.pause(0.1, 0.2);
		tape.put('mouth_sound', clickSound(chance), SPEECH_RMS * fromDb(chance.between(-16, 6)));
	} else if (gap === 'breath') {
		const breath = personBreath(person, chance);
		if (breath) tape.put('breath', breath, SPEECH_RMS * fromDb(chance.between(-30, -12)));
	} else if (gap === 'stutter') {
		const stutter = stutterOf(person, chance);
		if (stutter && tape.hasRoomFor(stutter.phrase.samples, 4)) {
			tape.stutter(stutter.fragments);
			return stutter.phrase;
		}
	}
	tape.pause(0.05, 0.35);
	return phrase;
}
