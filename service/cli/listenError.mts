import type { Settings } from '../shared/settings.mts';

/** How long the program at the port may take to say what it is. */
const PATIENCE_MS = 2_000;

/** Returns why the service cannot listen, with what to do where the port is taken. */
export async function listenError(error: unknown, { host, port }: Settings): Promise<unknown> {
	const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
	if (!isTaken) return error;
	const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
	const what = (await isOurs(url))
		? `A local audio editing service already runs at ${url}. Use that one with the key it printed, or end it`
		: `Another program uses port ${port}. End it`;
	return new Error(`${what}; or start this service with another --port`, { cause: error });
}

async function isOurs(url: string): Promise<boolean> {
	try {
		const answer = await fetch(`${url}/ping`, { signal: AbortSignal.timeout(PATIENCE_MS) });
		return (await answer.text()).includes('"ping":"pong"');
	} catch {
		return false;
	}
}
