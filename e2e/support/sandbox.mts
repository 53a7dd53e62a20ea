import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach } from 'node:test';

import { type LocalService, startLocalService } from '../../testkit/service/localService.ts';
import { unpackPackage } from '../../testkit/n8n/unpackedPackage.ts';
import { PACKAGE } from './places.mts';

/** A folder for one test file: n8n's home, the service's storage, one log per process. */
export interface Sandbox {
	readonly folder: string;
	/** The home folder of the user n8n runs as; it contains n8n's own folder. */
	readonly home: string;
	logOf(name: string): string;
	/** Adds a function to call at the end; the last one added is called first. */
	onEnd(stop: () => Promise<unknown>): void;
	/** Ends a server with the sandbox. @returns the server */
	use<T extends AsyncDisposable>(server: T): T;
}

/** Creates a sandbox, which is removed after the file's tests unless one of them failed. */
export async function openSandbox(name: string): Promise<Sandbox> {
	const folder = await mkdtemp(join(tmpdir(), `audio-editing-e2e-${name}-`));
	const home = join(folder, 'home');
	await mkdir(home);
	await mkdir(join(folder, 'logs'));
	const stops: (() => Promise<unknown>)[] = [];
	let hasFailed = false;
	afterEach((context) => {
		if ('passed' in context && !context.passed) hasFailed = true;
	});
	after(async () => {
		for (const stop of stops.toReversed()) await stop();
		if (hasFailed || process.env['E2E_KEEP'] !== undefined) {
			console.log(`The logs are kept in ${join(folder, 'logs')}`);
		} else {
			await rm(folder, { recursive: true, force: true });
		}
	});
	return {
		folder,
		home,
		logOf: (process) => join(folder, 'logs', `${process}.log`),
		onEnd: (stop) => stops.push(stop),
		use: (server) => {
			stops.push(async () => {
				await server[Symbol.asyncDispose]();
			});
			return server;
		},
	};
}

/** Packs the package and puts it where n8n keeps a user's community packages. */
export async function installPackage({ folder, home }: Sandbox): Promise<void> {
	// The npm script has already built it.
	const unpacked = unpackPackage(folder);
	const target = join(home, '.n8n', 'nodes', 'node_modules', PACKAGE);
	await mkdir(target, { recursive: true });
	await cp(unpacked.folder, target, { recursive: true });
}

export async function startService(
	sandbox: Sandbox,
	...flags: readonly string[]
): Promise<LocalService> {
	const log = createWriteStream(sandbox.logOf('service'));
	const service = await startLocalService(flags, (line) => {
		log.write(`${line}\n`);
	});
	sandbox.onEnd(async () => {
		await service.stop();
		log.end();
	});
	return service;
}

/** Lets a server listen on a free loopback port; the sandbox closes it. Returns its URL. */
export async function listen(sandbox: Sandbox, server: Server): Promise<string> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	sandbox.onEnd(async () => {
		if (server instanceof HttpServer) server.closeAllConnections();
		server.close();
		await once(server, 'close');
	});
	const { port } = server.address() as AddressInfo;
	return `http://127.0.0.1:${port}`;
}
