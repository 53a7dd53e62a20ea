import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { reduceNoise } from '../../engine/denoise/reduceNoise.mts';
import { reduceNoiseLegacy } from '../../engine/denoise/reduceNoiseLegacy.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { passed } from '../conditions.mts';
import type { Denoise } from '../editors/editor.mts';
import { wholeOf } from '../enhancement.mts';
import { inStep, type ServiceEditor } from '../editors/serviceEditor.mts';
import {
	addAt,
	activeRms,
	faded,
	framesOf,
	fromDb,
	RATE_HZ,
} from '../../../testkit/media/signals.mts';
import type { Person } from '../recorded/people.mts';
import { noiseBed } from '../recorded/scenes.mts';
import { plainTalk } from '../recorded/talks.mts';

/** The length of a talk. */
export const SECONDS = 15;

/** Noise that stays the same, noise that comes and goes, and noise that is made of voices and so is hardest. */
export const STEADY = ['white', 'pink', 'fan', 'hum'] as const;
const BURSTS = ['white bursts', 'pink bursts'] as const;
export const KINDS = [...STEADY, 'babble', ...BURSTS] as const;
export type Kind = (typeof KINDS)[number];

const LEVELS_DB = [30, 25, 20, 10, 5] as const;

/** What is heard least of all: a fan that is far below the speech. */
export const CONDITIONS = LEVELS_DB.flatMap((levelDb) =>
	KINDS.filter((kind) => levelDb <= 20 || kind === 'fan').map((kind) => ({ kind, levelDb })),
);

export interface Denoisers {
	readonly current: Denoise;
	readonly legacy: Denoise;
	/** What people use today. */
	readonly afftdn: Denoise;
}

/** @param judged a service to judge instead of the engine here. */
export function denoisersIn(folder: string, judged?: ServiceEditor): Denoisers {
	const [inputPath, outputPath] = [join(folder, 'in.f32'), join(folder, 'out.f32')];
	const fileOf = async (samples: Float32Array) => {
		await writeFile(inputPath, samples);
		return { path: inputPath, sampleRateHz: RATE_HZ, channels: 1, frames: samples.length };
	};
	const engine = {
		current: async (samples: Float32Array) => {
			const { clean } = await reduceNoise(await fileOf(samples), outputPath, 'measured');
			return await wholeOf(clean);
		},
		legacy: async (samples: Float32Array) => {
			return await wholeOf(await reduceNoiseLegacy(await fileOf(samples), outputPath));
		},
	};
	return {
		...(judged ? { current: judged.denoise, legacy: judged.denoiseLegacy } : engine),
		afftdn: async (samples) => {
			const passage = { extension: 'wav', options: ['-af', 'afftdn=tn=1', '-c:a', 'pcm_s24le'] };
			// ffmpeg 5's filter delays the sound.
			return inStep(samples, await passed(samples, passage, folder));
		},
	};
}

/** A talk with noise of one kind at one level. */
export function noisyTalk(
	people: readonly Person[],
	index: number,
	seed: number,
	{ kind, levelDb }: { kind: Kind; levelDb: number },
) {
	const chance = new Chance(seed * 1_000 + index);
	const { clean, marks } = plainTalk(people[index], SECONDS, chance);
	const [bed] = kind.split(' ') as [Exclude<Kind, (typeof BURSTS)[number]>];
	const steady = noiseBed(bed, clean.length, people, chance);
	const noise = bed === kind ? steady : inBursts(steady, chance);
	return { clean, marks, noisy: mixed(clean, noise, levelDb) };
}

/** Bursts of a noise, each 0.3 to 1.2 s. */
function inBursts(noise: Float32Array, chance: Chance): Float32Array {
	const bursts = new Float32Array(noise.length);
	for (let start = chance.between(0.5, 1.5); start < SECONDS; start += chance.between(0.8, 3)) {
		const end = start + chance.between(0.3, 1.2);
		const burst = noise.slice(framesOf(start), framesOf(end));
		addAt(bursts, faded(burst, 0.005, 0.02), framesOf(start));
		start = end;
	}
	return bursts;
}

export function mixed(clean: Float32Array, noise: Float32Array, levelDb: number): Float32Array {
	const gain = activeRms(clean) * fromDb(-levelDb);
	return clean.map((sample, frame) => sample + gain * noise[frame]);
}
