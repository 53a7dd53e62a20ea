import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';

import { temporaryFolder } from '../test/service/support/temporaryFolder.mts';

/** A service that does no work on files, in a separate process. */
export interface InstantService extends AsyncDisposable {
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
	const { url } = (await firstMessage(child)) as { url: string };
	const stop = async () => {
		child.kill();
		await exited;
	};
	const receivedBytes = async () => {
		const answer = await fetch(`${url}/received`);
		return ((await answer.json()) as { receivedBytes: number }).receivedBytes;
	};
	return { url, receivedBytes, stop, [Symbol.asyncDispose]: stop };
}

/** How to start a process. */
interface ChildOptions {
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

/** A folder where n8n keeps files, which is deleted at the end. */
export interface Store extends AsyncDisposable {
	/** For all processes of the store: the folder and its key. */
	readonly env: Readonly<Record<'N8N_USER_FOLDER' | 'N8N_ENCRYPTION_KEY', string>>;
}

export async function newStore(): Promise<Store> {
	const { path, ...folder } = await temporaryFolder();
	return { ...folder, env: { N8N_USER_FOLDER: path, N8N_ENCRYPTION_KEY: randomUUID() } };
}

/**
 * Runs a module with n8n's engine in a new process, beside the service of `startInstantService`, and returns the
 * message it sends. Its argument is `{ url }` of the service.
 */
export async function runBesideService(modulePath: string, resultBytes: number): Promise<unknown> {
	await using store = await newStore();
	await using service = await startInstantService(resultBytes);
	return await runInChild(modulePath, { url: service.url }, { execArgv: WITH_TSX, env: store.env });
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
