import { join } from 'node:path';

import type { Bar } from '../../testkit/measure/bars.mts';
import { runInChild, startInstantService, WITH_TSX } from '../../testkit/measure/children.mts';
import { median } from '../../testkit/measure/median.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import type { Peak } from './inChild.mts';

/** What one process measures: one Wait For Edit of this many edits, all with the texts of an hour. */
export interface Wait {
	readonly serviceUrl: string;
	readonly edits: number;
}

const EDITS = 1_000;

/** An hour of talk at 150 words a minute. */
const WORDS = 9_000;

/** A single run can be higher: a garbage collection came late. */
const PROCESSES = 3;

const MODULE = join(import.meta.dirname, 'waited.mts');

/** Waits for many long edits in one run of Wait For Edit, in n8n's engine. */
export async function measureLongWaits(): Promise<Bar[]> {
	await using service = await startInstantService(1, 0, WORDS);
	const peaksMb: number[] = [];
	while (peaksMb.length < PROCESSES) {
		await using folder = await temporaryFolder();
		const wait: Wait = { serviceUrl: service.url, edits: EDITS };
		const execArgv = ['--expose-gc', ...WITH_TSX];
		const peak = (await runInChild(MODULE, wait, folder.path, execArgv)) as Peak;
		peaksMb.push(peak.peakMb);
		console.log(
			`${EDITS} edits of an hour: ${peak.peakMb.toFixed(1)} MB over baseline, ${peak.seconds.toFixed(0)} s`,
		);
	}
	const name = `Wait For Edit, ${EDITS} edits of an hour with texts, peak over baseline in MB, median of ${PROCESSES}`;
	return [{ name, figure: median(peaksMb), limit: 60, decimals: 1 }];
}
