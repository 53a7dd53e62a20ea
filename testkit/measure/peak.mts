import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

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
export function statusBytes(field: Field, pid: number | string = 'self'): number {
	const bytes = bytesIn(field, pid);
	if (bytes === undefined) throw new Error(`/proc/${pid}/status has no ${field}`);
	return bytes;
}

/** Returns the same of each of these processes that has not ended. */
export function livingBytes(field: Field, pids: readonly string[]): number[] {
	return pids.flatMap((pid) => bytesIn(field, pid) ?? []);
}

type Field = 'VmRSS' | 'VmHWM';

function bytesIn(field: Field, pid: number | string): number | undefined {
	const kilobytes = new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(procText(pid, 'status'))?.[1];
	return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
}

/** Returns the process IDs of a process's children; Linux only. */
export function childrenOf(pid: number | string = 'self'): string[] {
	const path = `/proc/${pid}/task`;
	const threads = existsSync(path) ? readdirSync(path) : [];
	const lists = threads.map((thread) => procText(pid, `task/${thread}/children`));
	return lists.flatMap((list) => list.split(' ')).filter((child) => child !== '');
}

/** Seconds that the ended children of a process computed, and theirs; Linux only, where a tick is always 10 ms. */
export function childrenCpuSeconds(pid: number | string): number {
	// The name of the program, in brackets, may have blanks and brackets itself.
	const fields = procText(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
	return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Returns a text of Linux about a process, such as `cmdline`; empty once it has ended. */
export function procText(pid: number | string, name: string): string {
	try {
		return readFileSync(`/proc/${pid}/${name}`, 'utf8');
	} catch {
		return '';
	}
}
