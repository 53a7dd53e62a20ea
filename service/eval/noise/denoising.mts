import type { Bar } from '../../../testkit/measure/bars.mts';
import { siSdrDb } from '../enhancement.mts';
import { intelligibility } from '../intelligibility.mts';
import { peopleOf, printSpeakers } from '../recorded/people.mts';
import type { Half } from '../recorded/speakers.mts';
import { pauseFigures, spectralDistanceDb } from '../spectra.mts';
import { CONDITIONS, type Denoisers, type Kind, noisyTalk, STEADY } from './noisyTalk.mts';
import { cleanBars, type Judged, keptBars, onsetBars } from './soundBars.mts';

const MAX_PEOPLE = 6;

/** Measures the noise reduction with the speakers of one half, and prints what it found on the way. */
export async function denoisingBars(
	half: Half,
	seed: number,
	{ current, legacy, afftdn }: Denoisers,
): Promise<Bar[]> {
	const people = (await peopleOf(half)).slice(0, MAX_PEOPLE);
	if (people.length === 0) throw new Error('The recordings are missing: run .ci/packages eval');
	printSpeakers(seed, half, people);
	await trialsOf("ffmpeg's afftdn", { people, seed, denoise: afftdn }, 10);
	const simple = await trialsOf('legacy', { people, seed, denoise: legacy }, 10);
	const judged = { people, seed, denoise: current };
	return [
		...barsOf(await trialsOf('remove_noise', judged), simple),
		...(await cleanBars(judged)),
		...(await keptBars(half, judged)),
		...(await onsetBars(half, judged)),
	];
}

/** Tries each condition, or those at one level, and prints what came of it. */
async function trialsOf(title: string, { people, seed, denoise }: Judged, onlyDb?: number) {
	console.log(`\n${title}`);
	const trials: Trial[] = [];
	for (const condition of CONDITIONS) {
		if (condition.levelDb !== (onlyDb ?? condition.levelDb)) continue;
		for (const index of people.keys()) {
			const talk = noisyTalk(people, index, seed, condition);
			trials.push({ ...condition, ...measuresOf(talk, await denoise(talk.noisy)) });
		}
		print(trials.slice(-people.length));
	}
	return trials;
}

/** What the noise reduction did to one talk, against its input; higher is better but for chirps. */
function measuresOf({ clean, marks, noisy }: ReturnType<typeof noisyTalk>, output: Float32Array) {
	const pauses = pauseFigures(marks, noisy, output);
	return {
		siSdr: siSdrDb(clean, output) - siSdrDb(clean, noisy),
		intelligibility: intelligibility(clean, output) - intelligibility(clean, noisy),
		spectrum: spectralDistanceDb(clean, noisy) - spectralDistanceDb(clean, output),
		attenuation: pauses?.attenuationDb,
		chirps: pauses?.chirpsDb,
	};
}

type Measures = ReturnType<typeof measuresOf>;
type Trial = (typeof CONDITIONS)[number] & Measures;

function print(trials: readonly Trial[]): void {
	const figure = (name: keyof Measures, decimals = 1) => mean(trials, name).toFixed(decimals);
	console.log(
		`${trials[0].kind} at ${trials[0].levelDb} dB: SI-SDR ${figure('siSdr')} dB, intelligibility ${figure('intelligibility', 3)}, ` +
			`spectrum nearer by ${figure('spectrum')} dB, pauses ${figure('attenuation')} dB softer, chirps ${figure('chirps')} dB`,
	);
}

/** NaN of none, which meets no limit. */
function mean(trials: readonly Trial[], measure: keyof Measures): number {
	const values = trials.flatMap((trial) => trial[measure] ?? []);
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

type Row = readonly [string, keyof Measures, number, readonly Kind[], ...levelsDb: number[]];

/** The name of a bar, what it measures, the limit, and in which noise at which levels. */
const ROWS: readonly Row[] = [
	['SI-SDR gained at 20 dB', 'siSdr', 1, STEADY, 20],
	['intelligibility gained at 20 dB', 'intelligibility', 0, STEADY, 20],
	['spectrum nearer at 20 dB', 'spectrum', 1, STEADY, 20],
	['SI-SDR gained at 10 dB', 'siSdr', 5.5, STEADY, 10],
	['intelligibility gained at 10 dB', 'intelligibility', 0.005, STEADY, 10],
	['spectrum nearer at 10 dB', 'spectrum', 4, STEADY, 10],
	['SI-SDR gained at 5 dB', 'siSdr', 7.5, STEADY, 5],
	['intelligibility gained at 5 dB', 'intelligibility', 0.01, STEADY, 5],
	['spectrum nearer at 5 dB', 'spectrum', 5, STEADY, 5],
	['pauses softer', 'attenuation', 15, STEADY, 20, 10, 5],
	['chirps in pauses', 'chirps', 1, STEADY, 20, 10, 5],
	// Where a listener still hears the noise, and what comes and goes.
	...[20, 25, 30].map((db): Row => {
		return [`pauses quieter, fan at ${db} dB`, 'attenuation', 12, ['fan'], db];
	}),
	['SI-SDR gain, white bursts at 5 dB', 'siSdr', 6, ['white bursts'], 5],
	['SI-SDR gain, pink bursts at 5 dB', 'siSdr', 6, ['pink bursts'], 5],
	['SI-SDR gain, babble at 10 dB', 'siSdr', 3, ['babble'], 10],
];

/** The bars of all rows, and what neither the noise removal nor legacy must make worse. */
function barsOf(trials: readonly Trial[], legacy: readonly Trial[]): Bar[] {
	const bars = ROWS.map(([name, measure, limit, kinds, ...levelsDb]): Bar => {
		const some = trials.filter(({ kind, levelDb }) => {
			return kinds.includes(kind) && levelsDb.includes(levelDb);
		});
		const more = measure === 'intelligibility' ? { decimals: 3 } : { unit: 'dB' };
		const goal = measure === 'chirps' ? '<=' : '>=';
		return { name, figure: mean(some, measure), limit, goal, ...more };
	});
	const lost = Object.entries({ '': trials, ', legacy': legacy }).map(([which, from]): Bar => {
		const conditions = Map.groupBy(from, ({ kind, levelDb }) => `${kind} ${levelDb}`);
		const losses = [...conditions.values()].map((some) => -mean(some, 'intelligibility'));
		const name = `intelligibility lost in any condition${which}`;
		return { name, figure: Math.max(...losses), limit: 0.01, decimals: 3 };
	});
	return [...bars, ...lost];
}
