import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { temporaryFolder } from '../process/temporaryFolder.mts';

/** Object storage on this machine (s3rver, in its own process), with one empty bucket. */
export type S3Server = Awaited<ReturnType<typeof startS3Server>>;

const BUCKET = 'recordings';

const PROGRAM = fileURLToPath(new URL('s3rver.mts', import.meta.url));

async function startProcess(directory: string, port: string) {
	const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, directory, BUCKET, port], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const ended = once(child, 'exit');
	const lines = createInterface({ input: child.stdout });
	const failed = ended.then(() => Promise.reject(new Error('s3rver did not start')));
	const [given] = (await Promise.race([once(lines, 'line'), failed])) as [string];
	const stop = async () => {
		child.kill('SIGKILL');
		await ended;
	};
	return { port: given, stop };
}

/** Starts it on a free port with a new folder, and sets its credentials in the environment. */
export async function startS3Server() {
	process.env['AWS_ACCESS_KEY_ID'] = 'S3RVER';
	process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER';
	const folder = await temporaryFolder();
	let running = await startProcess(folder.path, '0');
	const { port } = running;
	const origin = `http://127.0.0.1:${port}`;
	return {
		origin,
		/** Returns the value of `--files` for a prefix in the bucket. */
		filesFlag: (prefix: string) =>
			`s3://${BUCKET}/${prefix}?endpoint=${encodeURIComponent(origin)}`,
		stop: () => running.stop(),
		/** Starts it again with its files, at the same address. */
		restart: async () => {
			running = await startProcess(folder.path, port);
		},
		[Symbol.asyncDispose]: async () => {
			await running.stop();
			await folder[Symbol.asyncDispose]();
		},
	};
}
