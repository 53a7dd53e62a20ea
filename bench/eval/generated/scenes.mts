import { Chance } from '../chance.mts';
import { type Scene, withBackground } from '../scene.mts';
import { activeRms, addAt, framesOf, fromDb, RATE_HZ, scaled } from '../signals.mts';
import { babbleOf, noiseSound, type NoiseKind } from '../sounds.mts';
import { marksOf, recordSpeech } from './recording.mts';
import { generatedVoice, realMusic, realVoices, type Voice } from './voices.mts';

/** Where a recording was made, so to speak. */
type Condition = 'clean' | 'real voice' | 'music' | 'noise 20 dB' | 'noise 15 dB';

/** The conditions of the scenes of a set: each has its share of this list. */
const MIX: readonly Condition[] = [
	'clean',
	'noise 20 dB',
	'music',
	'real voice',
	'noise 15 dB',
	'clean',
	'noise 20 dB',
	'music',
	'real voice',
	'clean',
];

const NOISES: readonly NoiseKind[] = ['office', 'fan', 'babble'];

/** The scenes of a set, made from a seed one after the other. */
export async function* scenesOf(
	seed: number,
	count: number,
	lengthSeconds: number,
): AsyncGenerator<Scene> {
	const real = realVoices();
	for (let index = 0; index < count; index++) {
		const chance = new Chance(seed * 1_000 + index);
		const condition = MIX[index % MIX.length];
		const isReal = condition === 'real voice' && real.length > 0;
		const voice = isReal ? real[Math.floor(index / 5) % real.length] : generatedVoice(chance);
		yield await sceneOf(condition, voice, index, lengthSeconds, chance);
	}
}

async function sceneOf(
	condition: Condition,
	voice: Voice,
	index: number,
	lengthSeconds: number,
	chance: Chance,
): Promise<Scene> {
	const tape = await recordSpeech(voice, lengthSeconds, chance);
	const frames = tape.clean.length;
	const speech = activeRms(tape.clean);
	const room = scaled(
		noiseSound('room', frames, chance),
		speech * fromDb(chance.between(-55, -45)),
	);
	let name = voice.name;
	const backgrounds = [room];
	if (condition === 'music') {
		const music = await musicBed(frames, chance);
		backgrounds.push(scaled(music, (speech * fromDb(chance.between(-28, -20))) / activeRms(music)));
	} else if (condition.startsWith('noise')) {
		const kind = NOISES[index % NOISES.length];
		name = `${kind}, ${name}`;
		const noise =
			kind === 'babble' ? await babble(frames, chance) : noiseSound(kind, frames, chance);
		backgrounds.push(scaled(noise, speech * fromDb(condition === 'noise 20 dB' ? -20 : -15)));
	}
	const recording = withBackground(tape, ...backgrounds);
	return { ...recording, condition, isEventful: true, name, marks: marksOf(tape.speech) };
}

/** Many voices of espeak-ng at RMS 1. */
async function babble(frames: number, chance: Chance): Promise<Float32Array> {
	const voices: Float32Array[] = [];
	for (let i = 0; i < 12; i++) {
		voices.push((await generatedVoice(chance).phrase(chance)).samples);
	}
	return babbleOf(voices, frames, chance);
}

/** Half of the beds are real music when it is installed; the rest are chords with a beat. */
async function musicBed(frames: number, chance: Chance): Promise<Float32Array> {
	const real = chance.isTrue(0.5) ? await realMusic(frames / RATE_HZ, chance) : undefined;
	if (!real) return chords(frames, chance);
	const bed = new Float32Array(frames);
	for (let frame = 0; frame < frames && real.length > 0; frame += real.length)
		addAt(bed, real, frame);
	return bed;
}

function chords(frames: number, chance: Chance): Float32Array {
	const bed = new Float32Array(frames);
	const beat = framesOf(chance.between(0.4, 0.6));
	for (let start = 0; start < frames; start += 4 * beat) {
		const rootHz = 110 * 2 ** (chance.whole(0, 11) / 12);
		const tones = [1, 2 ** (chance.pick([3, 4]) / 12), 2 ** (7 / 12), 2, 4].map((r) => r * rootHz);
		const chord = Float32Array.from({ length: 4 * beat }, (_, i) => {
			const swell = 0.6 + 0.4 * Math.exp(-(i % beat) / (0.15 * RATE_HZ));
			const sum = tones.reduce((all, hz) => all + Math.sin((2 * Math.PI * hz * i) / RATE_HZ), 0);
			return (swell * sum * Math.min(1, i / 2_000, (4 * beat - i) / 2_000)) / tones.length;
		});
		addAt(bed, chord, start);
	}
	return bed;
}
