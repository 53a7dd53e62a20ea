import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { z } from 'zod';

import { Client } from './client.mts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const readySchema = z.object({ url: z.string(), apiKey: z.string() });

/** How a process ended: the exit code or the signal. */
interface Exit {
	code: number | null;
	signal: NodeJS.Signals | null;
}

/** A process of the local service, started from the command line. */
export interface ChildProcess extends AsyncDisposable {
	pid: number;
	/** The lines of standard error. */
	log: string[];
	/** Suspends or resumes the process. */
	signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
	/** Kills or stops the process and waits until it is gone. */
	kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<Exit>;
}

/** A local service in its own process. */
export interface ChildService extends ChildProcess {
	/** A client with the generated key. */
	client: Client;
}

/** Starts a service on a storage folder and waits until it listens. */
export async function startChildService(
	storage: string,
	...flags: string[]
): Promise<ChildService> {
	const { ready, ...child } = await startChild('--port', '0', '--storage', storage, ...flags);
	const { url, apiKey } = readySchema.parse(JSON.parse(ready));
	return { ...child, client: new Client(url, apiKey) };
}

/** Starts a worker on a storage folder and waits until it takes edits. */
export async function startChildWorker(storage: string, ...flags: string[]): Promise<ChildProcess> {
	return await startChild('--worker', '--storage', storage, ...flags);
}

/** Starts a process and waits for its ready line. */
async function startChild(...flags: string[]): Promise<ChildProcess & { ready: string }> {
	const program = ['--import', 'tsx', 'service/cli/main.mts', '--json-ready'];
	const child = spawn(process.execPath, [...program, ...flags], {
		cwd: ROOT,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const log: string[] = [];
	createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
	const exit = new Promise<Exit>((resolve) => {
		child.once('exit', (code, signal) => {
			resolve({ code, signal });
		});
	});
	const ready = new Promise<string>((resolve, reject) => {
		createInterface({ input: child.stdout }).once('line', resolve);
		child.once('exit', () => {
			reject(new Error(`The service did not start:\n${log.join('\n')}`));
		});
	});
	return {
		ready: (await ready).replace(/^ready /, ''),
		pid: child.pid ?? 0,
		log,
		signal: (signal) => {
			child.kill(signal);
		},
		kill: async (signal) => {
			child.kill(signal);
			return await exit;
		},
		// A failing test must end its service, or the run would never finish.
		[Symbol.asyncDispose]: async () => {
			child.kill('SIGKILL');
			await exit;
		},
	};
}
