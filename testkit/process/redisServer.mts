import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { execa } from 'execa';

import { type Child, startChild } from './children.mts';
import { freePort } from './freePort.ts';
import { eventually } from '../time/eventually.mts';

/**
 * Starts a Redis on its own port. It has no storage on disk: it loses everything when it ends. `await using`
 * ends it and removes its folder.
 */
export async function redisServer(log = '/dev/null') {
	const folder = await mkdtemp(join(tmpdir(), 'test-redis-'));
	const port = await freePort();
	const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
	let redis: Child | undefined;
	const start = async () => {
		redis = startChild('redis-server', args, { log, env: process.env, cwd: folder });
		await eventually('Redis listens', async () => await listens(port));
	};
	await start();
	return {
		port,
		url: `redis://127.0.0.1:${port}`,
		/** Starts it again after it was killed, and waits until it listens. */
		start,
		/** Suspends it, so that it accepts commands without answering, or resumes it. */
		signal: (signal: 'SIGSTOP' | 'SIGCONT') => {
			redis?.signal(signal);
		},
		/** Kills it without cleanup. */
		kill: async () => await redis?.kill(),
		/** Returns the bytes of memory that its data takes. */
		usedBytes: async () => Number(/^used_memory:(\d+)/m.exec(await infoOf(port))?.[1]),
		[Symbol.asyncDispose]: async () => {
			await redis?.kill();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

async function infoOf(port: number): Promise<string> {
	const { stdout } = await execa('redis-cli', ['-p', String(port), 'info', 'memory']);
	return stdout;
}

/** Whether something accepts connections on a loopback port. */
async function listens(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}
