import { readFileSync, writeFileSync } from 'node:fs';

/** Measures how far this process's resident memory rises above its value at the start. */
export interface PeakMeter {
	readonly method: 'VmHWM' | 'sampled';
	/** Peak resident memory minus that at the start, in bytes. */
	peakOverBaselineBytes(): number;
}

const SAMPLE_INTERVAL_MS = 5;

/**
 * Starts to measure. Collects garbage first, so that a transfer cannot reuse memory that n8n's
 * loading left unused. Linux tracks the peak itself (VmHWM, reset through clear_refs); where that
 * is not permitted, this samples the memory.
 */
export function startPeakMeter(): PeakMeter {
	if (globalThis.gc === undefined) throw new Error('Run with node --expose-gc');
	globalThis.gc();
	return resetHighWaterMark() ? kernelMeter() : samplingMeter();
}

function resetHighWaterMark(): boolean {
	try {
		writeFileSync('/proc/self/clear_refs', '5');
		return true;
	} catch {
		return false;
	}
}

function kernelMeter(): PeakMeter {
	const baselineBytes = statusBytes('VmRSS');
	return {
		method: 'VmHWM',
		peakOverBaselineBytes: () => statusBytes('VmHWM') - baselineBytes,
	};
}

function statusBytes(field: 'VmRSS' | 'VmHWM'): number {
	const status = readFileSync('/proc/self/status', 'utf8');
	const kilobytes = new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status)?.[1];
	if (kilobytes === undefined) throw new Error(`/proc/self/status has no ${field}`);
	return Number(kilobytes) * 1_024;
}

function samplingMeter(): PeakMeter {
	const baselineBytes = process.memoryUsage.rss();
	let highestBytes = baselineBytes;
	const sample = () => {
		highestBytes = Math.max(highestBytes, process.memoryUsage.rss());
	};
	setInterval(sample, SAMPLE_INTERVAL_MS).unref();
	return {
		method: 'sampled',
		peakOverBaselineBytes: () => {
			sample();
			return highestBytes - baselineBytes;
		},
	};
}
