import { mendSizes } from '../media/wholeFile/mend.mts';
import type { EngineSource } from './types.mts';

/**
 * Returns a source whose header says where its sound ends, with notes on what the file holds besides.
 *
 * @param path of a copy of our own, which may be replaced
 * @throws the signal's reason when aborted
 */
export async function wholeSource(
	path: string,
	name: string,
	signal: AbortSignal,
): Promise<EngineSource> {
	return { path, name, notes: await mendSizes(path, signal) };
}
