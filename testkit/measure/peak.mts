import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Starts to measure how far this process's resident memory rises, and returns what says its peak over that
 * at the start, in bytes. Collects garbage first, so that a transfer cannot reuse memory that n8n's loading
 * left unused. Linux tracks the peak itself (VmHWM, reset through clear_refs).
 */
export function startPeakMeter(): () => number {
	collectGarbage();
	writeFileSync('/proc/self/clear_refs', '5');
	const baselineBytes = statusBytes('VmRSS');
	return () => statusBytes('VmHWM') - baselineBytes;
}

/** How often the memory that is held is looked at: each look collects garbage, which takes about 50 ms. */
const LOOK_EVERY_MS = 500;

/**
 * Starts to measure how much more memory is held than at the start, and returns what ends that and says the
 * most, in bytes. Garbage does not count: V8 lets an old heap of a few hundred MB fill before it first looks.
 */
export function startHeldMeter(): () => number {
	const atStartBytes = heldBytes();
	let maxBytes = 0;
	const look = () => {
		maxBytes = Math.max(maxBytes, heldBytes() - atStartBytes);
	};
	const looks = setInterval(look, LOOK_EVERY_MS);
	return () => {
		clearInterval(looks);
		look();
		return maxBytes;
	};
}

/** The memory that a collection of garbage leaves, inside V8's heap and outside it. */
function heldBytes(): number {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

function collectGarbage(): void {
	if (globalThis.gc === undefined) throw new Error('Run with node --expose-gc');
	globalThis.gc();
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
