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
	/** Whether the resident memory is measured instead of what is held. */
	readonly isGarbageCounted: boolean;
}

const EDITS = 1_000;

/** An hour of talk at 150 words a minute. */
const WORDS = 9_000;

/** What is held depends on the answers that are being read at a look. */
const PROCESSES = 3;

const MODULE = join(import.meta.dirname, 'waited.mts');

/**
 * Waits for many long edits in one run of Wait For Edit, in n8n's engine. What the wait holds is judged. The
 * resident memory is only printed: V8 takes it for garbage, whatever the nodes do (`startHeldMeter`).
 */
export async function measureLongWaits(): Promise<Bar[]> {
	await using service = await startInstantService(1, 0, WORDS);
	const measure = async (isGarbageCounted: boolean) => {
		await using folder = await temporaryFolder();
		const wait: Wait = { serviceUrl: service.url, edits: EDITS, isGarbageCounted };
		const execArgv = ['--expose-gc', ...WITH_TSX];
		const { peakMb, seconds } = (await runInChild(MODULE, wait, folder.path, execArgv)) as Peak;
		const what = isGarbageCounted ? 'resident, with garbage' : 'held';
		console.log(
			`${EDITS} edits of an hour: ${peakMb.toFixed(1)} MB over baseline ${what}, ${seconds.toFixed(0)} s`,
		);
		return peakMb;
	};
	await measure(true);
	const heldMb: number[] = [];
	while (heldMb.length < PROCESSES) heldMb.push(await measure(false));
	const name = `Wait For Edit, ${EDITS} edits of an hour with texts, most memory held over baseline in MB, median of ${PROCESSES}`;
	return [{ name, figure: median(heldMb), limit: 60, decimals: 1 }];
}
