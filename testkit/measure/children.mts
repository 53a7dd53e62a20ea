import { join } from 'node:path';

import { execaNode } from 'execa';

import { temporaryFolder } from '../process/temporaryFolder.mts';

/**
 * Starts the service of `fake/instantService.mts`, which does no work on files, in a separate process.
 *
 * @param resultBytes size of an edited file
 * @param editSeconds how long an edit is at work; it is finished at once if missing
 * @param words in the transcript of each edit; it has no texts if missing
 */
export async function startInstantService(resultBytes: number, editSeconds = 0, words = 0) {
	const main = join(import.meta.dirname, '..', 'service', 'fake', 'instantService.mts');
	const options = { nodeOptions: WITH_TSX, ipc: true, stdio: 'inherit', reject: false } as const;
	const child = execaNode(main, [resultBytes, editSeconds, words].map(String), options);
	const { url } = (await child.getOneMessage()) as { url: string };
	const stop = async () => {
		child.kill();
		await child;
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
	const { ipcOutput } = await execaNode(modulePath, [JSON.stringify(input)], {
		nodeOptions: execArgv,
		ipc: true,
		stdio: 'inherit',
		env: {
			N8N_USER_FOLDER: folder,
			N8N_ENCRYPTION_KEY: 'of-this-bench',
			N8N_LOG_LEVEL: 'silent',
		},
	});
	if (ipcOutput.length === 0) throw new Error(`${modulePath} ended without a message`);
	return ipcOutput[0];
}

/** The same with an empty folder and a service of `startInstantService`, whose `{ url }` is the argument. */
export async function runBesideService(modulePath: string, resultBytes: number): Promise<unknown> {
	await using folder = await temporaryFolder();
	await using service = await startInstantService(resultBytes);
	return await runInChild(modulePath, { url: service.url }, folder.path);
}
