/**
 * What the node Audio Editing costs beside an ideal client and the chain of nodes, and whether faults
 * make it charge an edit twice or lose a recording.
 *
 *     npm run bench -- pipeline                           # everything
 *     npm run bench -- pipeline batches                   # one part
 *     npm run bench -- pipeline trials --seed 1000        # other trials
 *     npm run bench -- pipeline --trial 17                # all that a person sees in one trial
 */
import '../testkit/process/environment.ts';

import { parseArgs } from 'node:util';

import { type Bar, printBars } from '../testkit/measure/bars.mts';
import { measureBatches } from './pipeline/batches.mts';
import { measureMemory } from './pipeline/memory.mts';
import { measureTrials, showTrial } from './pipeline/trials.mts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		seed: { type: 'string', default: '1' },
		trial: { type: 'string' },
	},
});

const PARTS: Readonly<Record<string, () => Promise<Bar[]>>> = {
	batches: measureBatches,
	trials: async () => await measureTrials(Number(values.seed)),
	memory: measureMemory,
};

if (values.trial !== undefined) {
	await showTrial(Number(values.trial));
	process.exit();
}
const unknown = positionals.filter((part) => !(part in PARTS));
if (unknown.length > 0) throw new Error(`The parts are ${Object.keys(PARTS).join(', ')}`);
const bars: Bar[] = [];
for (const part of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
	bars.push(...(await PARTS[part]()));
	console.log('');
}
printBars(bars);
