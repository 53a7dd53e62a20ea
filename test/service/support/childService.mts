import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { z } from 'zod';

import { Client } from './client.mts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const readySchema = z.object({ url: z.string(), apiKey: z.string() });

/** How a process ended: with an exit code or by a signal. */
interface Exit {
	code: number | null;
	signal: NodeJS.Signals | null;
}

/** A process of the local service, as people start it. */
export interface ChildProcess extends AsyncDisposable {
	pid: number;
	/** Lines of standard error, as they are really written. */
	log: string[];
	/** Halts the process, or lets it go on. */
	signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
	/** Ends the process with no chance to tidy up, or in good order, and waits until it is gone. */
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

/** Starts a process and waits until it says that it is ready, with what. */
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
		// A failing test must end its service, or the run would wait for it for ever.
		[Symbol.asyncDispose]: async () => {
			child.kill('SIGKILL');
			await exit;
		},
	};
}
