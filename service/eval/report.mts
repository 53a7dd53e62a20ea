import { JUDGED, type Judgement } from './judge.mts';
import { Tally } from './score.mts';

/** Prints what was found and what was cut in every condition, and in all of them. */
export function printConditions(judgements: readonly Judgement[]): void {
	for (const condition of new Set(judgements.map(({ scene }) => scene.condition))) {
		for (const isEventful of [false, true]) {
			const some = judgementsOf(judgements, condition, isEventful);
			const title = `${condition}, ${isEventful ? 'with events' : 'nothing to cut'}`;
			if (some.length > 0) printJudgements(title, some);
		}
	}
	printJudgements('all', judgements);
}

/** Prints how well each kind of event was found, and which cuts touched words. */
function printJudgements(title: string, some: readonly Judgement[]): void {
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
export function printHits(judgements: readonly Judgement[]): void {
	for (const { scene, hits } of judgements) {
		for (const { kind, startSeconds, endSeconds, wordSeconds, sure = '' } of hits) {
			const place = `${startSeconds.toFixed(2)}-${endSeconds.toFixed(2)}`;
			const kindOfScene = scene.isEventful ? 'events' : 'plain';
			console.log(
				`  ${kind} ${place} ${(1_000 * wordSeconds).toFixed(0)} ms (${sure}) ${scene.condition}, ${kindOfScene}, ${scene.name}`,
			);
		}
	}
}

/** The judgements of scenes in one condition, with or without something to cut. */
export function judgementsOf(
	judgements: readonly Judgement[],
	condition: string,
	isEventful: boolean,
): Judgement[] {
	return judgements.filter(
		({ scene }) => scene.isEventful === isEventful && scene.condition === condition,
	);
}

/** How well one of the kinds in JUDGED was found. */
export function talliedOf(judgements: readonly Judgement[], name: string): Tally {
	return Tally.of(judgements.map(({ tallies }) => tallies[name]));
}

export function minutesOf(judgements: readonly Judgement[]): number {
	return judgements.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
}

/** Milliseconds of words that were cut, for each minute. */
export function wordsCut(judgements: readonly Judgement[]): number {
	return (1_000 * cutSeconds(judgements)) / Math.max(0.01, minutesOf(judgements));
}

/** The share of words that was cut, in percent. */
export function lostPercent(judgements: readonly Judgement[]): number {
	const said = judgements.reduce((sum, { wordSeconds }) => sum + wordSeconds, 0);
	return (100 * cutSeconds(judgements)) / Math.max(said, 0.01);
}

function cutSeconds(judgements: readonly Judgement[]): number {
	const hits = judgements.flatMap((judgement) => judgement.hits);
	return hits.reduce((sum, { wordSeconds }) => sum + wordSeconds, 0);
}
