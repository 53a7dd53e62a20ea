/**
 * NODE_OPTIONS loads this into n8n's process. It writes how late each tick of a timer was to a file in
 * the folder of LOOP_PROBE_FOLDER. Each line is [time, delay, CPU time of the thread since the last
 * tick], in milliseconds.
 *
 * `monitorEventLoopDelay` measures the delay, too, but does not keep when it was, so it could not say
 * which node was at work.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 10;

/** A write of 100 lines is not seen among the delays. */
const LINES_A_WRITE = 100;

const folder = process.env['LOOP_PROBE_FOLDER'];

function probe(file: string): void {
	let lines = '';
	let count = 0;
	let lastMs = performance.now();
	let lastCpu = process.threadCpuUsage();
	setInterval(() => {
		const nowMs = performance.now();
		const delayMs = Math.max(0, nowMs - lastMs - TICK_MS);
		const cpu = process.threadCpuUsage();
		const cpuMs = (cpu.user + cpu.system - lastCpu.user - lastCpu.system) / 1_000;
		lines += `[${Date.now()},${delayMs.toFixed(1)},${cpuMs.toFixed(1)}]\n`;
		lastMs = nowMs;
		lastCpu = cpu;
		if (++count % LINES_A_WRITE > 0) return;
		appendFileSync(file, lines);
		lines = '';
	}, TICK_MS).unref();
}

// n8n starts further processes and threads, which have their own loops.
if (folder !== undefined && isMainThread) probe(join(folder, `loop-${process.pid}`));
