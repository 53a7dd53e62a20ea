import { join } from 'node:path';

import type { Bar } from '../../../testkit/measure/bars.mts';
import { median } from '../../../testkit/measure/median.mts';
import { framesOf, RATE_HZ, rms, toDb } from '../../../testkit/media/signals.mts';
import { pcmOf } from '../../../testkit/service/signals.mts';
import { convertedCopy } from '../../engine/denoisedCopy.mts';
import {
	MAX_DBTP,
	METER_MARGIN_DB,
	normalizeLoudness,
} from '../../engine/level/normalizeLoudness.mts';
import { musicUnderSpeech } from '../../engine/music/musicUnderSpeech.mts';
import { ANALYSIS_FORMAT } from '../../media/decode.mts';
import { pcmSourceOf, readFrames } from '../../media/pcmFile.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import { GUEST, guestVariants, type Interview, oneActor } from './interviews.mts';
import { loudnessOfParts } from './loudnessOfParts.mts';
import type { Voice } from './voices.mts';

/** The room is measured this far from what is said, seconds, in pieces of this length. */
const BESIDE_SECONDS = 0.12;
const PIECE_SECONDS = 0.05;

/** Low enough for the limiter to have nothing to do: it, too, makes a loud speaker softer. */
const LOW_LUFS = -40;

/** What leveling did to an interview. */
interface Leveled {
	/** How much louder the host is than the guest, LU. */
	readonly apartLu: number;
	/** The same before. */
	readonly beforeLu: number;
	/** How much the gain within one speaker varies, dB. */
	readonly hostSdDb: number;
	readonly guestSdDb: number;
	/** How far the room moves between turns on the whole, and how far within them at most, dB. */
	readonly betweenDb: number;
	readonly withinDb: number;
}

/** Lets a host talk with softer guests, and one actor alone, and measures the level of each speaker. */
export async function speakerLevelBars(voices: readonly Voice[], folder: string): Promise<Bar[]> {
	const bars: Bar[] = [];
	const all: Leveled[] = [];
	for (const interview of await guestVariants(voices, folder)) {
		const figures = await leveledIn(interview, folder);
		all.push(figures);
		bars.push(...guestBars(interview.name, figures));
	}
	const near = all.filter(({ apartLu }) => Math.abs(apartLu) <= 3).length;
	bars.push({
		name: 'guests within 3 LU of their host',
		figure: (100 * near) / all.length,
		limit: 90,
		goal: '>=',
		decimals: 0,
		unit: '%',
	});
	for (const interview of await oneActor(voices, folder)) {
		const { hostSdDb } = await leveledIn(interview, folder);
		bars.push({
			name: `gain varies, one actor: ${interview.name}`,
			figure: hostSdDb,
			limit: 0.5,
			unit: 'dB',
		});
	}
	return bars;
}

function guestBars(name: string, figures: Leveled): Bar[] {
	const { apartLu, beforeLu, hostSdDb, guestSdDb, betweenDb, withinDb } = figures;
	const from = `${beforeLu.toFixed(1)} LU before`;
	return [
		{ name: `guest ${name}: below the host, ${from}`, figure: apartLu, limit: 3, unit: 'LU' },
		{ name: `guest ${name}: gain varies, host`, figure: hostSdDb, limit: 1.5, unit: 'dB' },
		{ name: `guest ${name}: gain varies, guest`, figure: guestSdDb, limit: 1.5, unit: 'dB' },
		{ name: `guest ${name}: room between turns`, figure: betweenDb, limit: 1, unit: 'dB' },
		{ name: `guest ${name}: room within turns`, figure: withinDb, limit: 6, unit: 'dB' },
	];
}

/** Levels an interview, and compares it with the same without leveling of speakers. */
async function leveledIn(interview: Interview, folder: string): Promise<Leveled> {
	const { samples, channels, said } = interview;
	const pcm = await pcmOf(samples, join(folder, 'interview.f32'), {
		sampleRateHz: RATE_HZ,
		channels,
	});
	const analysis = await convertedCopy(pcm, join(folder, 'interview.s16'), {
		...ANALYSIS_FORMAT,
		channels,
	});
	const goal = {
		targetLufs: LOW_LUFS,
		gateLufs: -120,
		ceilingDbtp: MAX_DBTP - METER_MARGIN_DB,
		turns: { findMusic: () => musicUnderSpeech(analysis, []), workFolder: folder },
	};
	const heard = async (turnShare: number) => {
		const sound = await normalizeLoudness(pcmSourceOf(pcm), { ...goal, turnShare });
		return await readFrames(sound, 0, sound.frames);
	};
	const [before, after] = [await heard(0), await heard(1)];
	const part = (of: Float32Array, { start, end }: IndexRange) =>
		of.subarray(start * channels, end * channels);
	const gainDb = (range: IndexRange) =>
		toDb(rms(part(after, range))) - toDb(rms(part(before, range)));
	const sdOf = (guest: boolean) =>
		deviation(
			said
				.filter(({ person }) => (person === GUEST) === guest)
				.map((one) => [gainDb(one), one.end - one.start]),
		);
	const lufsOf = async (of: Float32Array, guest: boolean) => {
		const own = said.filter(({ person }) => (person === GUEST) === guest);
		const parts = own.map((one) => part(of, one));
		return await loudnessOfParts(parts, channels, folder);
	};
	const apart = async (of: Float32Array) => (await lufsOf(of, false)) - (await lufsOf(of, true));
	const hostDb = median(said.filter(({ person }) => person !== GUEST).map(gainDb));
	const [between, within] = roomsOf(said);
	const energyIn = (of: Float32Array) =>
		between.reduce((sum, place) => sum + rms(part(of, place)) ** 2, 0);
	const movedDb = 10 * Math.log10(energyIn(after) / energyIn(before)) - hostDb;
	return {
		apartLu: await apart(after),
		beforeLu: await apart(before),
		hostSdDb: sdOf(false),
		guestSdDb: sdOf(true),
		betweenDb: between.length > 0 ? Math.abs(movedDb) : 0,
		withinDb: Math.max(0, ...within.map((place) => gainDb(place) - hostDb)),
	};
}

/** Pieces of the room between turns, and within turns. */
function roomsOf(said: Interview['said']) {
	const [beside, piece] = [framesOf(BESIDE_SECONDS), framesOf(PIECE_SECONDS)];
	const rooms: IndexRange[][] = [[], []];
	for (const [index, next] of said.slice(1).entries()) {
		const last = said[index];
		const kind = last.person === next.person ? 1 : 0;
		const from = last.end + beside;
		for (let start = from; start + piece <= next.start - beside; start += piece) {
			rooms[kind].push({ start, end: start + piece });
		}
	}
	return rooms;
}

/** The standard deviation of values, each with its weight. */
function deviation(values: readonly (readonly [number, number])[]): number {
	const weight = values.reduce((sum, [, own]) => sum + own, 0);
	if (weight === 0) return 0;
	const mean = values.reduce((sum, [value, own]) => sum + value * own, 0) / weight;
	const square = values.reduce((sum, [value, own]) => sum + (value - mean) ** 2 * own, 0) / weight;
	return Math.sqrt(square);
}
