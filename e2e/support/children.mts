import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';

/** A process of ours, whatever it is. */
export interface Child {
	readonly pid: number;
	/** True once it is gone. */
	hasEnded(): boolean;
	/** Asks it to end and waits until it is gone; after half a minute it gets no chance to tidy up. */
	stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<void>;
	/** Ends it with no chance to tidy up. */
	kill(): Promise<void>;
}

const PATIENCE_MS = 30_000;

const living = new Set<ChildProcess>();

// Never leave a process behind, however this one ends.
const killAll = () => {
	for (const child of living) child.kill('SIGKILL');
};
process.on('exit', killAll);
// Where a set-up fails outside of a test, node:test leaves without 'exit'.
process.on('uncaughtExceptionMonitor', killAll);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => process.exit(1));
}

/**
 * Starts a program whose output goes to a log file.
 *
 * @param env all variables it gets
 */
export function startChild(
	program: string,
	args: readonly string[],
	{ log, env, cwd }: { log: string; env: NodeJS.ProcessEnv; cwd: string },
): Child {
	const file = openSync(log, 'a');
	const child = spawn(program, args, { env, cwd, stdio: ['ignore', file, file] });
	if (child.pid === undefined) throw new Error(`${program} cannot be started`);
	living.add(child);
	child.once('exit', () => living.delete(child));
	const end = async (signal: NodeJS.Signals) => {
		if (!living.has(child)) return;
		const exited = once(child, 'exit');
		child.kill(signal);
		const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
		await exited;
		clearTimeout(timer);
	};
	return {
		pid: child.pid,
		hasEnded: () => !living.has(child),
		stop: async (signal = 'SIGTERM') => {
			await end(signal);
		},
		kill: async () => {
			await end('SIGKILL');
		},
	};
}

/** A port on loopback that nobody listens on now. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}
