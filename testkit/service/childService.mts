import { addressOf, type ReadyProcess, startFromSources } from './localService.ts';
import { Client } from './client.mts';

/** A process of the local service, started from the command line. */
export type ChildProcess = ReturnType<typeof disposable>;

/** A local service in its own process. */
export type ChildService = Awaited<ReturnType<typeof startChildService>>;

/** Starts a service on a storage folder and waits until it listens; its client has the generated key. */
export async function startChildService(storage: string, ...flags: string[]) {
	return await startChildServiceIn(process.env, storage, ...flags);
}

/** The same with another environment. */
export async function startChildServiceIn(
	env: NodeJS.ProcessEnv,
	storage: string,
	...flags: string[]
) {
	const all = ['--port', '0', '--storage', storage, ...flags];
	const started = await startFromSources(all, undefined, env);
	const { url, apiKey } = addressOf(started);
	return { ...disposable(started), client: new Client(url, apiKey) };
}

/** Starts a worker on a storage folder and waits until it takes edits. */
export async function startChildWorker(storage: string, ...flags: string[]): Promise<ChildProcess> {
	return disposable(await startFromSources(['--worker', '--storage', storage, ...flags]));
}

function disposable(child: ReadyProcess) {
	return {
		...child,
		kill: (signal: 'SIGKILL' | 'SIGTERM') => child.end(signal),
		// A failing test must end its service, or the run would never finish.
		[Symbol.asyncDispose]: async () => {
			await child.end('SIGKILL');
		},
	};
}
