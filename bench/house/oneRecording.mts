import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runInChild, startInstantService, WITH_TSX } from '../children.mts';

/** Returns the shipped files in which code runs while Audio Editing takes one recording to its edited file. */
export async function filesOfOneRecording(): Promise<string[]> {
	const folder = await mkdtemp(join(tmpdir(), 'audio-editing-house-'));
	const service = await startInstantService(64 * 1_024);
	try {
		const module = join(import.meta.dirname, 'recordingRun.mts');
		const env = { N8N_USER_FOLDER: folder, N8N_ENCRYPTION_KEY: randomUUID() };
		return (await runInChild(
			module,
			{ url: service.url },
			{ execArgv: WITH_TSX, env },
		)) as string[];
	} finally {
		await service.stop();
		await rm(folder, { recursive: true });
	}
}
