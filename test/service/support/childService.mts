import {
	addressOf,
	type Exit,
	type ReadyProcess,
	startFromSources,
} from '../../support/localService.ts';
import { Client } from './client.mts';

/** A process of the local service, started from the command line. */
export interface ChildProcess extends AsyncDisposable, Pick<ReadyProcess, 'pid' | 'log'> {
	/** Suspends or resumes the process. */
	signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
	/** Kills or stops the process and waits until it is gone. */
	kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<Exit>;
}

/** A local service in its own process. */
export interface ChildService extends ChildProcess {
	/** A client with the generated key. */
	client: Client;
}

/** Starts a service on a storage folder and waits until it listens. */
export async function startChildService(
	storage: string,
	...flags: string[]
): Promise<ChildService> {
	const started = await startFromSources(['--port', '0', '--storage', storage, ...flags]);
	const { url, apiKey } = addressOf(started);
	return { ...disposable(started), client: new Client(url, apiKey) };
}

/** Starts a worker on a storage folder and waits until it takes edits. */
export async function startChildWorker(storage: string, ...flags: string[]): Promise<ChildProcess> {
	return disposable(await startFromSources(['--worker', '--storage', storage, ...flags]));
}

function disposable(child: ReadyProcess): ChildProcess {
	return {
		...child,
		kill: (signal) => child.end(signal),
		// A failing test must end its service, or the run would never finish.
		[Symbol.asyncDispose]: async () => {
			await child.end('SIGKILL');
		},
	};
}
