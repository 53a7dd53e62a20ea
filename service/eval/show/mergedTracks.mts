import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Bar } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { decoded } from '../../../testkit/media/decoded.mts';
import { fromDb } from '../../../testkit/media/signals.mts';
import { editRecording } from '../../engine/editRecording.mts';
import { fileArgument } from '../../media/ffmpeg/guardedInput.mts';
import { resolveEditConfig } from '../../shared/contract.mts';
import { wavOf } from '../editors/editor.mts';
import { loudnessOfParts } from './loudnessOfParts.mts';
import { floorMoves, sceneOf, turnsAlone } from './twoMicrophones.mts';
import type { Voice } from './voices.mts';

/** How much softer the second microphone is, dB, and how loud both come over into each other's. */
const VARIANTS = [
	{ softerDb: 0, bleedDb: -22 },
	{ softerDb: 12, bleedDb: -16 },
] as const;

/** How many turns each has. */
const TURNS = 6;

const CONFIG = resolveEditConfig({ remove_noise: false, normalize: true, merge: true });

/** Merges two microphones that are not equally loud, and measures the speakers and the room in the mix. */
export async function mergedTrackBars(voices: readonly Voice[], folder: string): Promise<Bar[]> {
	const bars: Bar[] = [];
	for (const [index, { softerDb, bleedDb }] of VARIANTS.entries()) {
		const pair = [voices[2 * index], voices[2 * index + 1]];
		const scene = sceneOf(pair, [], bleedDb, new Chance(index + 20), TURNS);
		const { voices: own, rooms, over, said } = scene;
		const sources = await Promise.all(
			own.map(async (voice, track) => {
				const gain = track === 0 ? 1 : fromDb(-softerDb);
				const samples = voice.map((one, i) => gain * (one + over[track][i] + rooms[track][i]));
				const name = `microphone${track}.wav`;
				return { path: await wavOf(samples, join(folder, name)), name };
			}),
		);
		const mix = await mergedIn(join(folder, 'merged'), sources);
		const lufs: number[] = [];
		for (const person of [0, 1]) {
			const turns = turnsAlone(said, person, 1 - person);
			const parts = turns.map(({ start, end }) => mix.subarray(start, end));
			lufs.push(await loudnessOfParts(parts, 1, folder));
		}
		const who = `${pair.map(({ name }) => name).join(' and ')}, ${softerDb} dB softer`;
		bars.push(
			{
				name: `merged: speakers apart, ${who}`,
				figure: Math.abs(lufs[0] - lufs[1]),
				limit: 1,
				unit: 'LU',
			},
			{
				name: `merged: floor moves, ${who}`,
				figure: floorMoves([mix], said),
				limit: 3,
				unit: 'dB',
			},
		);
	}
	return bars;
}

async function mergedIn(
	folder: string,
	sources: readonly { path: string; name: string }[],
): Promise<Float32Array> {
	const [workFolder, resultFolder] = [join(folder, 'work'), join(folder, 'result')];
	await rm(folder, { recursive: true, force: true });
	for (const one of [workFolder, resultFolder]) await mkdir(one, { recursive: true });
	const request = { sources, config: CONFIG, maxSourceSeconds: 3_600, workFolder, resultFolder };
	const { fileName } = await editRecording(request, () => undefined);
	return await decoded(['-i', fileArgument(join(resultFolder, fileName))]);
}
