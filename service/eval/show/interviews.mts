import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Chance } from '../../../testkit/measure/chance.mts';
import {
	addAt,
	atRms,
	framesOf,
	fromDb,
	RATE_HZ,
	scaled,
} from '../../../testkit/media/signals.mts';
import { KWeighting } from '../../engine/level/kWeighting.mts';
import { integratedLoudness } from '../../engine/level/loudness.mts';
import { hopFramesAt } from '../../engine/signal/levels.mts';
import { fileArgument } from '../../media/ffmpeg/guardedInput.mts';
import { pcmInputArguments } from '../../media/pcmFile.mts';
import { runFfmpeg } from '../../media/ffmpeg/runFfmpeg.mts';
import { decoded } from '../../../testkit/media/decoded.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import { passed, PASSAGES, roomTone } from '../conditions.mts';
import type { Take } from '../recorded/takes.mts';
import { SPEECH_RMS } from '../scene.mts';
import { whispered } from '../whisper.mts';
import type { Voice } from './voices.mts';

/** How long an interview is at least, seconds. */
const SECONDS = 100;

/** The noise of the room, dB against the host's speech. */
const ROOM_DB = -54;

/** How much the level of one person varies from sentence to sentence, dB. */
const VARIES_DB = 2;

const HOP_FRAMES = hopFramesAt(RATE_HZ);

export const [HOST, GUEST] = [0, 1] as const;

export interface Variant {
	/** The guest against the host. */
	readonly db: number;
	/** In each turn of the guest. */
	readonly sentences: number;
	readonly way?: 'stereo' | 'telephone';
}

const VARIANTS: readonly Variant[] = [
	{ db: -6, sentences: 1 },
	{ db: -8, sentences: 2 },
	{ db: -10, sentences: 1 },
	{ db: -10, sentences: 4, way: 'stereo' },
	{ db: -12, sentences: 1 },
	{ db: -14, sentences: 3 },
	{ db: -16, sentences: 1, way: 'telephone' },
	{ db: -18, sentences: 2, way: 'stereo' },
	{ db: -20, sentences: 1 },
	{ db: -22, sentences: 1 },
];

/** How much of each person comes to the left and to the right. */
const PLACES: readonly (readonly [number, number])[] = [
	[1, 0.6],
	[0.6, 1],
];

interface Said extends IndexRange {
	readonly person: number;
	readonly gain: number;
	readonly samples: Float32Array;
}

/** The sentences of somebody, together at 0 LUFS: a bass voice sounds softer than it is. */
function asLoud(sentences: readonly Sentence[]): Sentence[] {
	const energies: number[] = [];
	for (const { samples } of sentences) {
		const weighting = new KWeighting(RATE_HZ);
		for (let start = 0; start + HOP_FRAMES <= samples.length; start += HOP_FRAMES) {
			energies.push(weighting.energyOf(samples, start, start + HOP_FRAMES, 1) / HOP_FRAMES);
		}
	}
	const gain = fromDb(-(integratedLoudness(Float32Array.from(energies), -120) ?? 0));
	return sentences.map(({ samples }) => ({ samples: scaled(samples, gain) }));
}

/** What people say in one recording, in frames, in order of time. */
export interface Interview {
	readonly name: string;
	readonly samples: Float32Array;
	readonly channels: number;
	readonly said: readonly (IndexRange & { readonly person: number })[];
}

/** A host with ten softer guests, one at a time; each voice is a host and a guest. */
export async function guestVariants(
	voices: readonly Voice[],
	folder: string,
): Promise<Interview[]> {
	const interviews: Interview[] = [];
	for (const [index, variant] of VARIANTS.entries()) {
		const host = voices[index % voices.length];
		const step = 1 + Math.floor(index / voices.length) + (index % 2);
		const guest = voices[(index + step) % voices.length];
		interviews.push(await interviewOf([host, guest], variant, new Chance(index + 1), folder));
	}
	return interviews;
}

/** A host with one guest. */
export async function interviewOf(
	[host, guest]: readonly [Voice, Voice],
	variant: Variant,
	chance: Chance,
	folder: string,
): Promise<Interview> {
	const isPhone = variant.way === 'telephone';
	const heard = isPhone ? await onTelephone(guest.sentences, folder) : guest.sentences;
	const [hosts, guests] = [host.sentences, heard].map((own) => asLoud(own.slice(0, 40)));
	const said: Said[] = [];
	let frame = framesOf(0.5);
	while (frame < framesOf(SECONDS)) {
		frame = turn(said, frame, HOST, hosts, chance.whole(1, 3), 0, chance);
		frame = turn(said, frame, GUEST, guests, variant.sentences, variant.db, chance);
	}
	const way = variant.way === undefined ? '' : `, ${variant.way}`;
	const what = `${variant.db} dB, sentences ${variant.sentences}${way}`;
	const name = `${what} (${guest.name} with ${host.name})`;
	return recorded(name, said, variant.way === 'stereo' ? 2 : 1, chance);
}

