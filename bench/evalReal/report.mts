import type { Bar } from '../bars.mts';
import { Tally } from '../eval/score.mts';
import { JUDGED } from '../eval/trial.mts';
import type { Judgement } from './judge.mts';
import { CONDITIONS, type Condition } from './scenes.mts';

/** Prints what was found and what was cut in every condition. */
export function printConditions(judgements: readonly Judgement[]): void {
	for (const condition of CONDITIONS) {
		for (const isEventful of [false, true]) {
			const some = of(judgements, isEventful, condition);
			if (some.length > 0) printCondition(condition, isEventful, some);
		}
	}
}

/** Prints each cut that touched a word. */
export function printHits(judgements: readonly Judgement[]): void {
	for (const { scene, hits } of judgements) {
		for (const { kind, startSeconds, endSeconds, wordSeconds, confidence } of hits) {
			const place = `${startSeconds.toFixed(2)}-${endSeconds.toFixed(2)}`;
			const kindOfScene = scene.isEventful ? 'events' : 'plain';
			console.log(
				`  ${kind} ${place} ${(1_000 * wordSeconds).toFixed(0)} ms (${confidence}) ${scene.condition}, ${kindOfScene}, ${scene.name}`,
			);
		}
	}
}

function printCondition(condition: string, isEventful: boolean, some: readonly Judgement[]): void {
	const title = `${condition}, ${isEventful ? 'with events' : 'nothing to cut'}`;
	const minutes = minutesOf(some).toFixed(1);
	console.log(`\n${title} (${minutes} min): words cut ${wordsCut(some).toFixed(0)} ms a minute`);
	for (const name of Object.keys(JUDGED)) {
		const tally = tallyOf(some, name);
		const kinds = JUDGED[name];
		const damages = some.flatMap(({ damage }) => kinds.map((kind) => damage[kind]));
		const cuts = damages.reduce((sum, damage) => sum + (damage?.cuts ?? 0), 0);
		const ms = damages.reduce((sum, damage) => sum + 1_000 * (damage?.seconds ?? 0), 0);
		console.log(
			`  ${name.padEnd(24)}found ${String(tally.found).padStart(3)}  missed ${String(tally.missed).padStart(3)}` +
				`  wrong ${String(tally.wrong).padStart(3)}  P ${tally.precision.toFixed(2)}  R ${tally.recall.toFixed(2)}` +
				`  touching words ${cuts} (${ms.toFixed(0)} ms)`,
		);
	}
}

/** The bars for what is cut. */
export function detectionBars(judgements: readonly Judgement[]): Bar[] {
	const dry = judgements.filter(({ scene }) => scene.condition === 'dry');
	const rooms = of(judgements, true, 'room');
	const noisy = [...of(judgements, false, 'noise 15 dB'), ...of(judgements, false, 'music 15 dB')];
	const eventful = judgements.filter(({ scene }) => scene.isEventful);
	const plainDry = of(judgements, false, 'dry');
	const fillers = tallyOf(dry, 'fillers + hesitations');
	const breaths = tallyOf(dry, 'breath');
	const stutters = tallyOf(dry, 'stutters');
	const mouth = tallyOf(dry, 'mouth_sounds');
	const wordsCutBar = (name: string, some: readonly Judgement[], limit: number): Bar => ({
		name: `words cut ${name}`,
		figure: wordsCut(some),
		limit,
		decimals: 1,
		unit: 'ms a minute',
	});
	const least = (name: string, figure: number, limit: number): Bar => {
		return { name, figure, limit, goal: '>=', decimals: 3 };
	};
	return [
		wordsCutBar('on dry speech', plainDry, 20),
		wordsCutBar('in rooms', of(judgements, false, 'room'), 40),
		wordsCutBar('under music and noise at 15 dB', noisy, 40),
		least('long silences recall in rooms', tallyOf(rooms, 'long_silences').recall, 0.9),
		least('fillers recall in rooms', tallyOf(rooms, 'fillers + hesitations').recall, 0.4),
		least('breaths recall in rooms', tallyOf(rooms, 'breath').recall, 0.3),
		least('long silences F1, all conditions', tallyOf(eventful, 'long_silences').f1, 0.95),
		least('fillers precision', fillers.precision, 0.95),
		least('fillers recall', fillers.recall, 0.55),
		least('breaths precision', breaths.precision, 0.98),
		least('breaths recall', breaths.recall, 0.55),
		least('stutters precision', stutters.precision, 0.98),
		least('stutters recall', stutters.recall, 0.6),
		least('mouth sounds precision', mouth.precision, 0.98),
		{
			name: 'false mouth sounds, dry speech',
			figure: (60 * tallyOf(plainDry, 'mouth_sounds').wrong) / minutesOf(plainDry),
			limit: 3,
			decimals: 1,
			unit: 'an hour',
		},
	];
}

/** The bars for noise removal. */
export function noiseBars(figures: readonly number[]): Bar[] {
	const [clean, at20, at10, at5] = figures;
	const bar = (name: string, figure: number, limit: number): Bar => {
		return { name: `noise removal, ${name}`, figure, limit, goal: '>=', unit: 'dB' };
	};
	return [
		bar('SI-SDR of clean speech', clean, 30),
		bar('gain at 20 dB', at20, 1),
		bar('gain at 10 dB', at10, 5.5),
		bar('gain at 5 dB', at5, 7.5),
	];
}

function of(
	judgements: readonly Judgement[],
	isEventful: boolean,
	condition: Condition,
): Judgement[] {
	return judgements.filter(
		({ scene }) => scene.isEventful === isEventful && scene.condition === condition,
	);
}

function tallyOf(judgements: readonly Judgement[], name: string): Tally {
	return Tally.of(judgements.map(({ tallies }) => tallies[name]));
}

function minutesOf(judgements: readonly Judgement[]): number {
	return judgements.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
}

/** Milliseconds of words that were cut, for each minute. */
function wordsCut(judgements: readonly Judgement[]): number {
	const damages = judgements.flatMap(({ damage }) => Object.values(damage));
	const seconds = damages.reduce((sum, damage) => sum + damage.seconds, 0);
	return (1_000 * seconds) / Math.max(0.01, minutesOf(judgements));
}
