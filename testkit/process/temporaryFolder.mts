import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder, which `await using` removes. */
export async function temporaryFolder() {
	const path = await mkdtemp(join(tmpdir(), 'service-test-'));
	return {
		path,
		[Symbol.asyncDispose]: async () => {
			await rm(path, { recursive: true, force: true });
		},
	};
}
