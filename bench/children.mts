import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A service that does no work on files, in a separate process. */
export interface InstantService {
	readonly url: string;
	/** Bytes of files received so far. */
	receivedBytes(): Promise<number>;
	stop(): Promise<void>;
}

/**
 * Starts the service of `instantService/main.mts`.
 *
 * @param resultBytes size of an edited file
 * @param editSeconds how long an edit is at work; it is finished at once if missing
 */
export async function startInstantService(
	resultBytes: number,
	editSeconds = 0,
): Promise<InstantService> {
	const main = join(import.meta.dirname, 'instantService', 'main.mts');
	const child = fork(main, [String(resultBytes), String(editSeconds)], { execArgv: [] });
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

/** How to start a process. */
export interface ChildOptions {
	readonly execArgv?: readonly string[];
	/** Environment variables in addition to those of this process. */
	readonly env?: Readonly<Record<string, string>>;
}

/** Loads the TypeScript of the tests in Node.js. */
export const WITH_TSX = ['--import', 'tsx'] as const;

/**
 * Runs a module in a new process and returns the message it sends.
 *
 * @param input passed as JSON in the first argument
 * @throws when the process ends without a message
 */
export async function runInChild(
	modulePath: string,
	input: unknown,
	{ execArgv = [], env = {} }: ChildOptions = {},
): Promise<unknown> {
	const child = fork(modulePath, [JSON.stringify(input)], {
		execArgv: [...execArgv],
		env: { ...process.env, ...env },
	});
	const exited = once(child, 'exit');
	const message = await firstMessage(child);
	await exited;
	return message;
}

/** Where n8n keeps files, and the key that all processes of one store need. */
export interface Store {
	readonly N8N_USER_FOLDER: string;
	readonly N8N_ENCRYPTION_KEY: string;
}

/** Does something with a new store, which is deleted afterwards with all its files. */
export async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
	const folder = await mkdtemp(join(tmpdir(), 'audio-editing-bench-'));
	try {
		return await work({ N8N_USER_FOLDER: folder, N8N_ENCRYPTION_KEY: randomUUID() });
	} finally {
		await rm(folder, { recursive: true });
	}
}

/**
 * Runs a module with n8n's engine in a new process, beside the service of `startInstantService`, and returns the
 * message it sends. Its argument is `{ url }` of the service.
 */
export async function runBesideService(modulePath: string, resultBytes: number): Promise<unknown> {
	return await withStore(async (store) => {
		const service = await startInstantService(resultBytes);
		try {
			const options = { execArgv: WITH_TSX, env: { ...store } };
			return await runInChild(modulePath, { url: service.url }, options);
		} finally {
			await service.stop();
		}
	});
}

async function firstMessage(child: ReturnType<typeof fork>): Promise<unknown> {
	return await new Promise((resolve, reject) => {
		child.once('message', resolve);
		child.once('error', reject);
		child.once('exit', (code, signal) => {
			reject(new Error(`The process ended with ${String(code ?? signal)} without a message`));
		});
	});
}
