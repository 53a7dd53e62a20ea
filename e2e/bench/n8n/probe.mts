/**
 * Loaded into n8n's process by NODE_OPTIONS: writes how late each tick of a timer was to a file in
 * the folder of LOOP_PROBE_FOLDER, as lines of [time in ms, delay in ms].
 *
 * `monitorEventLoopDelay` measures the same, but does not keep when it was, so it could not say which
 * node was at work.
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
	setInterval(() => {
		const nowMs = performance.now();
		lines += `[${Date.now()},${Math.max(0, nowMs - lastMs - TICK_MS).toFixed(1)}]\n`;
		lastMs = nowMs;
		if (++count % LINES_A_WRITE > 0) return;
		appendFileSync(file, lines);
		lines = '';
	}, TICK_MS).unref();
}

// n8n starts further processes and threads, which have their own loops.
if (folder !== undefined && isMainThread) probe(join(folder, `loop-${process.pid}`));
