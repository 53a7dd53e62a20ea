import { join } from 'node:path';

import type { Bar } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import {
	atRms,
	faded,
	framesOf,
	fromDb,
	RATE_HZ,
	rms,
	scaled,
	toDb,
} from '../../../testkit/media/signals.mts';
import { pcmOf } from '../../../testkit/service/signals.mts';
import { lowered } from '../../engine/bleed/lowerBleed.mts';
import { bleedGains } from '../../engine/bleed/bleedGains.mts';
import { ownVoicesIn } from '../../engine/bleed/ownVoices.mts';
import { convertedCopy } from '../../engine/denoisedCopy.mts';
import { factorAt, hopFramesAt } from '../../engine/signal/levels.mts';
import { featuresOf, USUAL_FEATURES } from '../../engine/recordingFeatures.mts';
import { ANALYSIS_FORMAT } from '../../media/decode.mts';
import { pcmSourceOf, readFrames, type PcmSource } from '../../media/pcmFile.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import { inRoom, roomTone } from '../conditions.mts';
import { soundFiles, soundOf } from '../recorded/soundFiles.mts';
import { SPEECH_RMS } from '../scene.mts';
import { aloneOf, type Placed, type Voice } from './voices.mts';

/** How loud somebody comes over into the other microphone, dB against their own. */
const BLEED_DB = [-16, -22, -28] as const;

/** The noise of each room, dB against speech. */
const ROOM_DB = [-52, -48] as const;

/** How many turns each has. */
const TURNS = 16;

/** The room that lies between the microphones, seconds until it has decayed by 60 dB. */
const RT60_SECONDS = 0.35;

/** Somebody who answers is this much softer than usual, dB. */
const ANSWER_DB = [-14, -6] as const;

const LAUGHS =
	'/usr/share/games/hedgewars/Data/Sounds/voices/{British,HillBilly,Mobster,Pirate,Surfer}/Laugh.ogg';

/** The gain of 10 dB that is asked for by default. */
const REDUCTION_DB = 10;

/** What is close to the own voice is not judged as a turn of the other, seconds. */
const BESIDE_SECONDS = 0.25;

/** The floor is measured in pauses of this length, this long after a word, seconds. */
const MIN_PAUSE_SECONDS = 0.15;
const ECHO_SECONDS = 0.3;

type Kind = 'turn' | 'double talk' | 'answer' | 'laughter';

interface Said extends IndexRange {
	readonly person: number;
	readonly kind: Kind;
}

/** What each person says alone, without the other and without noise. */
interface Scene {
	readonly voices: readonly Float32Array[];
	readonly rooms: readonly Float32Array[];
	/** What comes over into each microphone. */
	readonly over: readonly Float32Array[];
	readonly said: readonly Said[];
}

/** Lets two people talk, each with a microphone, and measures what becomes of each in it. */
export async function twoMicrophoneBars(voices: readonly Voice[], folder: string): Promise<Bar[]> {
	const laughs = await Promise.all(soundFiles(LAUGHS).map((path) => soundOf(path)));
	const bars: Bar[] = [];
	for (const [index, bleedDb] of BLEED_DB.entries()) {
		const pair = [voices[2 * index], voices[2 * index + 1]];
		const scene = sceneOf(pair, laughs, bleedDb, new Chance(index + 1));
		bars.push(...(await judged(scene, pair, bleedDb, folder)));
	}
	return bars;
}

/** Lets two people talk, each in front of a microphone; without laughs, nobody laughs. */
export function sceneOf(
	pair: readonly Voice[],
	laughs: readonly Float32Array[],
	bleedDb: number,
	chance: Chance,
	turns: number = TURNS,
): Scene {
	const placed: (Said & Placed)[] = [];
	let frame = framesOf(1);
	const place = (
		person: number,
		kind: Kind,
		start: number,
		samples: Float32Array,
		gainDb: number,
	) => {
		const gain = SPEECH_RMS * fromDb(gainDb);
		placed.push({ person, kind, start, end: start + samples.length, samples, gain });
	};
	for (let turn = 0; turn < 2 * turns; turn++) {
		const [person, other] = [turn % 2, (turn + 1) % 2];
		const first = frame;
		const sentences = [0, 1].map(() => chance.pick(pair[person].sentences).samples);
		for (const samples of sentences) {
			place(person, 'turn', frame, samples, chance.between(-2, 2));
			frame += samples.length + framesOf(chance.between(0.15, 0.6));
		}
		const middle = first + Math.floor(chance.between(0.25, 0.6) * (frame - first));
		const answer = () => answerOf(chance.pick(pair[other].sentences).samples, chance);
		const kind = (['answer', 'laughter', 'double talk', 'answer'] as const)[(turn >> 1) % 4];
		if (kind === 'answer') place(other, kind, middle, answer(), chance.between(...ANSWER_DB));
		else if (kind === 'laughter' && laughs.length > 0) {
			const laugh = chance.pick(laughs);
			place(other, kind, middle, scaled(laugh, 1 / rms(laugh)), -4);
		} else if (kind === 'double talk') {
			place(other, kind, middle, chance.pick(pair[other].sentences).samples, 0);
		}
		frame = Math.max(frame, ...placed.map(({ end }) => end)) + framesOf(chance.between(0.1, 0.8));
	}
	const length = frame + framesOf(1);
	const voices = aloneOf(placed, length);
	const rooms = ROOM_DB.map((db) => roomTone(length, db, chance));
	const over = [1, 0].map((from) =>
		scaled(inRoom(voices[from], RT60_SECONDS, chance), fromDb(bleedDb)),
	);
	return {
		voices,
		rooms,
		over,
		said: placed.map(({ person, kind, start, end }) => ({ person, kind, start, end })),
	};
}

