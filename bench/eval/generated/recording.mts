import type { Chance } from '../chance.mts';
import { HOP_SECONDS, SPEECH_RMS, STILL, WORD } from '../scene.mts';
import { framesOf, fromDb, rms } from '../signals.mts';
import { breathSound, clickSound } from '../sounds.mts';
import { Tape } from '../tape.mts';
import type { Phrase, Voice } from './voices.mts';

/** Pauses up to the first length are natural; those from the second on must be cut. None is between, seconds. */
const LONGEST_NATURAL_SECONDS = 0.8;
const SHORTEST_LONG_SECONDS = 1;

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
	'filler',
	'filler',
	'hesitation',
	'stutter',
	'stutter',
	'silence',
	'silence',
] as const;

/** A speech of a length with events between its phrases; the room and noise come later. */
export async function recordSpeech(
	voice: Voice,
	lengthSeconds: number,
	chance: Chance,
): Promise<Tape> {
	const tape = new Tape(lengthSeconds, chance);
	for (;;) {
		const phrase = await voice.phrase(chance);
		const gap = chance.pick(GAPS);
		// Room for the longest gap and the phrase, and a long silence at the end.
		if (!tape.hasRoomFor(phrase.samples, 5)) break;
		await fillGap(gap, tape, voice, phrase, chance);
		tape.say(phrase.samples);
	}
	tape.mark('long_silence', tape.seconds, lengthSeconds);
	return tape;
}

async function fillGap(
	gap: (typeof GAPS)[number],
	tape: Tape,
	voice: Voice,
	phrase: Phrase,
	chance: Chance,
): Promise<void> {
	if (gap === 'pause') tape.pause(0.1, LONGEST_NATURAL_SECONDS);
	else if (gap === 'silence') putSilence(tape, chance);
	else if (gap === 'breath') putBreath(tape, chance);
	else if (gap === 'click') putClick(tape, chance);
	else if (gap === 'stutter') await putStutter(tape, phrase);
	else await putFiller(gap, tape, voice, chance);
}

function putSilence(tape: Tape, chance: Chance): void {
	const start = tape.seconds;
	tape.pause(SHORTEST_LONG_SECONDS, chance.isTrue(0.3) ? 4 : 2);
	tape.mark('long_silence', start, tape.seconds);
}

function putBreath(tape: Tape, chance: Chance): void {
	tape.pause(0.05, 0.3);
	tape.put('breath', breathSound(chance), SPEECH_RMS * fromDb(chance.between(-32, -12)));
	tape.pause(0.02, 0.18);
}

function putClick(tape: Tape, chance: Chance): void {
	tape.pause(0.13, 0.4);
	// The peak of a click, against the RMS of speech: its own peaks are 12 dB and more above that.
	tape.put('mouth_sound', clickSound(chance), SPEECH_RMS * fromDb(chance.between(-20, 6)));
	tape.pause(0.05, 0.35);
}

async function putStutter(tape: Tape, { fragments }: Phrase): Promise<void> {
	const made = await fragments();
	tape.pause(0.1, 0.5);
	tape.stutter(made);
}

async function putFiller(
	kind: 'filler' | 'hesitation',
	tape: Tape,
	voice: Voice,
	chance: Chance,
): Promise<void> {
	const sound = await voice[kind]?.(chance);
	if (!sound) {
		tape.pause(0.1, LONGEST_NATURAL_SECONDS);
		return;
	}
	// One in four is said without a pause after the phrase before.
	if (chance.isTrue(0.25)) tape.pause(0, 0.05);
	else tape.pause(0.08, 0.5);
	tape.put(kind, sound, SPEECH_RMS * fromDb(chance.between(-6, 0)));
	tape.pause(0.08, 0.5);
}

/** Speech is what is no more than this below its mean, dB: soft endings count, its pauses do not. */
const DEPTH_DB = 35;

/** The marks of what was really said, without fillers, noise and anything else, by its level. */
export function marksOf(speech: Float32Array): Uint8Array {
	const length = framesOf(HOP_SECONDS);
	const levels = Array.from({ length: Math.floor(speech.length / length) }, (_, hop) =>
		rms(speech.subarray(hop * length, (hop + 1) * length)),
	);
	const spoken = levels.filter((level) => level > 1e-4);
	const energy = spoken.reduce((sum, level) => sum + level * level, 0);
	const limit = Math.sqrt(energy / Math.max(1, spoken.length)) * fromDb(-DEPTH_DB);
	return Uint8Array.from(levels, (level) => (level > limit ? WORD : STILL));
}
