import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A time of n8n's event loop, in milliseconds of the clock. */
export interface Span {
	readonly fromMs: number;
	readonly toMs: number;
}

/** The environment that makes n8n write the delays of its event loop to a folder. */
export async function probeInto(folder: string): Promise<Record<string, string>> {
	await mkdir(folder);
	const probe = join(import.meta.dirname, 'probe.mts');
	return { LOOP_PROBE_FOLDER: folder, NODE_OPTIONS: `--import ${probe}` };
}

/**
 * The delays of a process's event loop in a span, in milliseconds, from the folder of `probeInto`. They count
 * as far as the thread used the CPU: the delays on an otherwise idle machine.
 */
export async function delaysIn(folder: string, pid: number, span: Span): Promise<number[]> {
	const text = await readFile(join(folder, `loop-${pid}`), 'utf8');
	return text
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line) as [atMs: number, delayMs: number, cpuMs: number])
		.filter(([atMs]) => atMs >= span.fromMs && atMs <= span.toMs)
		.map(([, delayMs, cpuMs]) => Math.min(delayMs, cpuMs));
}

/** The value that a percentage of the values does not exceed; 0 if there are none. */
export function percentile(values: readonly number[], percent: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0;
}