/** A syllable or two, as somebody says "mm-hm" while another talks. */
function answerOf(sentence: Float32Array, chance: Chance): Float32Array {
	const start = framesOf(0.03);
	const said = sentence.slice(start, start + framesOf(chance.between(0.25, 0.7)));
	return faded(atRms(said, 1), 0.02, 0.08);
}

async function judged(
	scene: Scene,
	pair: readonly Voice[],
	bleedDb: number,
	folder: string,
): Promise<Bar[]> {
	const { voices, rooms, over, said } = scene;
	const heard = voices.map((voice, track) => {
		return voice.map((sample, i) => sample + rooms[track][i] + over[track][i]);
	});
	const features = [];
	const sounds: PcmSource[] = [];
	for (const [track, samples] of heard.entries()) {
		const path = join(folder, `microphone${track}`);
		const pcm = await pcmOf(samples, `${path}.f32`, { sampleRateHz: RATE_HZ });
		const analysis = await convertedCopy(pcm, `${path}.s16`, { ...ANALYSIS_FORMAT, channels: 1 });
		features.push(await featuresOf(analysis, USUAL_FEATURES));
		sounds.push(pcmSourceOf(pcm));
	}
	const gains = bleedGains(ownVoicesIn(features), REDUCTION_DB);
	const mixes: Float32Array[] = [];
	for (const [track, sound] of sounds.entries()) {
		mixes.push(await readFrames(lowered(sound, gains[track]), 0, sound.frames));
	}
	return [
		...pair.flatMap(({ name }, track) => {
			return barsOf(scene, track, gains[track], `${bleedDb} dB, ${name}'s microphone`);
		}),
		{
			name: `floor of the mix moves, ${bleedDb} dB`,
			figure: floorMoves(mixes, said),
			limit: 3,
			unit: 'dB',
		},
	];
}

/** What becomes of both people in one microphone. */
function barsOf(
	{ voices, over, said }: Scene,
	track: number,
	gains: Float32Array,
	who: string,
): Bar[] {
	const [own, other] = [voices[track], over[track]].map((one) => scaledBy(one, gains));
	const loweredDb = ({ start, end }: IndexRange) => {
		const [before, after] = [voices[track], own].map((one) => toDb(rms(one.subarray(start, end))));
		return before - after;
	};
	const most = (wanted: Kind) => {
		const some = said.filter(({ person, kind }) => person === track && kind === wanted);
		return Math.max(0, ...some.map(loweredDb));
	};
	const turns = turnsAlone(said, 1 - track, track);
	const energyIn = (samples: Float32Array) =>
		turns.reduce((sum, { start, end }) => {
			return sum + rms(samples.subarray(start, end)) ** 2 * (end - start);
		}, 0);
	return [
		{
			name: `the other lowered, ${who}`,
			figure: 10 * Math.log10(energyIn(over[track]) / energyIn(other)),
			limit: 8,
			goal: '>=',
			unit: 'dB',
		},
		{ name: `own voice lowered at most, ${who}`, figure: most('turn'), limit: 0.3, unit: 'dB' },
		...(['double talk', 'answer', 'laughter'] as const).map((kind) => ({
			name: `${kind} lowered at most, ${who}`,
			figure: most(kind),
			limit: 0.5,
			unit: 'dB',
		})),
	];
}

/** Samples times the factors of their hops. */
function scaledBy(samples: Float32Array, factors: Float32Array): Float32Array {
	const step = hopFramesAt(RATE_HZ);
	return samples.map((sample, frame) => sample * factorAt(factors, frame / step));
}

/** Where only one person speaks, and the other not nearly. */
export function turnsAlone(said: readonly Said[], speaker: number, listener: number): IndexRange[] {
	const beside = framesOf(BESIDE_SECONDS);
	let turns: IndexRange[] = said.filter(
		({ person, kind }) => person === speaker && kind === 'turn',
	);
	for (const { start, end } of said.filter(({ person }) => person === listener)) {
		turns = turns.flatMap((turn) => [
			{ start: turn.start, end: Math.min(turn.end, start - beside) },
			{ start: Math.max(turn.start, end + beside), end: turn.end },
		]);
		turns = turns.filter((turn) => turn.end - turn.start > framesOf(0.1));
	}
	return turns;
}

/** How far apart the pauses of the mix are in level: between turns, and within them. */
export function floorMoves(tracks: readonly Float32Array[], said: readonly Said[]): number {
	const mix = tracks[0].map((_, i) => tracks.reduce((sum, track) => sum + track[i], 0));
	const levels: number[] = [];
	let end = 0;
	for (const one of said.toSorted((a, b) => a.start - b.start)) {
		// The room still sounds for a while after a word.
		const start = end + framesOf(ECHO_SECONDS);
		const pause = mix.subarray(start, Math.max(start, one.start));
		if (pause.length >= framesOf(MIN_PAUSE_SECONDS)) levels.push(toDb(rms(pause)));
		end = Math.max(end, one.end);
	}
	return Math.max(...levels) - Math.min(...levels);
}
