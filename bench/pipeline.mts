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

import { measureParts } from '../testkit/measure/parts.mts';
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

if (values.trial !== undefined) {
	await showTrial(Number(values.trial));
	process.exit();
}
await measureParts(
	{
		batches: measureBatches,
		trials: async () => await measureTrials(Number(values.seed)),
		memory: measureMemory,
	},
	positionals,
);
