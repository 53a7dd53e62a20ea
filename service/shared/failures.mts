import { withoutUrlSecrets } from './log.mts';

/** Returns whether a text, or an error's message, reports what a pattern says. */
const reports = (pattern: RegExp) => (trouble: unknown) => pattern.test(textOf(trouble));

/** The failure reason of an edit that ran into a full disk. */
const DISK_FULL_REASON = 'There is no space left on the disk of the service';

/** How Node, ffmpeg and SQLite report a full disk. */
export const isDiskFull = reports(/\bENOSPC\b|no space left on device|database or disk is full/i);

/** Returns a message without URLs, which clients may fill with any of these words. */
function textOf(trouble: unknown): string {
	return rawMessageOf(trouble).replace(/https?:\/\/\S*/gi, '');
}

function rawMessageOf(trouble: unknown): string {
	return trouble instanceof Error ? trouble.message : String(trouble);
}

/** The failure reason of an edit with a file that needs more memory than one file gets. */
const OUT_OF_MEMORY_REASON = 'The file needs more memory than the service gives to one file';

/** How ffmpeg reports that it may not allocate more. */
export const isOutOfMemory = reports(/cannot allocate memory/i);

/** How Node and ffmpeg report that the process has no file handle left, which connections from outside may be. */
export const isOutOfHandles = reports(/\b(EMFILE|ENFILE)\b|too many open files/i);

/** Whether an error reports a lack that leaves no other way to finish the work. */
export function isShortage(trouble: unknown): boolean {
	return isDiskFull(trouble) || isOutOfMemory(trouble) || isOutOfHandles(trouble);
}

/** Returns what a client reads when ffmpeg refuses a picture for its size; undefined for another error. */
export function tooLargePicture(trouble: unknown): string | undefined {
	const pattern = /Picture size (\d+)x(\d+) exceeds specified max pixel count (\d+)/;
	const found = pattern.exec(textOf(trouble));
	if (found === null) return undefined;
	const [, width, height, most] = found;
	return `The picture has ${width} × ${height} pixels; at most ${most} in total are supported`;
}

/** A failure that a retry may overcome: network, 408, 429, 5xx. Puts the edit into RETRY. */
export class TransientTrouble extends Error {
	override readonly name = 'TransientTrouble';
}

/** A program crashed on its input. Another try tells whether that was chance. Its cause is what it said. */
export class ProgramCrashed extends Error {
	override readonly name = 'ProgramCrashed';
}

/** Ends an edit with FAILURE. The log and the page show its message. */
export class EditFailure extends Error {
	override readonly name = 'EditFailure';
}

/** Input that fails every time. The log and the page show its message. */
export class UnusableInput extends Error {
	override readonly name = 'UnusableInput';
}

/** The failure reason when the service itself is at fault. */
const OWN_FAULT_REASON = 'The service could not finish the edit; its log says why';

/** The failure reason when ffmpeg could not read or write a file, and nothing better is known. */
const MEDIA_REASON =
	'ffmpeg could not process the file; the log of the service says why. Convert it to WAV or MP4 with another program and edit that';

/**
 * Returns why an edit failed, for the page and the edit's log line. Uses the service's own texts only:
 * messages of other programs may contain local paths and anything a client wrote into a file.
 */
export function reasonOf(error: unknown): string {
	if (isDiskFull(error)) return DISK_FULL_REASON;
	if (isOutOfMemory(error)) return OUT_OF_MEMORY_REASON;
	if (error instanceof EditFailure) return messageOf(error);
	return tooLargePicture(error) ?? (isMediaTrouble(error) ? MEDIA_REASON : OWN_FAULT_REASON);
}

/** What made an edit fail: the disk, the memory, something that the page names, or what only the log says. */
export type FailureKind = 'disk' | 'memory' | 'known' | 'unknown';

/** Returns the kind of the reason that `reasonOf` gives. */
export function failureKindOf(error: unknown): FailureKind {
	if (isDiskFull(error)) return 'disk';
	if (isOutOfMemory(error)) return 'memory';
	const isKnown = error instanceof EditFailure || tooLargePicture(error) !== undefined;
	return isKnown ? 'known' : 'unknown';
}

/** Whether ffmpeg failed. Of an error from another thread, only the name is left. */
function isMediaTrouble(error: unknown): boolean {
	return error instanceof Error && /^(MediaToolError|OverTimeLimit)$/.test(error.name);
}

/** Returns the code of an error of Node.js, such as `ENOENT`; an empty text without one. */
export function codeOf(error: unknown): string {
	return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Returns the message of an error without secrets, so that it can be shown. */
export function messageOf(error: unknown): string {
	return withoutUrlSecrets(rawMessageOf(error) || 'Unknown error');
}

/** Returns the stack of an error without secrets, for the log. */
export function stackOf(error: unknown): string {
	const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
	return withoutUrlSecrets(text);
}
