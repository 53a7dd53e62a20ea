import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { reduceNoise } from '../../service/engine/denoise/reduceNoise.mts';
import { reduceNoiseLegacy } from '../../service/engine/denoise/reduceNoiseLegacy.mts';
import type { Bar } from '../bars.mts';
import { Chance } from './chance.mts';
import { siSdrDb, wholeOf } from './enhancement.mts';
import { activeRms, fromDb, RATE_HZ } from './signals.mts';
import { intelligibility } from './intelligibility.mts';
import { trackOf } from './judge.mts';
import { lettersOf, onsetLossesDb } from './speech/letters.mts';
import { peopleOf, type Person } from './recorded/people.mts';
import { noiseBed } from './recorded/scenes.mts';
import type { Half } from './recorded/speakers.mts';
import { pauseFigures, spectralDistanceDb } from './spectra.mts';
import { plainTalk } from './recorded/talks.mts';

const SECONDS = 15;
const MOST_PEOPLE = 6;

/** Noise that stays the same, and noise that is made of voices and so is hardest. */
const STEADY = ['white', 'pink', 'fan', 'hum'] as const;
const KINDS = [...STEADY, 'babble'] as const;
const LEVELS_DB = [20, 10, 5] as const;

/** A beginning that loses more than this is gone, dB. */
const LOST_DB = 12;

/** What the noise reduction did to one talk, against its input; higher is better but for chirps. */
interface Trial {
	kind: (typeof KINDS)[number];
	levelDb: number;
	siSdr: number;
	intelligibility: number;
	spectrum: number;
	attenuation: number | undefined;
	chirps: number | undefined;
}

type Denoise = (samples: Float32Array) => Promise<Float32Array>;

/** Measures the noise reduction with the speakers of one half, and prints what it found on the way. */
export async function denoisingBars(half: Half, seed: number, folder: string): Promise<Bar[]> {
	const people = (await peopleOf(half)).slice(0, MOST_PEOPLE);
	if (people.length === 0) throw new Error('The recordings are missing: run .ci/packages eval');
	console.log(`Seed ${seed}, ${half} half: ${people.map(({ name }) => name).join(', ')}`);
	const { current, legacy } = denoisersIn(folder);
	console.log('\nlegacy');
	print(await trialsOf(people, seed, legacy));
	console.log('\nremove_noise');
	const trials = await trialsOf(people, seed, current);
	print(trials);
	return [...barsOf(trials), ...(await onsetBars(half, seed, people, current))];
}

function denoisersIn(folder: string): { current: Denoise; legacy: Denoise } {
	const [inputPath, outputPath] = [join(folder, 'in.f32'), join(folder, 'out.f32')];
	const fileOf = async (samples: Float32Array) => {
		await writeFile(inputPath, samples);
		return { path: inputPath, sampleRateHz: RATE_HZ, channels: 1, frames: samples.length };
	};
	return {
		current: async (samples) => {
			return await wholeOf(await reduceNoise(await fileOf(samples), outputPath, 'measured'));
		},
		legacy: async (samples) => {
			return await wholeOf(await reduceNoiseLegacy(await fileOf(samples), outputPath));
		},
	};
}

/** A talk with noise of one kind at one level. */
interface NoisyTalk {
	readonly clean: Float32Array;
	readonly marks: Uint8Array;
	readonly noisy: Float32Array;
}

function noisyTalk(
	people: readonly Person[],
	index: number,
	seed: number,
	{ kind, levelDb }: Pick<Trial, 'kind' | 'levelDb'>,
): NoisyTalk {
	const chance = new Chance(seed * 1_000 + index);
	const { clean, marks } = plainTalk(people[index], SECONDS, chance);
	const noise = noiseBed(kind, clean.length, people, chance);
	return { clean, marks, noisy: mixed(clean, noise, levelDb) };
}

async function trialsOf(
	people: readonly Person[],
	seed: number,
	denoise: Denoise,
): Promise<Trial[]> {
	const trials: Trial[] = [];
	for (const index of people.keys()) {
		for (const levelDb of LEVELS_DB) {
			for (const kind of KINDS) {
				const { clean, marks, noisy } = noisyTalk(people, index, seed, { kind, levelDb });
				const output = await denoise(noisy);
				const pauses = pauseFigures(marks, noisy, output);
				trials.push({
					...{ kind, levelDb },
					siSdr: siSdrDb(clean, output) - siSdrDb(clean, noisy),
					intelligibility: intelligibility(clean, output) - intelligibility(clean, noisy),
					spectrum: spectralDistanceDb(clean, noisy) - spectralDistanceDb(clean, output),
					attenuation: pauses?.attenuationDb,
					chirps: pauses?.chirpsDb,
				});
			}
		}
	}
	return trials;
}