/** One actor who plays three parts, whispers, or says something aside. */
export async function oneActor(voices: readonly Voice[], folder: string): Promise<Interview[]> {
	const interviews: Interview[] = [];
	for (const [index, { name, sentences }] of voices.entries()) {
		const chance = new Chance(index + 100);
		const some = asLoud(sentences.slice(0, 16));
		const [high, low] = await Promise.all([
			pitched(some, 1.3, join(folder, 'high')),
			pitched(some, 0.8, join(folder, 'low')),
		]);
		const parts = [some, high, low].map(asLoud);
		const levels = [0, -3, 1];
		const kinds = {
			'three voices': (turns: number) => ({ said: parts[turns % 3], db: levels[turns % 3] }),
			whispers: (turns: number) =>
				turns % 4 === 3 ? { said: whispers(some, chance), db: -12 } : { said: some, db: 0 },
			asides: (turns: number) => ({ said: some, db: turns % 4 === 3 ? -12 : 0 }),
		};
		for (const [place, [kind, partOf]] of Object.entries(kinds).entries()) {
			// Everybody plays parts, and either whispers or says something aside.
			if (place > 0 && index % 2 !== place - 1) continue;
			const said: Said[] = [];
			let frame = framesOf(0.5);
			for (let turns = 0; frame < framesOf(SECONDS); turns++) {
				const { said: own, db } = partOf(turns);
				frame = turn(said, frame, HOST, own, chance.whole(1, 3), db, chance);
			}
			interviews.push(recorded(`${kind}, ${name}`, said, 1, chance));
		}
	}
	return interviews;
}

/** Adds some sentences of one person; returns when the next one begins. */
function turn(
	said: Said[],
	start: number,
	person: number,
	sentences: readonly Pick<Take, 'samples'>[],
	count: number,
	db: number,
	chance: Chance,
): number {
	let frame = start;
	for (let sentence = 0; sentence < count; sentence++) {
		const { samples } = chance.pick(sentences);
		const gain = SPEECH_RMS * fromDb(db + chance.between(-VARIES_DB, VARIES_DB));
		said.push({ person, start: frame, end: frame + samples.length, gain, samples });
		frame += samples.length;
		if (sentence + 1 < count) frame += framesOf(chance.between(0.15, 0.7));
	}
	return frame + framesOf(chance.between(0.15, 0.9));
}

function recorded(
	name: string,
	said: readonly Said[],
	channels: number,
	chance: Chance,
): Interview {
	const length = said[said.length - 1].end + framesOf(0.5);
	const sides = Array.from({ length: channels }, () => roomTone(length, ROOM_DB, chance));
	for (const { person, start, gain, samples } of said) {
		for (const [side, sound] of sides.entries()) {
			addAt(sound, samples, start, gain * (channels === 1 ? 1 : PLACES[person][side]));
		}
	}
	const all = new Float32Array(length * channels);
	for (const [side, sound] of sides.entries()) {
		for (let i = 0; i < length; i++) all[i * channels + side] = sound[i];
	}
	const heard = said.map(({ person, start, end }) => ({ person, start, end }));
	return { name, samples: all, channels, said: heard };
}

type Sentence = Pick<Take, 'samples'>;

async function onTelephone(sentences: readonly Sentence[], folder: string): Promise<Sentence[]> {
	const [passage] = PASSAGES.telephone ?? [];
	const calls: Sentence[] = [];
	for (const { samples } of sentences.slice(0, 40)) {
		calls.push({ samples: atRms(await passed(atRms(samples.slice(), 0.1), passage, folder), 1) });
	}
	return calls;
}

/** The same mouth with other vocal folds: another pitch, the same formants. */
async function pitched(sentences: readonly Sentence[], pitch: number, path: string) {
	const some: Sentence[] = [];
	for (const { samples } of sentences) {
		const raw = `${path}.f32`;
		await writeFile(raw, atRms(samples.slice(), 0.1));
		const pcm = { path: raw, sampleRateHz: RATE_HZ, channels: 1, frames: samples.length };
		const filter = `rubberband=pitch=${pitch}:formant=preserved`;
		await runFfmpeg([...pcmInputArguments(pcm), '-af', filter, fileArgument(`${path}.wav`)]);
		const sound = await decoded(['-i', fileArgument(`${path}.wav`)]);
		some.push({ samples: atRms(sound, 1) });
	}
	return some;
}

function whispers(sentences: readonly Sentence[], chance: Chance): Sentence[] {
	const { samples } = chance.pick(sentences);
	return [{ samples: atRms(whispered(samples, chance), 1) }];
}
