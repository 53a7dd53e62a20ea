import { spawn } from 'node:child_process';
import { chown, mkdir, mkdtemp, open } from 'node:fs/promises';
import { join } from 'node:path';

import { startChild } from '../../../testkit/process/children.mts';
import { freePort } from '../../../testkit/process/freePort.ts';
import { QUIET, untilReady } from '../n8nServer.mts';
import { N8N_FOLDER, NODE_PROGRAM, ROOT } from '../places.mts';
import type { Sandbox } from '../sandbox.mts';
import { COMPOSED, IMAGE_ENV } from './image.mts';

const ENTER = join(import.meta.dirname, 'enter.sh');

/** The number of the user `node` in n8n's image. */
const USER = 1000;

/** The variables of n8n's own image. */
const N8N_IMAGE_ENV = {
	HOME: '/home/node',
	NODE_ENV: 'production',
	N8N_RELEASE_TYPE: 'stable',
	PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
	SHELL: '/bin/sh',
};

/** The entry point of n8n's own image. */
export const N8N_ENTRYPOINT = ['tini', '--', '/docker-entrypoint.sh'];

/** A volume for /home/node/.n8n, as Docker makes it: empty, and the user's. */
export async function newVolume({ folder }: Sandbox, name: string): Promise<string> {
	const volume = join(folder, `volume-${name}`);
	await mkdir(volume);
	await chown(volume, USER, USER);
	return volume;
}

/** Programs in containers with one volume, laid out as in n8n's image and started as compose.yaml does. */
export class Container {
	constructor(
		private readonly sandbox: Sandbox,
		private readonly volume: string,
		/** What the image has besides n8n: places, and the files or folders to put there. */
		private readonly files: Readonly<Record<string, string>> = {},
	) {}

	/** Starts n8n with an entry point, and waits until it is ready. */
	async start(name: string, entrypoint: readonly string[]) {
		const port = await freePort();
		const log = this.sandbox.logOf(name);
		const [program, ...args] = await this.commandLine(entrypoint);
		const env = { ...QUIET, ...(await environment(port)) };
		const child = startChild(program, args, { log, cwd: ROOT, env });
		this.sandbox.onEnd(async () => {
			await child.stop();
		});
		return { ...child, url: await untilReady(child, port, log) };
	}

	/**
	 * Runs a command, as `docker exec -i` does.
	 *
	 * @param input a file for its standard input
	 * @returns its exit code
	 */
	async exec(command: readonly string[], input = '/dev/null'): Promise<number | null> {
		const [program, ...args] = await this.commandLine(command);
		await using file = await open(input);
		const env = { ...N8N_IMAGE_ENV, ...IMAGE_ENV };
		const child = spawn(program, args, { env, stdio: [file.fd, 'inherit', 'inherit'] });
		return await new Promise((resolve) => child.once('exit', resolve));
	}

	/** The command line that runs a command in a root folder of its own. */
	private async commandLine(command: readonly string[]): Promise<readonly [string, ...string[]]> {
		const root = await mkdtemp(join(this.sandbox.folder, 'root-'));
		const mounts = [
			...COMPOSED.tmpfs.map((place) => `tmpfs:${place.split(':', 1)[0]}`),
			`ro:${join(N8N_FOLDER, 'node_modules')}:/usr/local/lib/node_modules`,
			`ro:${NODE_PROGRAM}:/usr/local/bin/node`,
			`rw:${this.volume}:/home/node/.n8n`,
			...Object.entries(this.files).map(([place, source]) => `ro:${source}:${place}`),
		];
		return ['unshare', '--mount', ENTER, root, ...mounts, '--', ...command];
	}
}

/** The variables of the image and of compose.yaml, for this port instead of n8n's. */
async function environment(port: number): Promise<Record<string, string>> {
	const composed = Object.entries(COMPOSED.environment).map(([name, value]) => [
		name,
		value.replace(':5678', `:${port}`),
	]);
	return {
		...N8N_IMAGE_ENV,
		...IMAGE_ENV,
		...(Object.fromEntries(composed) as Record<string, string>),
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
	};
}
