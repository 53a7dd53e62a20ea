import { appendFileSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

import { type Child, startChild } from '../../../test/support/children.mts';
import { freePort } from '../../../test/support/freePort.ts';
import { eventually } from '../../../test/support/eventually.mts';
import type { Sandbox } from '../../support/sandbox.mts';

/** Settings of a service by their environment variables. */
export type ServiceSettings = Readonly<Record<string, string>>;

/** How to start a process of the service. */
export interface ServiceStart {
	/** The name of its log and of its scratch folder. */
	readonly name: string;
	/** The built program; two versions of the service are two programs. */
	readonly program: string;
	readonly settings: ServiceSettings;
	/** The number of the only core that it may use; all of them by default. */
	readonly core?: number | undefined;
}

/** A running front or worker. */
export interface ServiceProcess extends Child {
	readonly name: string;
	/** Returns the lines that it has logged so far. */
	lines(): string[];
}

/** A process that answers requests. */
export interface Front extends ServiceProcess {
	readonly port: number;
	readonly url: string;
}

/** Starts a front and waits until it listens. */
export async function startFront(
	sandbox: Sandbox,
	start: ServiceStart,
	port?: number,
): Promise<Front> {
	const ownPort = port ?? (await freePort());
	const url = `http://127.0.0.1:${ownPort}`;
	const settings = { LOCAL_SERVICE_PORT: String(ownPort), ...start.settings };
	const front = await startProcess(sandbox, { ...start, settings });
	return { ...front, port: ownPort, url };
}

/** Starts a worker and waits until it takes edits. */
export async function startWorker(sandbox: Sandbox, start: ServiceStart): Promise<ServiceProcess> {
	const settings = { LOCAL_SERVICE_WORKER: 'true', ...start.settings };
	return await startProcess(sandbox, { ...start, settings });
}

/** Starts a process in an empty folder and waits for its ready line. The sandbox stops it. */
async function startProcess(sandbox: Sandbox, start: ServiceStart): Promise<ServiceProcess> {
	const { name, program, settings } = start;
	await mkdir(join(sandbox.folder, 'scratch'), { recursive: true });
	const folder = await mkdtemp(join(sandbox.folder, 'scratch', `${name}-`));
	const log = sandbox.logOf(name);
	const header = `--- ${program}\n`;
	appendFileSync(log, header);
	const linesBefore = linesIn(log).length;
	const lines = () => linesIn(log).slice(linesBefore);
	const env = {
		PATH: process.env['PATH'],
		HOME: folder,
		LOCAL_SERVICE_STORAGE: join(folder, 'storage'),
		LOCAL_SERVICE_JSON_READY: 'true',
		...settings,
	};
	const [command, ...args] = [...onCore(start.core), process.execPath, program];
	const child = startChild(command, args, { log, env, cwd: folder });
	sandbox.onEnd(async () => {
		await child.stop();
	});
	await eventually(`${name} is ready`, async () => {
		if (child.hasEnded()) throw new Error(`${name} ended at its start:\n${lines().join('\n')}`);
		return await Promise.resolve(lines().some((line) => line.startsWith('ready {')) || undefined);
	});
	return { ...child, name, lines };
}

/** Returns what a command line begins with. Linux's taskset becomes the program that it starts. */
function onCore(core: number | undefined): string[] {
	return core === undefined ? [] : ['taskset', '--cpu-list', String(core)];
}

function linesIn(path: string): string[] {
	return readFileSync(path, 'utf8').split('\n').filter(Boolean);
}
