import type { EditStore } from './editStore.mts';
import type { UploadStore } from './uploadStore.mts';

/** What telling how much a key may store needs. */
export interface QuotaTools {
	store: EditStore;
	uploads: UploadStore;
	/** Of one file. */
	sizeLimitBytes: number;
	/** Of all that is kept for one key: uploads, fetched sources and results. */
	quotaBytes: number;
}

/** What is left of a key's quota; 0 when it is used up. */
export function leftBytes({ store, uploads, quotaBytes }: QuotaTools, ownerId: string): number {
	return Math.max(0, quotaBytes - uploads.bytesOf(ownerId) - store.bytesOf(ownerId));
}

/** The largest file that a key may send or have fetched now. */
export function largestFileBytes(tools: QuotaTools, ownerId: string): number {
	return Math.min(tools.sizeLimitBytes, leftBytes(tools, ownerId));
}
