import type { Bar } from '../../testkit/measure/bars.mts';
import { startInstantService } from '../../testkit/measure/children.mts';
import { median } from '../../testkit/measure/median.mts';
import { MB, measureInChild } from '../memory/inChild.mts';

const ITEMS = 100;

const SIZE_BYTES = 100 * MB;

/** Each moves 20 GB through this machine, and stores 10 GB for a while. */
const PROCESSES = 3;

/** Edits many large files in one run of the node, in n8n's engine with binaries on disk. */
export async function measureMemory(): Promise<Bar[]> {
	await using service = await startInstantService(SIZE_BYTES);
	await using small = await startInstantService(MB);
	const what = `${ITEMS} items of ${SIZE_BYTES / MB} MB`;
	const peaksMb: number[] = [];
	while (peaksMb.length < PROCESSES) {
		const sizesBytes = Array<number>(ITEMS).fill(SIZE_BYTES);
		const transfer = { direction: 'edit', sizesBytes, warmUpUrl: small.url } as const;
		const { peakMb, seconds } = await measureInChild(service, transfer);
		peaksMb.push(peakMb);
		console.log(`${what}: ${peakMb.toFixed(0)} MB over baseline, ${seconds.toFixed(0)} s`);
	}
	const name = `memory, ${what}, peak over baseline, median of ${PROCESSES} processes`;
	return [{ name, figure: median(peaksMb), limit: 128, decimals: 0, unit: 'MB' }];
}
