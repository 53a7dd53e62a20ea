import type { EditStore } from './editStore.mts';
import type { UploadStore } from './uploadStore.mts';

/** What the functions below need. */
export interface QuotaTools {
	store: EditStore;
	uploads: UploadStore;
	/** Largest size of a single file. */
	sizeLimitBytes: number;
	/** Limit for all files of one key: uploads, fetched sources and results. */
	quotaBytes: number;
}

/** Returns the bytes left of a key's quota; 0 when it is used up. */
export async function leftBytes(tools: QuotaTools, ownerId: string): Promise<number> {
	const { store, uploads, quotaBytes } = tools;
	const used = await Promise.all([uploads.bytesOf(ownerId), store.bytesOf(ownerId)]);
	return Math.max(0, quotaBytes - used[0] - used[1]);
}

/** Returns the size in bytes of the largest file that a key may store now. */
export async function largestFileBytes(tools: QuotaTools, ownerId: string): Promise<number> {
	return Math.min(tools.sizeLimitBytes, await leftBytes(tools, ownerId));
}
