import type { Bar } from '../../bars.mts';
import type { Denoise } from '../editors/editor.mts';
import { siSdrDb } from '../enhancement.mts';
import { intelligibility } from '../intelligibility.mts';
import { peopleOf, type Person, printSpeakers } from '../recorded/people.mts';
import type { Half } from '../recorded/speakers.mts';
import { pauseFigures, spectralDistanceDb } from '../spectra.mts';
import { BURSTS, CONDITIONS, type Denoisers, type Kind, noisyTalk, STEADY } from './noisyTalk.mts';
import { cleanBars, keptBars, onsetBars } from './soundBars.mts';

const MOST_PEOPLE = 6;

/** What the noise reduction did to one talk, against its input; higher is better but for chirps. */
interface Trial {
	kind: Kind;
	levelDb: number;
	siSdr: number;
	intelligibility: number;
	spectrum: number;
	attenuation: number | undefined;
	chirps: number | undefined;
}

/** Measures the noise reduction with the speakers of one half, and prints what it found on the way. */
export async function denoisingBars(
	half: Half,
	seed: number,
	{ current, legacy, afftdn }: Denoisers,
): Promise<Bar[]> {
	const people = (await peopleOf(half)).slice(0, MOST_PEOPLE);
	if (people.length === 0) throw new Error('The recordings are missing: run .ci/packages eval');
	printSpeakers(seed, half, people);
	console.log("\nffmpeg's afftdn");
	await trialsOf(people, seed, afftdn, 10);
	console.log('\nlegacy');
	const simple = await trialsOf(people, seed, legacy, 10);
	console.log('\nremove_noise');
	const trials = await trialsOf(people, seed, current);
	return [
		...barsOf(trials),
		...heardBars(trials, simple),
		...(await cleanBars(people, seed, current)),
		...(await keptBars(half, people, seed, current)),
		...(await onsetBars(half, seed, people, current)),
	];
}

/** Tries each condition, or those at one level, and prints what came of it. */
async function trialsOf(
	people: readonly Person[],
	seed: number,
	denoise: Denoise,
	onlyDb?: number,
): Promise<Trial[]> {
	const trials: Trial[] = [];
	for (const { kind, levelDb } of CONDITIONS) {
		if (levelDb !== (onlyDb ?? levelDb)) continue;
		for (const index of people.keys()) {
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
		print(trials.slice(-people.length));
	}
	return trials;
}

function print(trials: readonly Trial[]): void {
	const figure = (name: Measure, decimals = 1) => mean(trials, name).toFixed(decimals);
	console.log(
		`${trials[0].kind} at ${trials[0].levelDb} dB: SI-SDR ${figure('siSdr')} dB, intelligibility ${figure('intelligibility', 3)}, ` +
			`spectrum nearer by ${figure('spectrum')} dB, pauses ${figure('attenuation')} dB softer, chirps ${figure('chirps')} dB`,
	);
}

type Measure = Exclude<keyof Trial, 'kind' | 'levelDb'>;

function mean(trials: readonly Trial[], measure: Measure): number {
	const values = trials.flatMap((trial) => trial[measure] ?? []);
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function barsOf(trials: readonly Trial[]): Bar[] {
	const steady = trials.filter(({ kind, levelDb }) => {
		return levelDb <= 20 && STEADY.some((one) => one === kind);
	});
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
	return [
		...bars,
		{ name: 'pauses softer', figure: mean(steady, 'attenuation'), limit: 15, ...least, unit: 'dB' },
		{ name: 'chirps in pauses', figure: mean(steady, 'chirps'), limit: 1, unit: 'dB' },
	];
}

/** Where a listener still hears the noise, what comes and goes, and what legacy must not make worse. */
function heardBars(trials: readonly Trial[], legacy: readonly Trial[]): Bar[] {
	const figure = (kind: Kind, levelDb: number, measure: Measure, from = trials) =>
		mean(
			from.filter((trial) => trial.kind === kind && trial.levelDb === levelDb),
			measure,
		);
	const least = { goal: '>=', unit: 'dB' } as const;
	const lost = (from: readonly Trial[]) =>
		Math.max(...from.map(({ kind, levelDb }) => -figure(kind, levelDb, 'intelligibility', from)));
	const rows = [
		...[20, 25, 30].map(
			(levelDb) => ['pauses quieter', 'fan', levelDb, 'attenuation', 12] as const,
		),
		...BURSTS.map((kind) => ['SI-SDR gain', kind, 5, 'siSdr', 6] as const),
		['SI-SDR gain', 'babble', 10, 'siSdr', 3] as const,
	];
	return [
		...rows.map(([title, kind, levelDb, measure, limit]): Bar => {
			const name = `${title}, ${kind} at ${levelDb} dB`;
			return { name, figure: figure(kind, levelDb, measure), limit, ...least };
		}),
		...Object.entries({ '': trials, ', legacy': legacy }).map(([which, from]): Bar => {
			const name = `intelligibility lost in any condition${which}`;
			return { name, figure: lost(from), limit: 0.01, decimals: 3 };
		}),
	];
}
