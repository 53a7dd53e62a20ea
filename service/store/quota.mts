import type { Allowance } from '../shared/sizeLimit.mts';
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

/** Returns how large a single file may be, whatever its key has stored. */
export function sizeAllowance({ sizeLimitBytes: bytes }: QuotaTools): Allowance {
	return { bytes, refusal: `The file is larger than ${bytes} bytes` };
}

/**
 * Returns how large a file a key may store now.
 * @param replacedBytes the size of the file whose place it takes.
 */
export async function allowanceOf(
	tools: QuotaTools,
	ownerId: string,
	replacedBytes = 0,
): Promise<Allowance> {
	const { sizeLimitBytes, quotaBytes } = tools;
	const bytes = (await leftBytes(tools, ownerId)) + replacedBytes;
	if (bytes >= sizeLimitBytes) return sizeAllowance(tools);
	return { bytes, refusal: overQuota('The file', bytes, quotaBytes) };
}

/** Says that something does not fit into what is left of a key's quota. */
export function overQuota(what: string, leftBytes: number, quotaBytes: number): string {
	return (
		`${what} is larger than what is left of the storage quota of this API key (${leftBytes} of ` +
		`${quotaBytes} bytes): delete edits, or wait until their retention ends`
	);
}
