import type { Chance } from '../chance.mts';
import { type KnownEvent, type Scene, SPEECH_RMS, withBackground } from '../scene.mts';
import { addAt, framesOf, fromDb, RATE_HZ, scaled } from '../signals.mts';
import { noiseSound } from '../sounds.mts';
import type { Tape } from '../tape.mts';
import { marksOf, recordSpeech } from './recording.mts';
import { generatedVoice, type Voice } from './voices.mts';

/** How faintly each is heard on the other's track. */
const CROSSTALK_DB = -34;

/** One side of a conversation as it grows. */
interface Side {
	voice: Voice;
	tape: Pick<Tape, 'speech' | 'clean'> & { events: KnownEvent[] };
}

/**
 * Two people on two tracks who speak in turns. The listener throws in a word now and then; what the
 * speaker does meanwhile cannot be cut, so it counts neither as missed nor as found.
 */
export async function conversation(
	turnSeconds: number,
	turns: number,
	chance: Chance,
): Promise<Scene[]> {
	const frames = framesOf(turnSeconds * turns);
	const sides = Array.from({ length: 2 }, (): Side => {
		const tape = { speech: new Float32Array(frames), clean: new Float32Array(frames), events: [] };
		return { voice: generatedVoice(chance), tape };
	});
	for (let turn = 0; turn < turns; turn++) {
		const [speaker, listener] = turn % 2 === 0 ? sides : sides.toReversed();
		await addTurn(speaker, turn * turnSeconds, turnSeconds, chance);
		await throwIn(speaker, listener, turn * turnSeconds, turnSeconds, chance);
	}
	const talks = sides.map(({ tape }) => {
		const room = scaled(noiseSound('room', frames, chance), SPEECH_RMS * fromDb(-50));
		return withBackground(tape, room);
	});
	// Both tracks are judged by the same edits and the same events.
	const events = talks.flatMap((talk) => talk.events);
	return talks.map(({ clean, samples }, index) => {
		addAt(samples, talks[1 - index].clean, framesOf(0.002), fromDb(CROSSTALK_DB));
		const marks = marksOf(sides[index].tape.speech);
		const about = { condition: 'two tracks', isEventful: true, name: sides[index].voice.name };
		return { ...about, ...{ samples, clean, marks, events } };
	});
}

async function addTurn({ voice, tape }: Side, start: number, seconds: number, chance: Chance) {
	const talk = await recordSpeech(voice, seconds, chance);
	addAt(tape.speech, talk.speech, framesOf(start));
	addAt(tape.clean, talk.clean, framesOf(start));
	for (const event of talk.events) {
		tape.events.push({
			...event,
			startSeconds: start + event.startSeconds,
			endSeconds: start + event.endSeconds,
		});
	}
}

/** A word or two of the listener in the middle of a turn. */
async function throwIn(
	speaker: Side,
	listener: Side,
	start: number,
	seconds: number,
	chance: Chance,
): Promise<void> {
	const { samples } = await listener.voice.phrase(chance);
	const from = start + chance.between(0.2, 0.5) * seconds;
	const to = from + samples.length / RATE_HZ;
	addAt(listener.tape.speech, samples, framesOf(from), SPEECH_RMS);
	addAt(listener.tape.clean, samples, framesOf(from), SPEECH_RMS);
	for (const event of speaker.tape.events) {
		// A long silence loses its guard, too.
		if (event.startSeconds < to + 0.5 && event.endSeconds > from - 0.5) event.isMasked = true;
	}
}
