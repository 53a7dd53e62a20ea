import { join } from 'node:path';

import { runInChild, type Store, WITH_TSX, withStore } from '../children.mts';
import type { BenchFile, Measured, Trial } from './order.mts';

export const MB = 1_024 * 1_024;

/** Moves the files of a trial in a new process, and measures its memory. Keeps them in the store, if any. */
export async function measureInChild(trial: Trial, store?: Store): Promise<Measured> {
	if (store === undefined) return await withStore(async (own) => await measureInChild(trial, own));
	const path = join(import.meta.dirname, 'measured.mts');
	const execArgv = ['--expose-gc', ...WITH_TSX];
	return (await runInChild(path, trial, { execArgv, env: { ...store } })) as Measured;
}

/** Stores files of these sizes, in their own process, so that storing is not measured. */
export async function storeFiles(sizes: readonly number[], store: Store): Promise<BenchFile[]> {
	const path = join(import.meta.dirname, 'store.mts');
	return (await runInChild(path, sizes, {
		execArgv: WITH_TSX,
		env: { ...store },
	})) as BenchFile[];
}
