/**
 * `npm run eval -- transcription [--tuning]`: lets the offline recogniser hear recordings of real
 * people, untouched and after noise removal, at several noise levels, and prints how many words are
 * wrong. `--tuning` takes the sentences of the tuning half, by which the rule was chosen.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { printBars } from '../bars.mts';
import { readingsOf } from '../evalReal/speech/readings.mts';
import { hearingsOf, NOISES, ruleOf, type Hearing } from '../evalReal/speech/transcription.mts';

const { values } = parseArgs({ options: { tuning: { type: 'boolean', default: false } } });
const readings = await readingsOf(values.tuning ? 'tuning' : 'figures');
if (readings.length === 0) throw new Error('The recordings are missing: run .ci/packages eval');

/** The words that are wrong, in percent of those that were said. */
function wrongOf(hearings: readonly Hearing[], errorsOf: (one: Hearing) => number): number {
	const said = hearings.reduce((sum, one) => sum + one.said, 0);
	return (100 * hearings.reduce((sum, one) => sum + errorsOf(one), 0)) / said;
}

const folder = await mkdtemp(join(tmpdir(), 'eval-transcription-'));
const all: Hearing[] = [];
try {
	console.log('noise | measured SNR, dB | words wrong in %: untouched | denoised | by the rule');
	for (const noise of NOISES) {
		const hearings: Hearing[] = [];
		for (const reading of readings) hearings.push(await hearingsOf(reading, noise, folder));
		const snrs = hearings.map(({ snrDb }) => snrDb).sort((a, b) => a - b);
		const figures = [
			wrongOf(hearings, ({ untouched }) => untouched),
			wrongOf(hearings, ({ denoised }) => denoised),
			wrongOf(hearings, ruleOf),
		];
		const range = `${snrs[0].toFixed(0)} to ${snrs[snrs.length - 1].toFixed(0)}`;
		console.log([noise.name, range, ...figures.map((it) => it.toFixed(1))].join(' | '));
		all.push(...hearings);
	}
} finally {
	await rm(folder, { recursive: true, force: true });
}
const better = Math.min(
	wrongOf(all, ({ untouched }) => untouched),
	wrongOf(all, ({ denoised }) => denoised),
);
console.log();
printBars([
	{
		name: `words wrong by the rule, of ${readings.length * NOISES.length} recordings`,
		figure: wrongOf(all, ruleOf),
		limit: Math.round(better * 10) / 10,
		decimals: 1,
		unit: '%',
	},
]);
