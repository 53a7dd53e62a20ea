import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** Seconds of a recording from which its edit gives way to others. It takes about ten times as long as to start a thread. */
const MIN_LONG_SECONDS = 600;

/** An edit that gives way gets a tenth of the processor beside one that does not. */
const NICENESS = 10;

let isGivingWay = false;

/** Whether this thread gives way to others, which it cannot take back. */
export function givesWay(): boolean {
	return isGivingWay;
}

/**
 * Lets this thread give way to others from now on if its recording is long, and with it the threads and
 * programs that it starts. Linux only: other systems know no priority of one thread.
 */
export function giveWayIfLong(seconds: number): void {
	// The main thread answers requests.
	if (isGivingWay || isMainThread || seconds < MIN_LONG_SECONDS) return;
	try {
		const threadId = Number(basename(readlinkSync('/proc/thread-self')));
		const { PRIORITY_LOW } = constants.priority;
		setPriority(threadId, Math.min(getPriority(threadId) + NICENESS, PRIORITY_LOW));
		isGivingWay = true;
	} catch {
		// Without a lower priority, the edit is the same.
	}
}
