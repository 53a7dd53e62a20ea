import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Bar } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { mean } from '../../../testkit/measure/median.mts';
import { RATE_HZ } from '../../../testkit/media/signals.mts';
import type { Denoise } from '../editors/editor.mts';
import { siSdrDb, wholeOf } from '../enhancement.mts';
import { peopleOf, type Person, printSpeakers } from '../recorded/people.mts';
import type { Half } from '../recorded/speakers.mts';
import { plainTalk } from '../recorded/talks.mts';
import { DeepFilterNet } from './dfn3/deepFilterNet.mts';
import { type Pair, PythonTools } from './dfn3/tools.mts';
import { EARLIER, earlierDenoisers } from './earlierEngine.mts';
import { type Denoisers, KINDS, mixed, noisyTalk, SECONDS } from './noisyTalk.mts';
import { REAL, realNoise } from './realNoise.mts';

/** Speakers, each with every noise at every level. */
const PEOPLE = 3;
const QUICK_PEOPLE = 1;
const LEVELS_DB = [20, 10, 5] as const;

/** Eight noises. */
const NOISES = ['white', 'pink', 'fan', 'hum', 'babble', 'white bursts', ...REAL] as const;
type Noise = (typeof NOISES)[number];

/** Where a listener hears the noise; the most that is taken away, as the engine does, dB. */
const LIMIT_DB = 20;

/** The engine should reach this share of what DeepFilterNet 3 gains, and as much more than the earlier engine. */
const MIN_SHARE = 0.9;
const MORE_THAN_EARLIER = { 20: 0.5, 10: 0.45, 5: 0.3 } as const;

/** How one method did in one condition. */
interface Trial {
	method: string;
	kind: Noise;
	levelDb: (typeof LEVELS_DB)[number];
	siSdr: number;
	pesq: number;
	estoi: number;
	dnsmos: number;
}

/**
 * Compares the engine's noise reduction with others on the same files, by PESQ-WB, ESTOI, SI-SDR and DNSMOS: with the
 * engine before DeepFilterNet 3, RNNoise, noisereduce, afftdn, and DeepFilterNet 3 alone, limited to the same 20 dB.
 * It needs pip, npm and this repository's history.
 */
export async function comparisonBars(
	{ half, seed, isQuick }: { half: Half; seed: number; isQuick: boolean },
	denoisers: Denoisers,
	folder: string,
): Promise<Bar[]> {
	const tools = await PythonTools.install(join(folder, 'python'));
	const methods = await methodsIn(folder, denoisers, tools);
	const people = (await peopleOf(half)).slice(0, isQuick ? QUICK_PEOPLE : PEOPLE);
	printSpeakers(seed, half, people);
	const sounds = join(folder, 'sounds');
	await mkdir(sounds);
	const trials: Trial[] = [];
	for (const levelDb of LEVELS_DB) {
		for (const kind of NOISES) {
			const talks: NoisyTalk[] = [];
			for (const index of people.keys()) {
				talks.push(await talkWith(people, index, { half, seed, kind, levelDb }));
			}
			const judged = await judgedOf(talks, methods, { tools, sounds });
			const named = judged.map((one) => ({ ...one, kind, levelDb }));
			print(`${kind} at ${levelDb} dB`, named);
			trials.push(...named);
		}
		print(
			`all at ${levelDb} dB`,
			trials.filter((trial) => trial.levelDb === levelDb),
		);
	}
	return LEVELS_DB.flatMap((levelDb) => {
		return barsAt(
			levelDb,
			trials.filter((trial) => trial.levelDb === levelDb),
		);
	});
}

type NoisyTalk = Pick<ReturnType<typeof noisyTalk>, 'clean' | 'noisy'>;

/** A talk with a noise that is generated, or was recorded. */
async function talkWith(
	people: readonly Person[],
	index: number,
	{ half, seed, kind, levelDb }: { half: Half; seed: number; kind: Noise; levelDb: number },
): Promise<NoisyTalk> {
	const real = REAL.find((one) => one === kind);
	const generated = KINDS.find((one) => one === kind);
	if (generated) return noisyTalk(people, index, seed, { kind: generated, levelDb });
	const chance = new Chance(seed * 1_000 + index);
	const { clean } = plainTalk(people[index], SECONDS, chance);
	const noise = await realNoise(real ?? 'street', clean.length, half, chance);
	return { clean, noisy: mixed(clean, noise, levelDb) };
}

