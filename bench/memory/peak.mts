import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Starts to measure how far this process's resident memory rises, and returns what says its peak over that
 * at the start, in bytes. Collects garbage first, so that a transfer cannot reuse memory that n8n's loading
 * left unused. Linux tracks the peak itself (VmHWM, reset through clear_refs).
 */
export function startPeakMeter(): () => number {
	if (globalThis.gc === undefined) throw new Error('Run with node --expose-gc');
	globalThis.gc();
	writeFileSync('/proc/self/clear_refs', '5');
	const baselineBytes = statusBytes('VmRSS');
	return () => statusBytes('VmHWM') - baselineBytes;
}

/** Returns what Linux says of a process's memory. @throws Error once it has ended. */
export function statusBytes(field: 'VmRSS' | 'VmHWM', pid: number | string = 'self'): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const kilobytes = new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status)?.[1];
	if (kilobytes === undefined) throw new Error(`/proc/${pid}/status has no ${field}`);
	return Number(kilobytes) * 1_024;
}
