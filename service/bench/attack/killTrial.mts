import { setTimeout as wait } from 'node:timers/promises';

import { isFinalStatus } from '../../shared/contract.mts';
import { startChildService } from '../../../testkit/service/childService.mts';
import type { Client } from '../../../testkit/service/client.mts';
import { shortRecording } from '../../../testkit/service/recordings.mts';
import { QUICK } from '../../../testkit/service/testService.mts';
import { Chance } from '../../../testkit/measure/chance.mts';

/** Time for the last service to finish all that is left, in real milliseconds. */
const TIMEOUT_MS = 300_000;

/** Maximum lifetime of the service, in real milliseconds: an edit takes a third of it. */
const MAX_LIFE_MS = 3_000;

interface Kills {
	readonly storage: string;
	readonly flags: readonly string[];
	readonly kills: number;
	readonly chance: Chance;
	readonly maxLifeMs: number;
}

/** Kills a service at work with -9 after a random delay, again and again. What it did not answer was not accepted. */
export async function killAtWork(
	{ storage, flags, kills, chance, maxLifeMs }: Kills,
	work: (client: Client) => Promise<void>,
): Promise<void> {
	for (let life = 0; life < kills; life++) {
		await using service = await startChildService(storage, ...flags);
		const working = work(service.client).catch(() => undefined);
		await wait(chance.between(0, maxLifeMs));
		await service.kill('SIGKILL');
		await working;
	}
}

/**
 * Returns the status of each edit at its end, or when the time is up.
 *
 * @param meanwhile called between two polls of an edit
 */
export async function lastStatuses(
	client: Client,
	ids: readonly string[],
	meanwhile: (index: number) => Promise<void> = () => wait(200),
): Promise<string[]> {
	const endMs = Date.now() + TIMEOUT_MS;
	const statuses: string[] = [];
	for (const [index, id] of ids.entries()) {
		let { status } = await client.edit(id);
		while (!isFinalStatus(status) && Date.now() < endMs) {
			await meanwhile(index);
			({ status } = await client.edit(id));
		}
		statuses.push(status);
	}
	return statuses;
}

/** Kills a service that accepts edits. Returns how many did not end with SUCCESS, and how many of these with FAILURE. */
export async function tryKilling(storage: string, kills: number, seed: number) {
	const accepted: string[] = [];
	const how = { chance: new Chance(seed), maxLifeMs: MAX_LIFE_MS, flags: QUICK };
	await killAtWork({ storage, kills, ...how }, async (client) => {
		for (let edit = 0; edit < 3; edit++) {
			const files = [await client.upload(shortRecording)];
			accepted.push(await client.create({ files, config: { remove_noise: false } }));
		}
	});
	await using last = await startChildService(storage, ...QUICK);
	const statuses = await lastStatuses(last.client, accepted);
	const failed = statuses.filter((status) => status === 'FAILURE').length;
	const lost = statuses.filter((status) => status !== 'SUCCESS').length;
	console.log(
		`  ${accepted.length} edits accepted; ${failed} ended with FAILURE: the service was killed five times during them`,
	);
	return lost;
}
