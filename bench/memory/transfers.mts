import { table } from '../../demo/report.mts';
import type { Bar } from '../../testkit/measure/bars.mts';
import { startInstantService } from '../../testkit/measure/children.mts';
import { median } from '../../testkit/measure/median.mts';
import { MB, measureInChild, type Peak } from './inChild.mts';

const TRANSFERS: Readonly<Record<string, readonly number[]>> = {
	'100 MB': [100 * MB],
	'400 MB': [400 * MB],
	'2 GB': [2_048 * MB],
	// Several files in one run of the node, one after another.
	'2 × 400 MB': [400 * MB, 400 * MB],
};

/** Of each transfer. A single run can be half as high again: a garbage collection came late. */
const PROCESSES = 5;

const GOAL_MB = 64;

/** Moves files of several sizes through Upload and Get Result in n8n's engine, with binaries on disk. */
export async function measureTransfers(): Promise<Bar[]> {
	const rows = [['direction', 'size', 'peak over baseline', 'all runs in MB', 'time']];
	const bars: Bar[] = [];
	await using service = await startInstantService(MB);

	for (const direction of ['upload', 'download'] as const) {
		for (const [label, sizesBytes] of Object.entries(TRANSFERS)) {
			const runs: Peak[] = [];
			while (runs.length < PROCESSES)
				runs.push(await measureInChild(service, { direction, sizesBytes }));
			const figure = median(runs.map(({ peakMb }) => peakMb));
			rows.push([
				direction,
				label,
				`${figure.toFixed(1)} MB`,
				runs.map(({ peakMb }) => peakMb.toFixed(1)).join(', '),
				`${median(runs.map(({ seconds }) => seconds)).toFixed(1)} s`,
			]);
			const name = `${direction} ${label}, peak over baseline in MB, median of ${PROCESSES}`;
			bars.push({ name, figure, limit: GOAL_MB, decimals: 1 });
		}
	}
	console.log(table(rows));
	console.log('\nEach baseline is taken after a garbage collection.\n');
	return bars;
}
