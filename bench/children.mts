import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A service with nothing to do, in a process of its own. */
export interface InstantService {
	readonly url: string;
	/** How many bytes of files it was sent so far. */
	receivedBytes(): Promise<number>;
	stop(): Promise<void>;
}

/**
 * Starts the service of `instantService/main.mts`.
 *
 * @param resultBytes the size of an edited file
 */
export async function startInstantService(resultBytes: number): Promise<InstantService> {
	const main = join(import.meta.dirname, 'instantService', 'main.mts');
	const child = fork(main, [String(resultBytes)], { execArgv: [] });
	const exited = once(child, 'exit');
	const message: unknown = await firstMessage(child);
	const { url } = message as { url: string };
	return {
		url,
		receivedBytes: async () => {
			const answer = await fetch(`${url}/received`);
			return ((await answer.json()) as { receivedBytes: number }).receivedBytes;
		},
		stop: async () => {
			child.kill();
			await exited;
		},
	};
}

/** How a process that measures is started. */
export interface ChildOptions {
	readonly execArgv?: readonly string[];
	/** Variables beside this process's own. */
	readonly env?: Readonly<Record<string, string>>;
}

/** Node.js with the loader that the TypeScript of the tests needs. */
export const WITH_TSX = ['--import', 'tsx'] as const;

/**
 * Runs a module in a fresh process and gives back the message it sends.
 *
 * @param order handed to the module as JSON in its first argument
 * @throws when the process ends without a message
 */
export async function runInChild(
	modulePath: string,
	order: unknown,
	{ execArgv = [], env = {} }: ChildOptions = {},
): Promise<unknown> {
	const child = fork(modulePath, [JSON.stringify(order)], {
		execArgv: [...execArgv],
		env: { ...process.env, ...env },
	});
	const exited = once(child, 'exit');
	const message = await firstMessage(child);
	await exited;
	return message;
}

async function firstMessage(child: ReturnType<typeof fork>): Promise<unknown> {
	return await new Promise((resolve, reject) => {
		child.once('message', resolve);
		child.once('error', reject);
		child.once('exit', (code, signal) => {
			reject(new Error(`The process ended with ${String(code ?? signal)} and said nothing`));
		});
	});
}
