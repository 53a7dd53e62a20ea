import { join } from 'node:path';

import { type InstantService, runInChild, type Store, WITH_TSX } from '../children.mts';
import type { BenchFile, Peak, Transfer, Trial } from './order.mts';

export const MB = 1_024 * 1_024;

/**
 * Moves files in a new process, and measures its memory. Downloads are not kept; uploads are read from the store.
 *
 * @throws when the service did not receive all that was to be uploaded
 */
export async function measureInChild(
	service: InstantService,
	transfer: Transfer,
	store: Store,
): Promise<Peak> {
	const before = await service.receivedBytes();
	const path = join(import.meta.dirname, 'measured.mts');
	const execArgv = ['--expose-gc', ...WITH_TSX];
	const trial: Trial = { ...transfer, serviceUrl: service.url };
	const peak = (await runInChild(path, trial, { execArgv, env: store.env })) as Peak;
	const arrived = (await service.receivedBytes()) - before;
	const sent = transfer.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
	if (transfer.direction !== 'download' && arrived < sent)
		throw new Error(`${arrived} of ${sent} bytes arrived`);
	return peak;
}

/** Stores files of these sizes, in their own process, so that storing is not measured. */
export async function storeFiles(sizes: readonly number[], store: Store): Promise<BenchFile[]> {
	const path = join(import.meta.dirname, 'store.mts');
	const options = { execArgv: WITH_TSX, env: store.env };
	return (await runInChild(path, sizes, options)) as BenchFile[];
}
