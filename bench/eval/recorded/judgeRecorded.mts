import { join } from 'node:path';

import type { Bar } from '../../bars.mts';
import { agreementOver } from '../encodings.mts';
import { type Judgement, judge } from '../judge.mts';
import { metadataBar } from '../metadata/keptMetadata.mts';
import { noiseRemovalBars } from '../noise/soundBars.mts';
import {
	judgementsOf,
	minutesOf,
	printConditions,
	printHits,
	talliedOf,
	wordsCut,
} from '../report.mts';
import { ACTORS, actorScenes } from './actors/actorScenes.mts';
import { peopleOf } from './people.mts';
import { plansOf } from './plans.mts';
import { makeScene } from './scenes.mts';
import type { Half } from './speakers.mts';

interface RecordedOptions {
	readonly seed: number;
	readonly half: Half;
	/** A quarter of the scenes. */
	readonly quick: boolean;
	/** Whether each cut that touches a word is printed. */
	readonly hits: boolean;
}

/**
 * Lets the engine edit recordings of real people, and compares. Decoded recordings stay in the folder for
 * temporary files.
 */
export async function judgeRecorded(
	{ seed, half, quick, hits }: RecordedOptions,
	folder: string,
): Promise<Bar[]> {
	const people = await peopleOf(half);
	if (people.length < 4) {
		throw new Error('The recordings of real people are missing: run .ci/packages eval');
	}
	console.log(`Seed ${seed}, ${half} half: ${people.map(({ name }) => name).join(', ')}`);
	const judgements: Judgement[] = [];
	const plans = plansOf(people, seed, quick ? 0.25 : 1);
	const trackFolder = join(folder, 'track');
	for (const plan of plans) {
		judgements.push(await judge(await makeScene(plan, people, folder), trackFolder));
		if (judgements.length % 10 === 0) console.log(`${judgements.length} of ${plans.length}`);
	}
	for await (const scene of actorScenes(half, seed)) {
		judgements.push(await judge(scene, trackFolder));
	}
	printConditions(judgements);
	if (hits) printHits(judgements);
	const about = { condition: 'dry', isEventful: true, person: people[0], seconds: 60 } as const;
	const agreement = await agreementOver(
		await makeScene({ ...about, seed }, people, folder),
		folder,
	);
	const noise = await noiseRemovalBars(people.slice(0, 6), seed, trackFolder);
	console.log();
	return [
		...barsOf(judgements),
		{ name: 'Jaccard over 9 encodings', figure: agreement, limit: 0.9, goal: '>=', decimals: 3 },
		...noise,
		await metadataBar(folder),
	];
}

function barsOf(judgements: readonly Judgement[]): Bar[] {
	const dry = judgements.filter(({ scene }) => scene.condition === 'dry');
	const rooms = judgementsOf(judgements, 'room', true);
	const noisy = ['noise 15 dB', 'music 15 dB'].flatMap((it) => judgementsOf(judgements, it, false));
	const eventful = judgements.filter(({ scene }) => scene.isEventful);
	const plainDry = judgementsOf(judgements, 'dry', false);
	const actors = judgementsOf(judgements, ACTORS, true);
	const fillers = talliedOf(actors, 'fillers + hesitations');
	const breaths = talliedOf(dry, 'breath');
	const stutters = talliedOf(dry, 'stutters');
	const mouth = talliedOf(dry, 'mouth_sounds');
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
		wordsCutBar('on dry speech', plainDry, 15),
		wordsCutBar('in rooms', judgementsOf(judgements, 'room', false), 40),
		wordsCutBar('under music and noise at 15 dB', noisy, 40),
		least('long silences recall in rooms', talliedOf(rooms, 'long_silences').recall, 0.9),
		least('breaths recall in rooms', talliedOf(rooms, 'breath').recall, 0.3),
		least('long silences F1, all conditions', talliedOf(eventful, 'long_silences').f1, 0.95),
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
