import type { Bar } from '../bars.mts';
import { startInstantService, withStore } from '../children.mts';
import { median } from '../median.mts';
import { MB, measureInChild, storeFiles } from '../memory/inChild.mts';
import type { Measured, Trial } from '../memory/order.mts';

const ITEMS = 100;

const SIZE_BYTES = 100 * MB;

const WARM_UP_BYTES = MB;

/** Each moves 20 GB through this machine, and stores 10 GB for a while. */
const PROCESSES = 3;

/** Edits many large files in one run of the node, in n8n's engine with binaries on disk. */
export async function measureMemory(): Promise<Bar[]> {
	const service = await startInstantService(SIZE_BYTES);
	const small = await startInstantService(WARM_UP_BYTES);
	const peaksMb: number[] = [];
	try {
		for (let count = 0; count < PROCESSES; count++) {
			const before = await service.receivedBytes();
			const measured = await measureOnce({ serviceUrl: service.url, warmUpUrl: small.url });
			if ('refusal' in measured) throw new Error(measured.refusal);
			const sentBytes = (await service.receivedBytes()) - before;
			if (sentBytes !== ITEMS * SIZE_BYTES) throw new Error(`Only ${sentBytes} bytes were sent`);
			const peakMb = measured.peakOverBaselineBytes / MB;
			peaksMb.push(peakMb);
			console.log(
				`${ITEMS} items of ${SIZE_BYTES / MB} MB: ${peakMb.toFixed(0)} MB over baseline, ${measured.seconds.toFixed(0)} s`,
			);
		}
	} finally {
		await service.stop();
		await small.stop();
	}
	const name = `memory, ${ITEMS} items of ${SIZE_BYTES / MB} MB, peak over baseline, median of ${PROCESSES} processes`;
	return [{ name, figure: median(peaksMb), limit: 128, decimals: 0, unit: 'MB' }];
}

/** Runs the node in its own process and its own n8n folder, which is deleted with the edited files. */
async function measureOnce(
	urls: Required<Pick<Trial, 'serviceUrl' | 'warmUpUrl'>>,
): Promise<Measured> {
	return await withStore(async (store) => {
		const [warmUp, file] = await storeFiles([WARM_UP_BYTES, SIZE_BYTES], store);
		const files = Array.from({ length: ITEMS }, () => file);
		return await measureInChild({ ...urls, direction: 'edit', warmUp, files }, store);
	});
}
