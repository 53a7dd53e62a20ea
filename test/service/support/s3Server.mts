import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Object storage on this machine (s3rver, in its own process), with one empty bucket. */
export interface S3Server extends AsyncDisposable {
	/** Where it listens, without a trailing slash. */
	origin: string;
	/** Returns the value of `--files` for a prefix in the bucket. */
	filesFlag(prefix: string): string;
	/** Kills it. */
	stop(): Promise<void>;
	/** Starts it again with its files, at the same address. */
	restart(): Promise<void>;
}

const BUCKET = 'recordings';

const PROGRAM = fileURLToPath(new URL('s3rver.mts', import.meta.url));

async function startProcess(directory: string, port: string) {
	const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, directory, BUCKET, port], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const ended = once(child, 'exit');
	const lines = createInterface({ input: child.stdout });
	const given = await new Promise<string>((resolve, reject) => {
		lines.once('line', resolve);
		child.once('exit', () => {
			reject(new Error('s3rver did not start'));
		});
	});
	const stop = async () => {
		child.kill('SIGKILL');
		await ended;
	};
	return { port: given, stop };
}

/** Starts it on a free port with a new folder, and sets its credentials in the environment. */
export async function startS3Server(): Promise<S3Server> {
	process.env['AWS_ACCESS_KEY_ID'] = 'S3RVER';
	process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER';
	const directory = await mkdtemp(join(tmpdir(), 's3-test-'));
	let running = await startProcess(directory, '0');
	const { port } = running;
	const origin = `http://127.0.0.1:${port}`;
	return {
		origin,
		filesFlag: (prefix) => `s3://${BUCKET}/${prefix}?endpoint=${encodeURIComponent(origin)}`,
		stop: async () => {
			await running.stop();
		},
		restart: async () => {
			running = await startProcess(directory, port);
		},
		[Symbol.asyncDispose]: async () => {
			await running.stop();
			await rm(directory, { recursive: true, force: true });
		},
	};
}
