import { join } from 'node:path';

import { execa } from 'execa';

import type { EditConfig } from '../../shared/contract.mts';

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
	const args = [script, sourcePath, folder, JSON.stringify(config)];
	const { stdout } = await execa(process.execPath, args, { stdin: 'ignore', stderr: 'inherit' });
	return JSON.parse(stdout) as CommandRun;
}

/** Measures a command; discards its output. */
export async function timeCommand(program: string, args: readonly string[]) {
	const timed = ['-f', '%U %S %M', program, ...args];
	const options = { stdin: 'ignore', stdout: 'ignore' } as const;
	const { stderr: said, durationMs } = await execa('/usr/bin/time', timed, options);
	const [user, system, kilobytes] = (said.split('\n').at(-1) ?? '').split(' ').map(Number);
	return {
		wallSeconds: durationMs / 1_000,
		cpuSeconds: user + system,
		peakMegabytes: kilobytes / 1_024,
		said,
	};
}
