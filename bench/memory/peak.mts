import { readFileSync, writeFileSync } from 'node:fs';

/** Measures how far this process's resident memory rises above what it was at the start. */
export interface PeakMeter {
	readonly method: 'VmHWM' | 'sampled';
	/** Bytes from the start's resident memory to the highest since. */
	peakOverBaselineBytes(): number;
}

const SAMPLE_INTERVAL_MS = 5;

/**
 * Begins to measure. Garbage is collected before, so that what n8n's loading left behind is not space
 * for the transfer to use unseen; from then on the heap does as it likes. Linux keeps the peak itself
 * (VmHWM, reset through clear_refs); where that is not permitted, the memory is sampled.
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
	if (kilobytes === undefined) throw new Error(`/proc/self/status does not name ${field}`);
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
