/**
 * Measures the memory that files and waits need in n8n: our nodes in n8n's engine. Each figure is the peak
 * of a new process, minus its memory after the same node did a little of it: of files the resident memory, of
 * waits what is held.
 *
 *     npm run bench -- memory                # everything
 *     npm run bench -- memory waits          # one part
 */
import { measureParts } from '../testkit/measure/parts.mts';
import { measureLongWaits } from './memory/longWaits.mts';
import { measureTransfers } from './memory/transfers.mts';

await measureParts({ transfers: measureTransfers, waits: measureLongWaits }, process.argv.slice(2));
