/** For a call to the service, and for opening a download link. */
export const CALL_TIMEOUT_MS = 60_000;

/** The part of a transfer's timeout that does not depend on its size. */
const TRANSFER_TIMEOUT_BASE_MS = 300_000;

/** Each of these adds a second: 1 Mbit/s is the slowest line we wait for. */
const TRANSFER_BYTES_PER_SECOND_MINIMUM = 125_000;

const TRANSFER_TIMEOUT_UNKNOWN_SIZE_MS = 6 * 3_600_000;

/** A server may announce any size for a download. */
const DOWNLOAD_TIMEOUT_MAXIMUM_MS = 24 * 3_600_000;

/** The timeout of sending a file, in milliseconds; it grows with the size. */
export function uploadTimeoutMs(sizeBytes: number): number {
	return (
		TRANSFER_TIMEOUT_BASE_MS + Math.ceil(sizeBytes / TRANSFER_BYTES_PER_SECOND_MINIMUM) * 1_000
	);
}

/** The timeout of receiving a file, in milliseconds; it grows with the size if that is known. */
export function downloadTimeoutMs(sizeBytes: number | undefined): number {
	if (sizeBytes === undefined) return TRANSFER_TIMEOUT_UNKNOWN_SIZE_MS;
	return Math.min(uploadTimeoutMs(sizeBytes), DOWNLOAD_TIMEOUT_MAXIMUM_MS);
}
