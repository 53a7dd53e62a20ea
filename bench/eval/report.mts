import type { Bar } from '../bars.mts';
import { lostPercent } from './damage.mts';
import type { NoiseFigures } from './enhancement.mts';
import type { LipSyncReport } from './lipSync.mts';
import { Tally } from './score.mts';
import { CONDITIONS, type Scene } from './sets.mts';
import { JUDGED, type Judgement, type SceneResult } from './trial.mts';

/** A scene and what it showed. */
export interface Trial {
	scene: Scene;
	result: SceneResult;
}

/** Prints everything but the bars. */
export function printResults(trials: readonly Trial[]): void {
	for (const condition of CONDITIONS) {
		const some = trials.filter(({ scene }) => scene.condition === condition);
		if (some.length > 0) printKinds(`${condition} (${some.length})`, resultsOf(some));
	}
	printKinds(`all (${trials.length})`, resultsOf(trials));
	printRivals(resultsOf(trials));
	printNoise(trials);
	const loudness = trials.map(({ result }) => result.loudness);
	const worst = Math.max(...loudness.map(({ errorLu }) => errorLu));
	const peak = Math.max(...loudness.map(({ truePeakDbtp }) => truePeakDbtp));
	console.log(`\nloudness: at most ${worst.toFixed(2)} LU off, true peak ${peak.toFixed(1)} dBTP`);
}

/** Prints what was found on the two tracks of a conversation. */
export function printConversation(judgements: readonly Judgement[]): void {
	// Both tracks are judged by the same edits and the same events.
	printKinds('two speakers on two tracks', judgements.slice(0, 1));
	console.log(
		`  damage on both: ${lostPercent(judgements.map(({ damage }) => damage)).toFixed(2)} %`,
	);
}

/** The bars. */
export function barsOf(trials: readonly Trial[], talk: readonly Judgement[]): Bar[] {
	const results = resultsOf(trials);
	const f1 = (name: string, limit: number, some = results, where = ''): Bar => ({
		name: `${name} F1${where}`,
		figure: tallyOf(some, name).f1,
		limit,
		goal: '>=',
	});
	const calm = resultsOf(trials.filter(({ scene }) => !hasBusyBackground(scene)));
	const calmF1 = (name: string, limit: number) =>
		f1(name, limit, calm, ', no music or talk behind');
	const loudness = results.map((result) => result.loudness);
	const damages = [...results, ...talk].map(({ damage }) => damage);
	return [
		f1('long_silences', 0.97),
		calmF1('mouth_sounds', 0.8),
		calmF1('breath', 0.8),
		calmF1('stutters', 0.7),
		calmF1('fillers + hesitations', 0.7),
		{ name: 'damage, percent of speech', figure: lostPercent(damages), limit: 0.5 },
		{
			name: 'loudness off, LU',
			figure: Math.max(...loudness.map(({ errorLu }) => errorLu)),
			limit: 0.5,
		},
		{
			name: 'true peak, dBTP',
			figure: Math.max(...loudness.map(({ truePeakDbtp }) => truePeakDbtp)),
			limit: -1,
		},
	];
}

/** There the service leaves the speaker's own sounds alone, by design. */
function hasBusyBackground({ condition, name }: Scene): boolean {
	return condition === 'music' || name.startsWith('babble');
}

function resultsOf(trials: readonly Trial[]): SceneResult[] {
	return trials.map(({ result }) => result);
}

function tallyOf(judgements: readonly Judgement[], name: string): Tally {
	return Tally.of(judgements.map(({ tallies }) => tallies[name]));
}

function printKinds(title: string, judgements: readonly Judgement[]): void {
	const lost = lostPercent(judgements.map(({ damage }) => damage));
	console.log(
		`\n${title.padEnd(30)}events  precision  recall    F1  border ms   (damage ${lost.toFixed(2)} %)`,
	);
	for (const name of Object.keys(JUDGED)) printTally(name, tallyOf(judgements, name));
}

function printTally(name: string, tally: Tally): void {
	const cells = [
		String(tally.found + tally.missed).padStart(6),
		tally.precision.toFixed(2).padStart(11),
		tally.recall.toFixed(2).padStart(8),
		tally.f1.toFixed(2).padStart(6),
		tally.borderErrorMs.toFixed(0).padStart(11),
	];
	console.log(`  ${name.padEnd(28)}${cells.join('')}`);
}

function printRivals(results: readonly SceneResult[]): void {
	console.log('\nlong silences, beside what people use today (border: against the pause we leave)');
	printTally('this service', tallyOf(results, 'long_silences'));
	const names = new Set(results.flatMap(({ rivals }) => rivals.map(({ name }) => name)));
	for (const name of names) {
		const runs = results.flatMap(({ rivals }) => rivals.filter((rival) => rival.name === name));
		printTally(name, Tally.of(runs.map(({ tally }) => tally)));
		console.log(`    damage ${lostPercent(runs.map(({ damage }) => damage)).toFixed(2)} %`);
	}
}

function printNoise(trials: readonly Trial[]): void {
	console.log('\nnoise: SI-SDR dB / floor dBFS    untouched      remove_noise true         legacy');
	for (const condition of CONDITIONS) {
		const some = trials.filter(({ scene }) => scene.condition === condition);
		if (some.length === 0) continue;
		const cell = (pick: (result: SceneResult) => NoiseFigures) => {
			const figures = resultsOf(some).map(pick);
			return `${meanOf(figures.map((f) => f.siSdrDb))} / ${meanOf(figures.map((f) => f.floorDb))}`.padStart(
				18,
			);
		};
		const cells = [
			cell(({ noise }) => noise.none),
			cell(({ noise }) => noise.v2),
			cell(({ noise }) => noise.legacy),
		];
		console.log(`  ${condition.padEnd(24)}${cells.join('')}`);
	}
}

function meanOf(values: readonly number[]): string {
	return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(1);
}

/** How far picture and sound of the worst video are apart, in pictures of that video. */
export function lipSyncBar(reports: readonly LipSyncReport[]): Bar {
	const figure = Math.max(...reports.map(({ worstErrorMs, frameMs }) => worstErrorMs / frameMs));
	return { name: 'lip-sync off, frames', figure, limit: 1 };
}
