/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they collect garbage */
import { setFlagsFromString } from 'v8';
import { runInNewContext } from 'vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Frees what nobody holds any more, so that a WeakRef of it is empty. */
export async function collectGarbage(): Promise<void> {
	// A WeakRef holds its target until the end of the turn that made it.
	await new Promise((resolve) => setImmediate(resolve));
	gc();
}