/** All methods; without the repository's history, those of the earlier engine are left out. */
async function methodsIn(
	folder: string,
	{ current, afftdn }: Denoisers,
	tools: PythonTools,
): Promise<Readonly<Record<string, Denoise>>> {
	const network = await DeepFilterNet.create(await tools.weights());
	const [inputPath, outputPath] = [join(folder, 'gated.f32'), join(folder, 'gated-out.f32')];
	const methods: Record<string, Denoise> = {
		input: (noisy) => Promise.resolve(noisy),
		engine: current,
		afftdn,
		noisereduce: async (noisy) => {
			await writeFile(inputPath, noisy);
			await tools.noisereduce(inputPath, outputPath);
			const format = { sampleRateHz: RATE_HZ, channels: 1, frames: noisy.length };
			return await wholeOf({ path: outputPath, ...format });
		},
		'DFN3-20': (noisy) => network.denoised(noisy, LIMIT_DB),
	};
	try {
		const { earlier, RNNoise } = await earlierDenoisers(join(folder, 'earlier'));
		return { ...methods, [EARLIER]: earlier, RNNoise };
	} catch (error) {
		console.log(`The engine of ${EARLIER} cannot run here: ${String(error)}`);
		return methods;
	}
}

/** Has every method denoise some talks. @param sounds a folder for what they return. */
async function judgedOf(
	talks: readonly NoisyTalk[],
	methods: Readonly<Record<string, Denoise>>,
	{ tools, sounds }: { tools: PythonTools; sounds: string },
) {
	const begun: Pick<Trial, 'method' | 'siSdr'>[] = [];
	const pairs: Pair[] = [];
	for (const [index, { clean, noisy }] of talks.entries()) {
		const cleanPath = join(sounds, `clean-${index}.f32`);
		await writeFile(cleanPath, clean);
		for (const [method, denoise] of Object.entries(methods)) {
			const output = await denoise(noisy);
			const heard = join(sounds, `${method}-${index}.f32`);
			await writeFile(heard, output);
			pairs.push({ clean: cleanPath, heard });
			begun.push({ method, siSdr: siSdrDb(clean, output) });
		}
	}
	const perceived = await tools.perceived(pairs);
	return begun.map((one, index) => {
		const [pesq, estoi, dnsmos] = perceived[index];
		return { ...one, pesq, estoi, dnsmos };
	});
}

/** Prints the means of each method. */
function print(title: string, trials: readonly Trial[]): void {
	const lines = [...Map.groupBy(trials, ({ method }) => method)].map(([method, some]) => {
		const figure = (name: 'pesq' | 'estoi' | 'siSdr' | 'dnsmos', decimals: number) => {
			return mean(some.map((one) => one[name])).toFixed(decimals);
		};
		return `${method} PESQ ${figure('pesq', 2)}, ESTOI ${figure('estoi', 3)}, SI-SDR ${figure('siSdr', 1)} dB, DNSMOS ${figure('dnsmos', 2)}`;
	});
	console.log(`${title}: ${lines.join('; ')}`);
}

/** The engine's PESQ beside that of DeepFilterNet 3, of the earlier engine, and of the input. */
function barsAt(levelDb: (typeof LEVELS_DB)[number], trials: readonly Trial[]): Bar[] {
	const pesq = (method: string, of = trials) => {
		return mean(of.filter((one) => one.method === method).map((one) => one.pesq));
	};
	const gain = (method: string) => pesq(method) - pesq('input');
	const gains = [...Map.groupBy(trials, ({ kind }) => kind).values()].map((some) => {
		return pesq('engine', some) - pesq('input', some);
	});
	const bars: Bar[] = [
		{
			name: `gain in PESQ-WB at ${levelDb} dB, as a share of DeepFilterNet 3's`,
			figure: gain('engine') / gain('DFN3-20'),
			limit: MIN_SHARE,
			goal: '>=',
		},
		{
			name: `gain in PESQ-WB at ${levelDb} dB in the worst noise`,
			figure: Math.min(...gains),
			limit: 0,
			goal: '>=',
		},
	];
	if (!trials.some(({ method }) => method === EARLIER)) return bars;
	return [
		...bars,
		{
			name: `PESQ-WB at ${levelDb} dB above the engine of ${EARLIER}`,
			figure: pesq('engine') - pesq(EARLIER),
			limit: MORE_THAN_EARLIER[levelDb],
			goal: '>=',
		},
	];
}