/** What noise removal gains when the engine reads a recording, in dB of SI-SDR; of clean speech what is left. */
export async function noiseRemovalBars(
	people: readonly Person[],
	seed: number,
	folder: string,
): Promise<Bar[]> {
	const bars: Bar[] = [];
	for (const [title, levelDb, limit] of [
		['SI-SDR of clean speech', Infinity, 30],
		['gain at 20 dB', 20, 1],
		['gain at 10 dB', 10, 5.5],
		['gain at 5 dB', 5, 7.5],
	] as const) {
		const gains: number[] = [];
		for (const index of people.keys()) {
			for (const kind of levelDb === Infinity
				? (['white'] as const)
				: (['white', 'pink'] as const)) {
				const { clean, noisy } = noisyTalk(people, index, seed, { kind, levelDb });
				const { clean: output } = await trackOf({ samples: noisy }, folder);
				const after = siSdrDb(clean, await wholeOf(output));
				gains.push(levelDb === Infinity ? after : after - siSdrDb(clean, noisy));
			}
		}
		const figure = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
		bars.push({ name: `noise removal, ${title}`, figure, limit, goal: '>=', unit: 'dB' });
	}
	return bars;
}

function mixed(clean: Float32Array, noise: Float32Array, levelDb: number): Float32Array {
	const gain = activeRms(clean) * fromDb(-levelDb);
	return clean.map((sample, frame) => sample + gain * noise[frame]);
}

function print(trials: readonly Trial[]): void {
	for (const levelDb of LEVELS_DB) {
		for (const kind of KINDS) {
			const some = trials.filter((trial) => trial.kind === kind && trial.levelDb === levelDb);
			const figure = (name: Measure, decimals = 1) => mean(some, name).toFixed(decimals);
			console.log(
				`${kind} at ${levelDb} dB: SI-SDR ${figure('siSdr')} dB, intelligibility ${figure('intelligibility', 3)}, ` +
					`spectrum nearer by ${figure('spectrum')} dB, pauses ${figure('attenuation')} dB softer, chirps ${figure('chirps')} dB`,
			);
		}
	}
}

type Measure = Exclude<keyof Trial, 'kind' | 'levelDb'>;

function mean(trials: readonly Trial[], measure: Measure): number {
	const values = trials.flatMap((trial) => trial[measure] ?? []);
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function barsOf(trials: readonly Trial[]): Bar[] {
	const steady = trials.filter(({ kind }) => kind !== 'babble');
	const goals = [
		{ levelDb: 20, siSdr: 1, intelligibility: 0, spectrum: 1 },
		{ levelDb: 10, siSdr: 5.5, intelligibility: 0.005, spectrum: 4 },
		{ levelDb: 5, siSdr: 7.5, intelligibility: 0.01, spectrum: 5 },
	];
	const least = { goal: '>=' } as const;
	const bars = goals.flatMap(({ levelDb, ...limits }) => {
		const some = steady.filter((trial) => trial.levelDb === levelDb);
		const bar = (title: string, measure: keyof typeof limits, more: Partial<Bar>): Bar => {
			const name = `${title} at ${levelDb} dB`;
			return { name, figure: mean(some, measure), limit: limits[measure], ...least, ...more };
		};
		return [
			bar('SI-SDR gained', 'siSdr', { unit: 'dB' }),
			bar('intelligibility gained', 'intelligibility', { decimals: 3 }),
			bar('spectrum nearer', 'spectrum', { unit: 'dB' }),
		];
	});
	const babble = trials.filter(({ kind }) => kind === 'babble');
	return [
		...bars,
		{ name: 'pauses softer', figure: mean(steady, 'attenuation'), limit: 15, ...least, unit: 'dB' },
		{ name: 'chirps in pauses', figure: mean(steady, 'chirps'), limit: 1, unit: 'dB' },
		{
			name: 'SI-SDR gained in babble',
			figure: mean(babble, 'siSdr'),
			limit: 0,
			...least,
			unit: 'dB',
		},
	];
}

async function onsetBars(
	half: Half,
	seed: number,
	people: readonly Person[],
	denoise: Denoise,
): Promise<Bar[]> {
	const letters = await lettersOf(half);
	const bars: Bar[] = [];
	for (const levelDb of [20, 10]) {
		const noise = noiseBed('pink', letters.clean.length, people, new Chance(seed));
		const noisy = mixed(letters.clean, noise, levelDb);
		const losses = onsetLossesDb(letters, noisy, await denoise(noisy));
		const lost = losses.filter((lossDb) => lossDb > LOST_DB).length;
		const name = `letters that lose their beginning at ${levelDb} dB (of ${losses.length})`;
		bars.push({ name, figure: (100 * lost) / losses.length, limit: 1, unit: '%' });
	}
	return bars;
}
