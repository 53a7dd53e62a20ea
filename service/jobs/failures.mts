import { withoutUrlSecrets } from '../log.mts';

/** Trouble that a later try may not have: network, 408, 429, 5xx. Leads to status RETRY. */
export class TransientTrouble extends Error {
	override readonly name = 'TransientTrouble';
}

/** A reason to end an edit with FAILURE; its message is written for the log and the page. */
export class EditFailure extends Error {
	override readonly name = 'EditFailure';
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
