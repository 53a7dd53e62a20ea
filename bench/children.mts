import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { temporaryFolder } from '../test/service/support/temporaryFolder.mts';

/**
 * Starts the service of `instantService/main.mts`, which does no work on files, in a separate process.
 *
 * @param resultBytes size of an edited file
 * @param editSeconds how long an edit is at work; it is finished at once if missing
 */
export async function startInstantService(resultBytes: number, editSeconds = 0) {
	const main = join(import.meta.dirname, 'instantService', 'main.mts');
	const child = fork(main, [String(resultBytes), String(editSeconds)], { execArgv: [] });
	const exited = once(child, 'exit');
	const { url } = (await firstMessage(child)) as { url: string };
	const stop = async () => {
		child.kill();
		await exited;
	};
	/** Returns the bytes of files received so far. */
	const receivedBytes = async () => {
		const answer = await fetch(`${url}/received`);
		return ((await answer.json()) as { receivedBytes: number }).receivedBytes;
	};
	return { url, receivedBytes, [Symbol.asyncDispose]: stop };
}

export type InstantService = Awaited<ReturnType<typeof startInstantService>>;

/** Loads the TypeScript of the tests in Node.js. */
export const WITH_TSX = ['--import', 'tsx'] as const;

/**
 * Runs a module in a new process and returns the message it sends.
 *
 * @param input passed as JSON in the first argument
 * @param folder where n8n keeps its files
 * @throws when the process ends without a message
 */
export async function runInChild(
	modulePath: string,
	input: unknown,
	folder: string,
	execArgv: readonly string[] = WITH_TSX,
): Promise<unknown> {
	const child = fork(modulePath, [JSON.stringify(input)], {
		execArgv: [...execArgv],
		env: {
			...process.env,
			N8N_USER_FOLDER: folder,
			N8N_ENCRYPTION_KEY: 'of-this-bench',
			N8N_LOG_LEVEL: 'silent',
		},
	});
	const exited = once(child, 'exit');
	const message = await firstMessage(child);
	await exited;
	return message;
}

/** The same with an empty folder and a service of `startInstantService`, whose `{ url }` is the argument. */
export async function runBesideService(modulePath: string, resultBytes: number): Promise<unknown> {
	await using folder = await temporaryFolder();
	await using service = await startInstantService(resultBytes);
	return await runInChild(modulePath, { url: service.url }, folder.path);
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
