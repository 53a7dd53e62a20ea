import type { IndexRange } from '../../../shared/timeRanges.mts';
import { Chance } from '../../../../testkit/measure/chance.mts';
import { decoded } from '../../../../testkit/media/decoded.mts';
import { HOP_SECONDS, type Scene, STILL, withBackground } from '../../scene.mts';
import {
	activeRms,
	atRms,
	faded,
	framesOf,
	RATE_HZ,
	scaled,
} from '../../../../testkit/media/signals.mts';
import { roomTone } from '../../conditions.mts';
import { Tape } from '../../tape.mts';
import { doubtfulSounds, longSilences } from '../pauses.mts';
import type { Half } from '../speakers.mts';
import { marksOf } from '../takes.mts';
import { type Part, PARTS } from './fillers.mts';
import { queenLines, type Recordings, skyLines } from './readActors.mts';

/** The condition of these scenes. */
export const ACTORS = 'actors, real fillers';

/** How many lines before and after one with a filler are in its scene. */
const NEIGHBORS = 5;

/** The noise of the recordings and of the room, dB against speech. */
const NOISE_DB = -50;

/** How far the borders that were read from pictures may be off, hops. */
const EDGE_HOPS = 6;

/** What is said in a line, and where its filler is. */
interface Line {
	samples: Float32Array;
	filler?: readonly [start: number, end: number];
}

/** Scenes of actors of one half: lines with real fillers, and those around them, in the order of the game. */
export async function* actorScenes(half: Half, seed: number): AsyncGenerator<Scene> {
	const games = await readGames();
	const chance = new Chance(seed);
	for (const part of PARTS.filter((one) => one.half === half)) {
		for (const names of scenesOf(part, games[part.game])) {
			const lines: Line[] = [];
			for (const name of names) {
				const samples = await lineOf(games[part.game], name);
				lines.push({ samples, filler: part.fillers[name] });
			}
			yield sceneOf(`${part.game} ${names[0]}`, lines, chance);
		}
	}
}

/** The real fillers of one half alone, RMS 1 each, as an answer would be said. */
export async function fillerSounds(half: Half): Promise<Float32Array[]> {
	const games = await readGames();
	const sounds: Float32Array[] = [];
	for (const part of PARTS.filter((one) => one.half === half)) {
		for (const [name, [start, end]] of Object.entries(part.fillers)) {
			const sound = (await lineOf(games[part.game], name)).slice(framesOf(start), framesOf(end));
			sounds.push(atRms(faded(sound, 0.005, 0.02), 1));
		}
	}
	return sounds;
}

async function readGames(): Promise<Readonly<Record<Part['game'], Recordings>>> {
	return { queen: await queenLines(), sky: await skyLines() };
}

/** The filler with its own soft beginning and end, hops: a picture shows its borders roughly. */
function wholeSoundOf(marks: Uint8Array, [first, last]: readonly [number, number]): IndexRange {
	const range = { start: Math.round(first / HOP_SECONDS), end: Math.round(last / HOP_SECONDS) };
	for (let hop = 0; hop < EDGE_HOPS; hop++) {
		if (marks[range.start - 1] !== STILL && range.start > 0) range.start--;
		if (marks[range.end] !== STILL && range.end < marks.length) range.end++;
	}
	return range;
}

/** The lines of each scene: neighbors are in one. */
function scenesOf(
	{ lines: pattern, fillers, doubtful = [] }: Part,
	{ lines }: Recordings,
): string[][] {
	const names = [...lines.keys()]
		.filter((name) => pattern.test(name) && !doubtful.includes(name))
		.sort();
	const scenes: { names: string[]; end: number }[] = [];
	for (const place of names.keys()) {
		if (!(names[place] in fillers)) continue;
		const last = scenes.at(-1);
		const start = Math.max(place - NEIGHBORS, last?.end ?? 0);
		const end = place + NEIGHBORS + 1;
		if (last && start <= last.end) {
			last.names.push(...names.slice(last.end, end));
			last.end = end;
		} else scenes.push({ names: names.slice(start, end), end });
	}
	return scenes.map((scene) => scene.names);
}

async function lineOf({ lines, inputArguments }: Recordings, name: string): Promise<Float32Array> {
	const input = lines.get(name)?.();
	if (input === undefined) throw new Error(`The game has no line ${name}.`);
	return faded(await decoded([...inputArguments, '-i', 'pipe:0'], input), 0.005, 0.005);
}

/** Lines one after the other, with pauses between, as loud as the one in the middle. */
export function sceneOf(name: string, lines: readonly Line[], chance: Chance): Scene {
	const loudness = lines
		.filter(({ filler }) => filler === undefined)
		.map(({ samples }) => activeRms(samples))
		.sort((a, b) => a - b);
	const level = loudness[Math.floor(loudness.length / 2)];
	const seconds = lines.reduce((sum, { samples }) => sum + samples.length / RATE_HZ + 1, 1);
	const tape = new Tape(Math.ceil(seconds), chance);
	tape.pause(0.4, 0.8);
	for (const { samples, filler } of lines) {
		const marks = marksOf(samples, level, NOISE_DB);
		if (filler) {
			const sound = wholeSoundOf(marks, filler);
			marks.fill(STILL, sound.start, sound.end);
			const [start, end] = [sound.start * HOP_SECONDS, sound.end * HOP_SECONDS];
			tape.mark('filler', tape.seconds + start, tape.seconds + end);
		}
		tape.say(scaled(samples, 1 / level), marks);
		tape.pause(0.2, 0.7);
	}
	const { clean, marks, events } = tape;
	const tone = roomTone(clean.length, NOISE_DB, chance);
	const recording = withBackground({ clean, events }, tone);
	const audible = [...recording.events, ...doubtfulSounds(marks)];
	return {
		condition: ACTORS,
		isEventful: true,
		name,
		marks,
		...recording,
		// Actors pause within their lines, too.
		events: [...audible, ...longSilences(marks, audible)],
	};
}
