import { setTimeout as wait } from 'node:timers/promises';

import { startChildService } from '../../test/service/support/childService.mts';
import type { Client } from '../../test/service/support/client.mts';
import { shortRecording } from '../../test/service/support/recordings.mts';
import { QUICK } from '../../test/service/support/testService.mts';
import { Chance } from '../eval/chance.mts';

/** Maximum lifetime of the service, in real milliseconds: an edit takes a third of it. */
const LONGEST_LIFE_MS = 3_000;

/** Time for the last service to finish the rest, in real milliseconds. */
const TIMEOUT_MS = 300_000;

/** Outcome of the accepted edits. */
export interface KillTrial {
	accepted: number;
	/** Accepted edits that did not end with SUCCESS. */
	lost: number;
	/** Lost edits with FAILURE: the service was killed five times during them. */
	failed: number;
}

/** Repeatedly kills a service that accepts edits with -9, each time after a random delay. */
export async function tryKilling(storage: string, kills: number, seed: number): Promise<KillTrial> {
	const chance = new Chance(seed);
	const accepted: string[] = [];
	for (let life = 0; life < kills; life++) {
		await using service = await startChildService(storage, ...QUICK);
		const submitting = submitUntilKilled(service.client, accepted);
		await wait(chance.between(0, LONGEST_LIFE_MS));
		await service.kill('SIGKILL');
		await submitting;
	}
	console.log(`  ${accepted.length} edits accepted over ${kills} kills`);
	await using last = await startChildService(storage, ...QUICK);
	const statuses = await finalStatuses(last.client, accepted);
	const failed = statuses.filter((status) => status === 'FAILURE').length;
	const done = statuses.filter((status) => status === 'SUCCESS').length;
	return { accepted: accepted.length, lost: accepted.length - done, failed };
}

/** Submits up to three edits, and records the ID of each accepted one. */
async function submitUntilKilled(client: Client, accepted: string[]): Promise<void> {
	try {
		for (let edit = 0; edit < 3; edit++) {
			const files = [await client.upload(shortRecording)];
			accepted.push(await client.create({ files, config: { remove_noise: false } }));
		}
	} catch {
		// The service was killed. What it did not answer was not accepted.
	}
}

/** Returns the statuses when all edits have ended, or at the timeout. */
async function finalStatuses(client: Client, ids: readonly string[]): Promise<string[]> {
	const endMs = Date.now() + TIMEOUT_MS;
	for (;;) {
		const statuses: string[] = [];
		for (const id of ids) statuses.push((await client.edit(id)).status);
		const isOver = statuses.every((status) => status === 'SUCCESS' || status === 'FAILURE');
		if (isOver || Date.now() > endMs) return statuses;
		await wait(500);
	}
}
