/** What Node, ffmpeg and SQLite say when a disk is full. */
const DISK_FULL_PATTERN = /\bENOSPC\b|no space left on device|database or disk is full/i;

/** What an edit that met a full disk ends with. */
export const DISK_FULL_REASON = 'There is no space left on the disk of the service';

/** Whether a text, or the message of whatever was thrown, says that the disk is full. */
export function isDiskFull(trouble: unknown): boolean {
	return DISK_FULL_PATTERN.test(trouble instanceof Error ? trouble.message : String(trouble));
}
