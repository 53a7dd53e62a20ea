import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { eventually } from '../../../testkit/time/eventually.mts';
import {
	startChildService,
	startChildWorker,
	type ChildProcess,
} from '../../../testkit/service/childService.mts';
import { finishedFile, type Client } from '../../../testkit/service/client.mts';
import { PLAIN, shortRecording } from '../../../testkit/service/recordings.mts';
import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';
import { QUICK } from '../../../testkit/service/testService.mts';

/** Starts a service without its own workers, and separate workers. `await using` ends them all. */
export async function startFleetOn(redisUrl: string, workers: number, ...flags: string[]) {
	const folder = await temporaryFolder();
	const queue = ['--queue', redisUrl, ...flags];
	const front = await startChildService(folder.path, '--concurrency', '0', ...QUICK, ...queue);
	const startWorker = () => startChildWorker(folder.path, '--concurrency', '1', ...queue);
	const crew = await Promise.all(Array.from({ length: workers }, startWorker));
	return {
		storage: folder.path,
		queue,
		front,
		client: front.client,
		crew,
		addWorker: async () => {
			const worker = await startWorker();
			crew.push(worker);
			return worker;
		},
		[Symbol.asyncDispose]: async () => {
			await Promise.all([front, ...crew].map((child) => child.kill('SIGKILL')));
			await folder[Symbol.asyncDispose]();
		},
	};
}

type Fleet = Awaited<ReturnType<typeof startFleetOn>>;

/** Uploads a short recording and submits the simplest edit of it. */
export async function submit(client: Client): Promise<string> {
	return await client.create({ files: [await client.upload(shortRecording)], config: PLAIN });
}

export function linesOf({ log }: ChildProcess, id: string): string[] {
	return log.filter((line) => line.includes(id));
}

/** Waits until a worker has an edit in a status and returns that worker. */
export async function workerIn(fleet: Fleet, id: string, status: string): Promise<ChildProcess> {
	return await eventually(`edit ${id} is in ${status}`, () =>
		fleet.crew.find((worker) => linesOf(worker, id).at(-1)?.includes(` ${status} `)),
	);
}

/** Returns the number of processes that died while running an edit, once it has ended. */
export function attemptsOf({ storage }: Pick<Fleet, 'storage'>, id: string): unknown {
	const database = new DatabaseSync(join(storage, 'service.sqlite'), { readOnly: true });
	try {
		return database.prepare('SELECT attempts FROM edits WHERE id = ?').get(id)?.attempts;
	} finally {
		database.close();
	}
}

/** Asserts that an edit ended with SUCCESS exactly once, with one complete result. */
export async function assertDoneOnce(fleet: Fleet, id: string): Promise<void> {
	const { file } = await finishedFile(await fleet.client.ended(id));
	assert.ok(file.length > 1_000);
	const kept = await readdir(join(fleet.storage, 'edits', id));
	assert.deepEqual(kept.toSorted(), ['result', 'source-1.wav']);
	const ends = await eventually('a worker logs the end', () => {
		const lines = fleet.crew.flatMap((worker) => linesOf(worker, id));
		const found = lines.filter((line) => /SUCCESS|FAILURE/.test(line));
		return found.length > 0 ? found : undefined;
	});
	assert.equal(ends.length, 1, ends.join('\n'));
}

export function others({ crew }: Fleet, one: ChildProcess): ChildProcess[] {
	return crew.filter((worker) => worker !== one);
}
