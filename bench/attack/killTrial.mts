import { setTimeout as wait } from 'node:timers/promises';

import { startChildService } from '../../test/service/support/childService.mts';
import type { Client } from '../../test/service/support/client.mts';
import { shortRecording } from '../../test/service/support/recordings.mts';

/** The longest life of the service, in real milliseconds: an edit takes a third of it. */
const LONGEST_LIFE_MS = 3_000;

/** How long the last service may take for what is left, in real milliseconds. */
const PATIENCE_MS = 300_000;

const FLAGS = ['--submissions-per-minute', '100000', '--status-calls-per-minute', '100000'];

/** What became of the edits that were accepted. */
export interface KillTrial {
	accepted: number;
	/** Accepted, and not SUCCESS at the end. */
	lost: number;
	/** Those of them that ended with FAILURE: the service died five times in the middle of them. */
	failed: number;
}

/** Kills a service that takes edits with -9, again and again, each time at a random moment of its life. */
export async function tryKilling(storage: string, kills: number): Promise<KillTrial> {
	const accepted: string[] = [];
	for (let life = 0; life < kills; life++) {
		await using service = await startChildService(storage, ...FLAGS);
		const submitting = submitUntilKilled(service.client, accepted);
		await wait(Math.random() * LONGEST_LIFE_MS);
		await service.kill('SIGKILL');
		await submitting;
	}
	console.log(`  ${accepted.length} edits accepted in ${kills} lives`);
	await using last = await startChildService(storage, ...FLAGS);
	const statuses = await finalStatuses(last.client, accepted);
	const failed = statuses.filter((status) => status === 'FAILURE').length;
	const done = statuses.filter((status) => status === 'SUCCESS').length;
	return { accepted: accepted.length, lost: accepted.length - done, failed };
}

/** Submits up to three edits; notes the id of each that was answered, also in a life that ends. */
async function submitUntilKilled(client: Client, accepted: string[]): Promise<void> {
	try {
		for (let edit = 0; edit < 3; edit++) {
			const files = [await client.upload(shortRecording)];
			accepted.push(await client.create({ files, config: { remove_noise: false } }));
		}
	} catch {
		// The service was killed: what it did not answer was not accepted.
	}
}

/** The statuses when all edits are over, or when patience is. */
async function finalStatuses(client: Client, ids: readonly string[]): Promise<string[]> {
	const endMs = Date.now() + PATIENCE_MS;
	for (;;) {
		const statuses: string[] = [];
		for (const id of ids) statuses.push((await client.edit(id)).status);
		const isOver = statuses.every((status) => status === 'SUCCESS' || status === 'FAILURE');
		if (isOver || Date.now() > endMs) return statuses;
		await wait(500);
	}
}
