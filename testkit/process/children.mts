import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';

import { neverLeaveBehind } from '../service/localService.ts';

/** A process that the tests started. */
export interface Child {
	readonly pid: number;
	/** Whether it has ended. */
	hasEnded(): boolean;
	/** Suspends or resumes it. */
	signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
	/** Asks it to end and waits; kills it after 30 s. */
	stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<void>;
	/** Kills it without cleanup. */
	kill(): Promise<void>;
}

const PATIENCE_MS = 30_000;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => process.exit(1));
}

/**
 * Starts a program whose output goes to a log file.
 *
 * @param env its complete environment
 */
export function startChild(
	program: string,
	args: readonly string[],
	{ log, env, cwd }: { log: string; env: NodeJS.ProcessEnv; cwd: string },
): Child {
	const file = openSync(log, 'a');
	const child = spawn(program, args, { env, cwd, stdio: ['ignore', file, file] });
	if (child.pid === undefined) throw new Error(`${program} cannot be started`);
	neverLeaveBehind(child);
	const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
	const end = async (signal: NodeJS.Signals) => {
		if (hasEnded()) return;
		const exited = once(child, 'exit');
		child.kill(signal);
		const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
		await exited;
		clearTimeout(timer);
	};
	return {
		pid: child.pid,
		hasEnded,
		signal: (signal) => {
			child.kill(signal);
		},
		stop: async (signal = 'SIGTERM') => {
			await end(signal);
		},
		kill: async () => {
			await end('SIGKILL');
		},
	};
}
