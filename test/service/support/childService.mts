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

/** A local service in a process of its own, as people start it. */
export interface ChildService extends AsyncDisposable {
	/** A client with the generated key. */
	client: Client;
	/** Lines of standard error, as they are really written. */
	log: string[];
	/** Ends the process with no chance to tidy up, and waits until it is gone. */
	kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<Exit>;
}

/** Starts a service on a storage folder and waits until it listens. */
export async function startChildService(
	storage: string,
	...flags: string[]
): Promise<ChildService> {
	const program = ['--import', 'tsx', 'service/main.mts', '--json-ready', '--port', '0'];
	const child = spawn(process.execPath, [...program, '--storage', storage, ...flags], {
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
	const { url, apiKey } = readySchema.parse(JSON.parse((await ready).replace(/^ready /, '')));
	return {
		client: new Client(url, apiKey),
		log,
		kill: async (signal) => {
			child.kill(signal);
			return await exit;
		},
		// A test that fails must not leave its service behind: the run would wait for it for ever.
		[Symbol.asyncDispose]: async () => {
			child.kill('SIGKILL');
			await exit;
		},
	};
}
