import { join } from 'node:path';

import type { Bar } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { addAt, framesOf, RATE_HZ, rms, toDb } from '../../../testkit/media/signals.mts';
import { pcmOf } from '../../../testkit/service/signals.mts';
import { editedAudio } from '../../engine/editedAudio.mts';
import { pcmSourceOf, readFrames } from '../../media/pcmFile.mts';
import type { IndexRange } from '../../shared/timeRanges.mts';
import { roomTone } from '../conditions.mts';
import { SPEECH_RMS } from '../scene.mts';
import type { Voice } from './voices.mts';

/** Every third sentence is muted, of this many. */
const SENTENCES = 18;
const MUTED_EACH = 3;

/** The noise of the room, dB against speech. */
const ROOM_DB = -45;

/** The room is compared in pieces of this length, seconds. */
const PIECE_SECONDS = 0.2;

/** Fades lie inside of what is muted, seconds. */
const FADE_SECONDS = 0.02;

/** Mutes sentences, and listens to what is there instead. */
export async function mutingBars(voices: readonly Voice[], folder: string): Promise<Bar[]> {
	const bars: Bar[] = [];
	for (const [index, voice] of voices.entries()) {
		const { samples, room, muted } = talkOf(voice, new Chance(index + 1));
		const path = join(folder, 'muted.f32');
		const pcm = pcmSourceOf(await pcmOf(samples, path, { sampleRateHz: RATE_HZ }));
		const times = muted.map(({ start, end }) => ({
			startSeconds: start / RATE_HZ,
			endSeconds: end / RATE_HZ,
		}));
		const sound = editedAudio(pcm, times, { mode: 'mute', isExact: true });
		const after = await readFrames(sound, 0, sound.frames);
		const figures = muted.map((range) => comparedIn(inner(range), samples, room, after));
		const largest = (name: 'offDb' | 'likeness') => Math.max(...figures.map((one) => one[name]));
		bars.push(
			{
				name: `muted: off the room's level, ${voice.name}`,
				figure: largest('offDb'),
				limit: 3,
				unit: 'dB',
			},
			{
				name: `muted: likeness to what was said, ${voice.name}`,
				figure: largest('likeness'),
				limit: 0.1,
			},
		);
	}
	return bars;
}

function talkOf({ sentences }: Voice, chance: Chance) {
	const takes = Array.from({ length: SENTENCES }, () => chance.pick(sentences));
	const pauses = takes.map(() => framesOf(chance.between(0.3, 1)));
	const length = takes.reduce((sum, take, i) => sum + take.samples.length + pauses[i], 0);
	const room = roomTone(length, ROOM_DB, chance);
	const samples = room.slice();
	const muted: IndexRange[] = [];
	let frame = 0;
	for (const [index, { samples: said }] of takes.entries()) {
		addAt(samples, said, frame, SPEECH_RMS);
		if (index % MUTED_EACH === 1) muted.push({ start: frame, end: frame + said.length });
		frame += said.length + pauses[index];
	}
	return { samples, room, muted };
}

function inner({ start, end }: IndexRange): IndexRange {
	return { start: start + framesOf(FADE_SECONDS), end: end - framesOf(FADE_SECONDS) };
}

function comparedIn(
	{ start, end }: IndexRange,
	before: Float32Array,
	room: Float32Array,
	after: Float32Array,
) {
	const step = framesOf(PIECE_SECONDS);
	const roomDb = toDb(rms(room));
	let offDb = 0;
	for (let from = start; from + step <= end; from += step) {
		offDb = Math.max(offDb, Math.abs(toDb(rms(after.subarray(from, from + step))) - roomDb));
	}
	let [both, was, is] = [0, 0, 0];
	for (let i = start; i < end; i++) {
		both += before[i] * after[i];
		was += before[i] ** 2;
		is += after[i] ** 2;
	}
	return { offDb, likeness: Math.abs(both) / Math.sqrt(was * is + 1e-20) };
}
