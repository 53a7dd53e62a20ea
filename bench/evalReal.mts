/**
 * `npm run eval -- recorded [--tuning] [--quick] [--seed N] [--hits]`: lets the engine edit
 * recordings of real people and prints how well it did. Half of the people are for tuning
 * (`--tuning`), and the figures come from the other half. See docs/editing-engine.md, "Detection".
 * Decoded recordings stay in the folder for temporary files.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { printBars } from './bars.mts';
import { agreementOver } from './evalReal/encodings.mts';
import { judge, type Judgement } from './evalReal/judge.mts';
import { metadataBar } from './evalReal/keptMetadata.mts';
import { noiseRemovalFigures } from './evalReal/noiseRemoval.mts';
import { peopleOf } from './evalReal/people.mts';
import { plansOf } from './evalReal/plans.mts';
import { detectionBars, noiseBars, printConditions, printHits } from './evalReal/report.mts';
import { makeScene } from './evalReal/scenes.mts';

const { values } = parseArgs({
	options: {
		hits: { type: 'boolean', default: false },
		quick: { type: 'boolean', default: false },
		seed: { type: 'string', default: '1' },
		tuning: { type: 'boolean', default: false },
	},
});
const seed = Number(values.seed);
const half = values.tuning ? 'tuning' : 'figures';
const people = await peopleOf(half);
if (people.length < 4) {
	throw new Error('The recordings of real people are missing: run .ci/packages eval');
}
console.log(`Seed ${seed}, ${half} half: ${people.map(({ name }) => name).join(', ')}`);
const folder = await mkdtemp(join(tmpdir(), 'eval-real-'));
try {
	const judgements: Judgement[] = [];
	const plans = plansOf(people, seed, values.quick ? 0.25 : 1);
	for (const plan of plans) {
		const scene = await makeScene(plan, people, folder);
		judgements.push(await judge(scene, join(folder, 'track')));
		if (judgements.length % 10 === 0) console.log(`${judgements.length} of ${plans.length}`);
	}
	printConditions(judgements);
	if (values.hits) printHits(judgements);
	const plan = {
		condition: 'dry',
		isEventful: true,
		person: people[0],
		seconds: 60,
		seed,
	} as const;
	const agreement = await agreementOver(await makeScene(plan, people, folder), folder);
	const noise = await noiseRemovalFigures(people.slice(0, 6), seed, join(folder, 'track'));
	console.log();
	printBars([
		...detectionBars(judgements),
		{ name: 'Jaccard over 9 encodings', figure: agreement, limit: 0.9, goal: '>=', decimals: 3 },
		...noiseBars(noise),
		await metadataBar(folder),
	]);
} finally {
	await rm(folder, { recursive: true, force: true });
}
