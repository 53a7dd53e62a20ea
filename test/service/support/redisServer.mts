import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A Redis on its own port that loses its data when it ends. */
export interface RedisServer extends AsyncDisposable {
	url: string;
	start(): Promise<void>;
	/** Suspends it, so that it accepts commands without answering, or resumes it. */
	signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
	/** Kills it, so that it saves nothing. */
	kill(): Promise<void>;
}

/** Prepares a Redis without starting it. `await using` ends it and removes its folder. */
export async function redisServer(): Promise<RedisServer> {
	const folder = await mkdtemp(join(tmpdir(), 'service-test-redis-'));
	const port = await freePort();
	let child: ChildProcess | undefined;
	const kill = async () => {
		if (child === undefined) return;
		const gone = once(child, 'exit');
		child.kill('SIGKILL');
		await gone;
		child = undefined;
	};
	return {
		url: `redis://127.0.0.1:${port}`,
		start: async () => {
			child = await startRedis(port, folder);
		},
		signal: (signal) => {
			child?.kill(signal);
		},
		kill,
		[Symbol.asyncDispose]: async () => {
			await kill();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

async function startRedis(port: number, folder: string): Promise<ChildProcess> {
	const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
	const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
	await new Promise<void>((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', () => {
			reject(new Error('redis-server ended at its start'));
		});
		createInterface({ input: child.stdout }).on('line', (line) => {
			if (line.includes('Ready to accept connections')) resolve();
		});
	});
	return child;
}

/** Returns a free port. */
async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (typeof address !== 'object' || address === null) throw new Error('no port');
	server.close();
	await once(server, 'close');
	return address.port;
}
