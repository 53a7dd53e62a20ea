import { join } from 'node:path';

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { type InstantService, runInChild, WITH_TSX } from '../../testkit/measure/children.mts';

export const MB = 1_024 * 1_024;

/** What one process measures: all files in a single run of one node. */
interface Transfer {
	/** Seen from n8n; an edit is an upload and a download. */
	readonly direction: 'upload' | 'download' | 'edit';
	readonly sizesBytes: readonly number[];
	/** The service for the small files before the measuring, where that is another one. */
	readonly warmUpUrl?: string;
	/** The parameters of our node, if they are not the defaults. */
	readonly parameters?: INodeParameters;
}

/** The items of the measured files after that of the small one, and their sizes. */
export interface Trial extends Transfer {
	readonly serviceUrl: string;
	readonly items: readonly INodeExecutionData[];
}

/** How far the memory rose over the baseline, and how long the transfer took. */
export interface Peak {
	readonly peakMb: number;
	readonly seconds: number;
}

/**
 * Moves files in a new process and measures its memory. What is uploaded was stored by another process.
 *
 * @throws when the service did not receive all that was to be uploaded
 */
export async function measureInChild(service: InstantService, transfer: Transfer): Promise<Peak> {
	await using folder = await temporaryFolder();
	const { direction, sizesBytes } = transfer;
	const at = (name: string) => join(import.meta.dirname, name);
	const sizes = [MB, ...sizesBytes];
	const items =
		direction === 'download'
			? sizes.map((sizeBytes) => ({ json: { editId: `${sizeBytes}-1` } }))
			: ((await runInChild(at('store.mts'), sizes, folder.path)) as INodeExecutionData[]);
	const trial: Trial = { ...transfer, items, serviceUrl: service.url };
	const before = await service.receivedBytes();
	const execArgv = ['--expose-gc', ...WITH_TSX];
	const peak = (await runInChild(at('measured.mts'), trial, folder.path, execArgv)) as Peak;
	const arrived = (await service.receivedBytes()) - before;
	const sent = sizesBytes.reduce((sum, sizeBytes) => sum + sizeBytes, 0);
	if (direction !== 'download' && arrived < sent)
		throw new Error(`${arrived} of ${sent} bytes arrived`);
	return peak;
}
