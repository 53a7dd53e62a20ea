import { JUDGED, type Judgment } from './judge.mts';
import { Tally } from './score.mts';

/** Prints what was found and what was cut in every condition, and in all of them. */
export function printConditions(judgments: readonly Judgment[]): void {
	for (const condition of new Set(judgments.map(({ scene }) => scene.condition))) {
		for (const isEventful of [false, true]) {
			const some = judgmentsOf(judgments, condition, isEventful);
			const title = `${condition}, ${isEventful ? 'with events' : 'nothing to cut'}`;
			if (some.length > 0) printJudgments(title, some);
		}
	}
	printJudgments('all', judgments);
}

/** Prints how well each kind of event was found, and which cuts touched words. */
function printJudgments(title: string, some: readonly Judgment[]): void {
	const minutes = minutesOf(some).toFixed(1);
	const damage = `${wordsCut(some).toFixed(0)} ms a minute, ${lostPercent(some).toFixed(2)} %`;
	console.log(`\n${title} (${some.length}, ${minutes} min): words cut ${damage}`);
	for (const [name, kinds] of Object.entries(JUDGED)) {
		const hits = some.flatMap((one) => one.hits).filter(({ kind }) => kinds.includes(kind));
		const ms = hits.reduce((sum, { wordSeconds }) => sum + 1_000 * wordSeconds, 0);
		const touching = `  touching words ${hits.length} (${ms.toFixed(0)} ms)`;
		console.log(lineOf(name, talliedOf(some, name)) + touching);
	}
}

/** A line of how well one kind of event was found. */
export function lineOf(name: string, tally: Tally): string {
	const counts = (['found', 'missed', 'wrong'] as const).map(
		(which) => `  ${which} ${String(tally[which]).padStart(3)}`,
	);
	const { precision, recall, f1 } = tally;
	const shares = Object.entries({ P: precision, R: recall, F1: f1 }).map(
		([share, value]) => `  ${share} ${value.toFixed(2)}`,
	);
	return `  ${name.padEnd(24)}${counts.join('')}${shares.join('')}`;
}

/** Prints each cut that touched a word. */
export function printHits(judgments: readonly Judgment[]): void {
	for (const { scene, hits } of judgments) {
		for (const { kind, startSeconds, endSeconds, wordSeconds, sure = '' } of hits) {
			const place = `${startSeconds.toFixed(2)}-${endSeconds.toFixed(2)}`;
			const kindOfScene = scene.isEventful ? 'events' : 'plain';
			console.log(
				`  ${kind} ${place} ${(1_000 * wordSeconds).toFixed(0)} ms (${sure}) ${scene.condition}, ${kindOfScene}, ${scene.name}`,
			);
		}
	}
}

/** The judgments of scenes in one condition, with or without something to cut. */
export function judgmentsOf(
	judgments: readonly Judgment[],
	condition: string,
	isEventful: boolean,
): Judgment[] {
	return judgments.filter(
		({ scene }) => scene.isEventful === isEventful && scene.condition === condition,
	);
}

/** How well one of the kinds in JUDGED was found. */
export function talliedOf(judgments: readonly Judgment[], name: string): Tally {
	return Tally.of(judgments.map(({ tallies }) => tallies[name]));
}

export function minutesOf(judgments: readonly Judgment[]): number {
	return judgments.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
}

/** Milliseconds of words that were cut, for each minute. */
export function wordsCut(judgments: readonly Judgment[]): number {
	return (1_000 * cutSeconds(judgments)) / Math.max(0.01, minutesOf(judgments));
}

/** The share of words that was cut, in percent. */
export function lostPercent(judgments: readonly Judgment[]): number {
	const said = judgments.reduce((sum, { wordSeconds }) => sum + wordSeconds, 0);
	return (100 * cutSeconds(judgments)) / Math.max(said, 0.01);
}

function cutSeconds(judgments: readonly Judgment[]): number {
	const hits = judgments.flatMap((judgment) => judgment.hits);
	return hits.reduce((sum, { wordSeconds }) => sum + wordSeconds, 0);
}
