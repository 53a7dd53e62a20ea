import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** Seconds of a recording from which its edit runs at lower priority. It takes about ten times as long as to start a thread. */
const MIN_LONG_SECONDS = 600;

/** At lower priority, an edit gets a tenth of the processor beside one at normal priority. */
const NICENESS = 10;

let isLow = false;

/** Whether this thread runs at lower priority, which it cannot undo. */
export function hasLowPriority(): boolean {
	return isLow;
}

/**
 * Lowers the priority of this thread from now on if its recording is long, and with it that of the threads and
 * programs that it starts. Linux only: other systems know no priority of one thread.
 */
export function lowerPriorityIfLong(seconds: number): void {
	// The main thread answers requests.
	if (isLow || isMainThread || seconds < MIN_LONG_SECONDS) return;
	try {
		const threadId = Number(basename(readlinkSync('/proc/thread-self')));
		const { PRIORITY_LOW } = constants.priority;
		setPriority(threadId, Math.min(getPriority(threadId) + NICENESS, PRIORITY_LOW));
		isLow = true;
	} catch {
		// Without a lower priority, the edit is the same.
	}
}
