import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { loudnessLufs, truePeakDb } from '../../../testkit/service/media.mts';
import { type Bar, count } from '../../../testkit/measure/bars.mts';
import { type ByRival, rivalBars, rivalsOn } from '../editors/besideRivals.mts';
import { type Editor, TARGET_LUFS, wavOf } from '../editors/editor.mts';
import { agreementOver } from '../encodings.mts';
import { type Judgment, judge } from '../judge.mts';
import {
	judgmentsOf,
	minutesOf,
	printConditions,
	printHits,
	talliedOf,
	wordsCut,
} from '../report.mts';
import { ACTORS, actorScenes } from './actors/actorScenes.mts';
import { ANSWERS, answerScenes } from './actors/answerScenes.mts';
import { PLAIN_LINES, plainScenes } from './actors/plainScenes.mts';
import { peopleOf, printSpeakers } from './people.mts';
import { plansOf } from './plans.mts';
import { CONDITIONS, makeScene } from './scenes.mts';
import type { Half } from './speakers.mts';

/** How many scenes are brought to a loudness. */
const LOUDNESS_SCENES = 6;

/**
 * Lets an editor cut recordings of real people, and compares. Decoded recordings stay in the folder for
 * temporary files. `quick` takes a quarter of their scenes; `hits` prints each cut that touches a word.
 */
export async function judgeRecorded(
	{ seed, half, quick, hits }: { seed: number; half: Half; quick: boolean; hits: boolean },
	editor: Editor,
	folder: string,
): Promise<Bar[]> {
	const people = await peopleOf(half);
	if (people.length < 4) {
		throw new Error('The recordings of real people are missing: run .ci/packages eval');
	}
	printSpeakers(seed, half, people);
	const [judgments, rivals]: [Judgment[], ByRival[]] = [[], []];
	const loudFiles: Buffer[] = [];
	const wavPath = join(folder, 'scene.wav');
	const plans = plansOf(people, seed, quick ? 0.25 : 1);
	for (const plan of plans) {
		const scene = await makeScene(plan, people, folder);
		await wavOf(scene.samples, wavPath);
		judgments.push(await judge(scene, wavPath, editor));
		rivals.push(await rivalsOn(scene, wavPath));
		if (loudFiles.length < LOUDNESS_SCENES) {
			const loudPath = await wavOf(await editor.normalize(wavPath), join(folder, 'loud.wav'));
			loudFiles.push(await readFile(loudPath));
		}
		if (judgments.length % 10 === 0) console.log(`${judgments.length} of ${plans.length}`);
	}
	const beside = rivalBars(judgments, rivals);
	const acted = [
		actorScenes(half, seed),
		answerScenes(half, people, seed),
		plainScenes(half, seed),
	];
	for (const scenes of acted) {
		for await (const scene of scenes) {
			await wavOf(scene.samples, wavPath);
			judgments.push(await judge(scene, wavPath, editor));
		}
	}
	printConditions(judgments);
	if (hits) printHits(judgments);
	const about = { condition: 'dry', isEventful: true, person: people[0], seconds: 60 } as const;
	const agreement = await agreementOver(
		await makeScene({ ...about, seed }, people, folder),
		editor,
		folder,
	);
	console.log();
	return [
		...barsOf(judgments),
		joinsBar(judgments),
		...beside,
		...(await loudnessBars(loudFiles)),
		{ name: 'Jaccard over 9 encodings', figure: agreement, limit: 0.9, goal: '>=', decimals: 3 },
	];
}

/** How far files are off the loudness that was asked for, and their highest peak. */
async function loudnessBars(files: readonly Buffer[]): Promise<Bar[]> {
	const lufs = await Promise.all(files.map(loudnessLufs));
	const offLu = lufs.map((one) => Math.abs(one - TARGET_LUFS));
	const peaksDbtp = await Promise.all(files.map(truePeakDb));
	return [
		{ name: 'loudness off', figure: Math.max(...offLu), limit: 0.5, unit: 'LU' },
		{ name: 'true peak', figure: Math.max(...peaksDbtp), limit: -1, unit: 'dBTP' },
	];
}

function joinsBar(judgments: readonly Judgment[]): Bar {
	const joins = judgments.flatMap(({ joins }) => joins ?? []);
	const sum = (what: 'joins' | 'clicks') => joins.reduce((all, one) => all + one[what], 0);
	return count(`joins that click, of ${sum('joins')}`, sum('clicks'));
}

function barsOf(judgments: readonly Judgment[]): Bar[] {
	const dry = judgments.filter(({ scene }) => scene.condition === 'dry');
	const rooms = judgmentsOf(judgments, 'room', true);
	const plainDry = judgmentsOf(judgments, 'dry', false);
	const actors = judgmentsOf(judgments, ACTORS, true);
	const fillers = talliedOf(actors, 'fillers + hesitations');
	const breaths = talliedOf(dry, 'breath');
	const stutters = talliedOf(dry, 'stutters');
	const mouth = talliedOf(dry, 'mouth_sounds');
	const wordsCutBar = (name: string, some: readonly Judgment[], limit: number): Bar => ({
		name: `words cut, ${name}`,
		figure: wordsCut(some),
		limit,
		decimals: 1,
		unit: 'ms a minute',
	});
	const least = (name: string, figure: number, limit: number): Bar => {
		return { name, figure, limit, goal: '>=', decimals: 3 };
	};
	return [
		...[...CONDITIONS, ANSWERS, PLAIN_LINES].flatMap((condition) => {
			const some = judgmentsOf(judgments, condition, false);
			const limit = ['dry', PLAIN_LINES].includes(condition) ? 15 : 40;
			return some.length > 0 ? [wordsCutBar(condition, some, limit)] : [];
		}),
		least('breaths recall in rooms', talliedOf(rooms, 'breath').recall, 0.3),
		least('fillers precision', fillers.precision, 0.95),
		least('fillers recall', fillers.recall, 0.5),
		least('breaths precision', breaths.precision, 0.98),
		least('breaths recall', breaths.recall, 0.55),
		least('stutters precision', stutters.precision, 0.98),
		least('stutters recall', stutters.recall, 0.6),
		least('mouth sounds precision', mouth.precision, 0.98),
		{
			name: 'false mouth sounds, dry speech',
			figure: (60 * talliedOf(plainDry, 'mouth_sounds').wrong) / minutesOf(plainDry),
			limit: 3,
			decimals: 1,
			unit: 'an hour',
		},
	];
}
