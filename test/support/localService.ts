/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests are not a community node: they start processes and read files */
import { type ChildProcess, spawn } from 'child_process';
import { mkdtemp, rm } from 'fs/promises';
import { tmpdir } from 'os';
import { join } from 'path';
import { createInterface } from 'readline';

/** A running local service. */
export interface LocalService {
	readonly url: string;
	readonly apiKey: string;
	/** Everything it has logged so far. */
	readonly log: readonly string[];
	/** Its storage folder. */
	readonly storage: string;
	/** Ends the process and removes its storage. */
	stop(): Promise<void>;
}

const ROOT = join(__dirname, '..', '..');

/**
 * Starts the local service as its own process on a free loopback port, with its storage in a new
 * temporary folder.
 *
 * @param flags more flags of the service, such as `--clock-speed 20`
 * @param onLog called with each line as the service logs it
 */
export async function startLocalService(
	flags: readonly string[] = [],
	onLog?: (line: string) => void,
): Promise<LocalService> {
	const storage = await mkdtemp(join(tmpdir(), 'audio-editing-service-'));
	const args = ['--import', 'tsx', join(ROOT, 'service', 'cli', 'main.mts')];
	const child = spawn(
		process.execPath,
		[...args, '--port', '0', '--json-ready', '--storage', storage, ...flags],
		{ cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] },
	);
	neverLeaveBehind(child);
	const log: string[] = [];
	createInterface({ input: child.stderr }).on('line', (line) => {
		log.push(line);
		onLog?.(line);
	});
	const { url, apiKey } = await readiness(child, log);
	const stop = async () => {
		await end(child);
		await rm(storage, { recursive: true, force: true });
	};
	return { url, apiKey, log, storage, stop };
}

/** Ends the process even if a set-up throws outside of a test, where nothing stops it. */
function neverLeaveBehind(child: ChildProcess): void {
	const kill = () => child.kill('SIGKILL');
	const endings = ['exit', 'uncaughtExceptionMonitor'] as const;
	for (const ending of endings) process.once(ending, kill);
	child.once('exit', () => {
		for (const ending of endings) process.removeListener(ending, kill);
	});
}

async function readiness(
	child: ChildProcess,
	log: string[],
): Promise<{ url: string; apiKey: string }> {
	return await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (code) =>
			reject(new Error(`The local service ended with code ${code}:\n${log.join('\n')}`)),
		);
		createInterface({ input: child.stdout! }).on('line', (line) => {
			if (line.startsWith('ready ')) resolve(JSON.parse(line.slice('ready '.length)));
			else log.push(line);
		});
	});
}

async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exited = new Promise((resolve) => child.once('exit', resolve));
	child.kill('SIGTERM');
	await exited;
}
