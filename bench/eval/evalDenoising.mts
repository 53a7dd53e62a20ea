/**
 * `npm run eval -- denoising [--figures] [--seed N]`: puts real speech with noise through the
 * noise reduction and measures what is left of both. By default with the speakers of the tuning
 * half; `--figures` uses the other half.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { printBars } from '../bars.mts';
import { denoisingBars } from '../evalReal/denoising.mts';

const { values } = parseArgs({
	options: {
		figures: { type: 'boolean', default: false },
		seed: { type: 'string', default: '1' },
	},
});
const folder = await mkdtemp(join(tmpdir(), 'eval-denoising-'));
try {
	const half = values.figures ? 'figures' : 'tuning';
	printBars(await denoisingBars(half, Number(values.seed), folder));
} finally {
	await rm(folder, { recursive: true, force: true });
}
