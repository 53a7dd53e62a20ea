import { spawn } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import type { EditConfig } from '../../service/shared/contract.mts';

/** The output of `engineRun.mts`. */
export interface EngineRunReport {
	wallSeconds: number;
	/** CPU time of all threads of the service's process. */
	cpuSeconds: number;
	ffmpegCpuSeconds: number;
	/** Peak resident memory of the service's process. */
	peakMegabytes: number;
	/** When the engine entered each status. */
	statuses: { status: string; seconds: number }[];
	statistics: Partial<Record<string, number>>;
	outputPath: string;
}

/** A run, with figures measured from outside. */
export interface EngineRun extends EngineRunReport {
	/** Peak of the total resident memory of all ffmpeg processes, sampled. */
	ffmpegPeakMegabytes: number;
	/** Peak size of the work folder. */
	workMegabytes: number;
}

/** What a command took. */
export interface CommandRun {
	wallSeconds: number;
	cpuSeconds: number;
	peakMegabytes: number;
}

const SAMPLING_MS = 100;

/** Runs one edit in a new process. */
export async function runEngine(
	sourcePath: string,
	folder: string,
	config: EditConfig,
): Promise<EngineRun> {
	const script = join(import.meta.dirname, 'engineRun.mts');
	const args = ['--import', 'tsx', script, sourcePath, folder, JSON.stringify(config)];
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
	let [ffmpegPeakMegabytes, workMegabytes] = [0, 0];
	const sampling = setInterval(() => {
		void childrenMegabytes(child.pid ?? 0).then((megabytes) => {
			ffmpegPeakMegabytes = Math.max(ffmpegPeakMegabytes, megabytes);
		});
		void folderMegabytes(join(folder, 'work')).then((megabytes) => {
			workMegabytes = Math.max(workMegabytes, megabytes);
		});
	}, SAMPLING_MS);
	try {
		const report = JSON.parse(await text(child.stdout)) as EngineRunReport;
		return { ...report, ffmpegPeakMegabytes, workMegabytes };
	} finally {
		clearInterval(sampling);
	}
}

/** Measures a command; discards its output. */
export async function timeCommand(program: string, args: readonly string[]) {
	const began = performance.now();
	const child = spawn('/usr/bin/time', ['-f', '%U %S %M', program, ...args], {
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	const said = await text(child.stderr);
	const [user, system, kilobytes] = (said.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
	return {
		wallSeconds: (performance.now() - began) / 1_000,
		cpuSeconds: user + system,
		peakMegabytes: kilobytes / 1_024,
		said,
	};
}

/** Resident memory of a process's children in MB; Linux only. */
export async function childrenMegabytes(parent: number): Promise<number> {
	const tasks = `/proc/${parent}/task`;
	const threads = await readdir(tasks).catch(() => []);
	const lists = await Promise.all(
		threads.map((thread) => readFile(`${tasks}/${thread}/children`, 'utf8').catch(() => '')),
	);
	const pids = lists.flatMap((list) => list.trim().split(' ')).filter((pid) => pid !== '');
	const sizes = await Promise.all(
		pids.map(async (pid) => {
			const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
			return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
		}),
	);
	return sizes.reduce((sum, size) => sum + size, 0);
}

async function folderMegabytes(folder: string): Promise<number> {
	const names = await readdir(folder).catch(() => []);
	const sizes = await Promise.all(
		names.map((name) =>
			stat(join(folder, name)).then(
				({ size }) => size,
				() => 0,
			),
		),
	);
	return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}
