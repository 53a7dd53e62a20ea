/**
 * `npm run eval -- metadata`: edits sources that have tags, cover and chapters, and prints how much of
 * what each format can hold is in the results. `npm run eval -- recorded` prints the same bar.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { printBars } from '../bars.mts';
import { metadataBar } from './keptMetadata.mts';

const folder = await mkdtemp(join(tmpdir(), 'eval-metadata-'));
try {
	printBars([await metadataBar(folder)]);
} finally {
	await rm(folder, { recursive: true, force: true });
}
