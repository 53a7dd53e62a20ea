/**
 * Measures the memory that files and waits need in n8n: our nodes in n8n's engine. Each figure is the peak
 * of a new process, minus its memory after the same node did a little of it: of files the resident memory, of
 * waits what is held.
 *
 *     npm run bench -- memory                # everything
 *     npm run bench -- memory waits          # one part
 */
import { type Bar, printBars } from '../testkit/measure/bars.mts';
import { measureLongWaits } from './memory/longWaits.mts';
import { measureTransfers } from './memory/transfers.mts';

const PARTS: Readonly<Record<string, () => Promise<Bar[]>>> = {
	transfers: measureTransfers,
	waits: measureLongWaits,
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((part) => !(part in PARTS));
if (unknown.length > 0) throw new Error(`The parts are ${Object.keys(PARTS).join(', ')}`);
const bars: Bar[] = [];
for (const part of chosen.length > 0 ? chosen : Object.keys(PARTS)) {
	bars.push(...(await PARTS[part]()));
	console.log('');
}
printBars(bars);
