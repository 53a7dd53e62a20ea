import { withoutUrlSecrets } from './log.mts';

/** What Node, ffmpeg and SQLite say when a disk is full. */
const DISK_FULL_PATTERN = /\bENOSPC\b|no space left on device|database or disk is full/i;

/** What an edit that met a full disk ends with. */
const DISK_FULL_REASON = 'There is no space left on the disk of the service';

/** Whether a text, or the message of whatever was thrown, says that the disk is full. */
export function isDiskFull(trouble: unknown): boolean {
	return DISK_FULL_PATTERN.test(trouble instanceof Error ? trouble.message : String(trouble));
}

/** Trouble that a later try may not have: network, 408, 429, 5xx. Leads to status RETRY. */
export class TransientTrouble extends Error {
	override readonly name = 'TransientTrouble';
}

/** A reason to end an edit with FAILURE; its message is written for the log and the page. */
export class EditFailure extends Error {
	override readonly name = 'EditFailure';
}

/** Input that no second try will mend; its message is written for the log and the page. */
export class UnusableInput extends Error {
	override readonly name = 'UnusableInput';
}

/** What the page says of trouble that the service itself is to blame for. */
const OWN_FAULT_REASON = 'The service could not finish the edit; its log says why';

/**
 * Why an edit failed, as the page and the log line of the edit show it: texts of ours only. What
 * other programs say holds paths of this machine, and anything that a client wrote into a file.
 */
export function reasonOf(error: unknown): string {
	if (isDiskFull(error)) return DISK_FULL_REASON;
	return error instanceof EditFailure ? messageOf(error) : OWN_FAULT_REASON;
}

/** The message of whatever was thrown, safe to show. */
export function messageOf(error: unknown): string {
	const text = error instanceof Error ? error.message : String(error);
	return withoutUrlSecrets(text === '' ? 'Unknown error' : text);
}

/** The stack for the log, safe to write. */
export function stackOf(error: unknown): string {
	const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
	return withoutUrlSecrets(text);
}
