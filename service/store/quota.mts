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
export function leftBytes({ store, uploads, quotaBytes }: QuotaTools, ownerId: string): number {
	return Math.max(0, quotaBytes - uploads.bytesOf(ownerId) - store.bytesOf(ownerId));
}

/** Returns the size in bytes of the largest file that a key may store now. */
export function largestFileBytes(tools: QuotaTools, ownerId: string): number {
	return Math.min(tools.sizeLimitBytes, leftBytes(tools, ownerId));
}
