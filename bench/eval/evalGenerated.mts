/**
 * `npm run eval [--quick] [--seed N]`: makes recordings whose edits are known, lets the engine
 * edit them, and prints how well it did. See docs/editing-engine.md, "Detection".
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import which from 'which';

import { printBars } from '../bars.mts';
import { Chance } from './chance.mts';
import { conversation } from './conversation.mts';
import { LIP_SYNC_PLANS, measureLipSync } from './lipSync.mts';
import { barsOf, lipSyncBar, printConversation, printResults, type Trial } from './report.mts';
import { scenesOf } from './sets.mts';
import { trial, trialOfTracks } from './trial.mts';
import { realVoices } from './voices.mts';

/** The detectors were tuned on seeds 1 to 4 and looked at with 101 and 202; the figures that count come from here. */
const JUDGED_SEED = 303;

const { values } = parseArgs({
	options: {
		quick: { type: 'boolean', default: false },
		seed: { type: 'string', default: String(JUDGED_SEED) },
	},
});
if (which.sync('espeak-ng', { nothrow: true }) === null) {
	throw new Error('The evaluation lets espeak-ng speak: install it (apt-get install espeak-ng)');
}
const seed = Number(values.seed);
const size = values.quick ? { scenes: 5, seconds: 40 } : { scenes: 20, seconds: 75 };

console.log(`Seed ${seed}, ${size.scenes} recordings of ${size.seconds} s`);
const real = realVoices().map(({ name }) => name);
console.log(
	`Real voices: ${real.length > 0 ? real.join(', ') : 'none installed, generated ones instead'}`,
);
const folder = await mkdtemp(join(tmpdir(), 'eval-'));
try {
	const trials: Trial[] = [];
	for await (const scene of scenesOf(seed, size.scenes, size.seconds)) {
		trials.push({ scene, result: await trial(scene, folder) });
		console.log(`${trials.length} of ${size.scenes}: ${scene.condition}, ${scene.name}`);
	}
	printResults(trials);
	const talk = await conversation(size.seconds / 2, 4, new Chance(seed * 1_000 + 777));
	const talkResult = await trialOfTracks(talk, folder);
	printConversation(talkResult);
	console.log();
	const videos = values.quick ? LIP_SYNC_PLANS.slice(0, 2) : LIP_SYNC_PLANS;
	const lipSync = await measureLipSync(folder, videos);
	console.log();
	printBars([...barsOf(trials, talkResult), lipSyncBar(lipSync)]);
} finally {
	await rm(folder, { recursive: true, force: true });
}
