/** How long a request may take, in milliseconds. */

/** A call to the service, and the opening of a download link. */
export const CALL_TIMEOUT_MS = 60_000;

/** A transfer may always take this long … */
const TRANSFER_TIMEOUT_BASE_MS = 300_000;

/** … and longer by one second for each of these: 1 Mbit/s is the slowest line we wait for. */
const TRANSFER_BYTES_PER_SECOND_MINIMUM = 125_000;

/** A file of unknown size may take this long. */
const TRANSFER_TIMEOUT_UNKNOWN_SIZE_MS = 6 * 3_600_000;

/** The size of a download is what its server says, which need not be true. */
const DOWNLOAD_TIMEOUT_MAXIMUM_MS = 24 * 3_600_000;

/** The time limit of sending a file; it grows with the size. */
export function uploadTimeoutMs(sizeBytes: number): number {
	return (
		TRANSFER_TIMEOUT_BASE_MS + Math.ceil(sizeBytes / TRANSFER_BYTES_PER_SECOND_MINIMUM) * 1_000
	);
}

/** The time limit of receiving a file; it grows with the size, where that is known. */
export function downloadTimeoutMs(sizeBytes: number | undefined): number {
	if (sizeBytes === undefined) return TRANSFER_TIMEOUT_UNKNOWN_SIZE_MS;
	return Math.min(uploadTimeoutMs(sizeBytes), DOWNLOAD_TIMEOUT_MAXIMUM_MS);
}
