/**
 * What the node Edit Recording costs beside an ideal client and the chain of nodes, and whether faults
 * make it charge an edit twice or lose a recording. `npm run bench:pipeline`; one part of it with
 * `npm run bench:pipeline -- batches`.
 */
import '../test/support/environment.ts';

import { type Bar, printBars } from './bars.mts';
import { measureBatches } from './pipeline/batches.mts';

const PARTS: Readonly<Record<string, () => Promise<Bar[]>>> = {
	batches: measureBatches,
};

const named = process.argv.slice(2).filter((word) => word in PARTS);
const bars: Bar[] = [];
for (const part of named.length > 0 ? named : Object.keys(PARTS)) {
	bars.push(...(await PARTS[part]()));
	console.log('');
}
printBars(bars);
