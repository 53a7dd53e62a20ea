/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests are not a community node: they start processes and read files */
import { type ChildProcess, spawn } from 'child_process';
import { mkdtemp, rm } from 'fs/promises';
import { tmpdir } from 'os';
import { join } from 'path';
import { createInterface } from 'readline';

/** A running local service. */
export type LocalService = Awaited<ReturnType<typeof startLocalService>>;

const ROOT = join(__dirname, '..', '..');

/** Node's arguments for the local service, whose flags follow. */
const SERVICE = ['--import', 'tsx', join(ROOT, 'service', 'cli', 'main.mts'), '--json-ready'];

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
) {
	const storage = await mkdtemp(join(tmpdir(), 'audio-editing-service-'));
	const child = await startFromSources(['--port', '0', '--storage', storage, ...flags], onLog);
	/** Ends the process and removes its storage. */
	const stop = async () => {
		await child.end('SIGTERM');
		await rm(storage, { recursive: true, force: true });
	};
	return { ...addressOf(child), log: child.log, storage, signal: child.signal, stop };
}

/** How a process ended: the exit code or the signal. */
interface Exit {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

/** A process that has printed its line `ready {…}`. */
export interface ReadyProcess {
	readonly pid: number;
	/** The JSON of that line. */
	readonly ready: unknown;
	/** The other lines that it has printed so far. */
	readonly log: readonly string[];
	/** Sends it a signal. */
	signal(signal: NodeJS.Signals): void;
	/** Sends it a signal and waits until it is gone. */
	end(signal: NodeJS.Signals): Promise<Exit>;
}

/** Starts the service from the sources and waits until it listens, or with `--worker` takes edits. */
export async function startFromSources(
	flags: readonly string[],
	onLog?: (line: string) => void,
	env?: NodeJS.ProcessEnv,
): Promise<ReadyProcess> {
	return await startUntilReady(process.execPath, [...SERVICE, ...flags], { cwd: ROOT, env, onLog });
}

/**
 * Starts a program and waits for its line `ready {…}`.
 *
 * @param options.env its complete environment; without it, the one of this process
 * @throws Error with everything it has printed if it ends before
 */
export async function startUntilReady(
	program: string,
	args: readonly string[],
	options: { cwd: string; env?: NodeJS.ProcessEnv; onLog?: (line: string) => void },
): Promise<ReadyProcess> {
	const { cwd, env, onLog } = options;
	const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
	neverLeaveBehind(child);
	const log: string[] = [];
	const note = (line: string) => {
		log.push(line);
		onLog?.(line);
	};
	createInterface({ input: child.stderr }).on('line', note);
	const exit = new Promise<Exit>((resolve) => {
		child.once('exit', (code, signal) => resolve({ code, signal }));
	});
	const ready = await new Promise<unknown>((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (code) =>
			reject(new Error(`${program} ended with code ${code}:\n${log.join('\n')}`)),
		);
		createInterface({ input: child.stdout }).on('line', (line) => {
			if (line.startsWith('ready ')) resolve(JSON.parse(line.slice('ready '.length)));
			else note(line);
		});
	});
	return {
		pid: child.pid ?? 0,
		ready,
		log,
		signal: (signal) => void child.kill(signal),
		end: async (signal) => {
			child.kill(signal);
			return await exit;
		},
	};
}

/** Returns what the service says about itself when it listens. */
export function addressOf({ ready }: ReadyProcess): { url: string; apiKey: string } {
	return ready as { url: string; apiKey: string };
}

/** Ends the process even if a set-up throws outside of a test, where nothing stops it. */
export function neverLeaveBehind(child: ChildProcess): void {
	const kill = () => child.kill('SIGKILL');
	const endings = ['exit', 'uncaughtExceptionMonitor'] as const;
	for (const ending of endings) process.once(ending, kill);
	child.once('exit', () => {
		for (const ending of endings) process.removeListener(ending, kill);
	});
}
