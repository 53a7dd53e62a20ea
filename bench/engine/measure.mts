import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import type { EditConfig } from '../../service/shared/contract.mts';

export interface CommandRun {
	readonly wallSeconds: number;
	readonly cpuSeconds: number;
	readonly peakMegabytes: number;
}

/** Runs one edit in a new process. The peak is the service's; its CPU time includes that of its children. */
export async function runEngine(
	sourcePath: string,
	folder: string,
	config: EditConfig,
): Promise<CommandRun> {
	const script = join(import.meta.dirname, 'engineRun.mts');
	const args = ['--import', 'tsx', script, sourcePath, folder, JSON.stringify(config)];
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
	return JSON.parse(await text(child.stdout)) as CommandRun;
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
