import { setTimeout as wait } from 'node:timers/promises';

import { z } from 'zod';

import { startChildService } from '../../../testkit/service/childService.mts';
import { finishedFile, type Client } from '../../../testkit/service/client.mts';
import { framesOf } from '../../../testkit/service/putBack.mts';
import { talk } from '../../../testkit/service/recordings.mts';
import { QUICK } from '../../../testkit/service/testService.mts';
import { cutSchema, type Cut } from '../../shared/cuts.mts';
import { killAtWork, lastStatuses } from '../attack/killTrial.mts';
import { Chance } from '../../../testkit/measure/chance.mts';

/** Real milliseconds that a service lives at most: an edit needs about a third of it. */
const MAX_LIFE_MS = 4_000;

const FLAGS = [...QUICK, '--review'];

const stateSchema = z.object({
	state: z.string(),
	revision: z.number(),
	samples: z.number(),
	cuts: z.array(cutSchema),
});

/** An accepted edit, and what was last decided and answered. */
interface Accepted {
	id: string;
	decided?: { revision: number; cuts: readonly Cut[]; isApproved: boolean };
}

const pathOf = ({ id }: Accepted) => `/local/edits/${id}/cuts`;

/** Returns the state of a review; undefined while the edit does not wait yet. */
async function stateOf(client: Client, edit: Accepted) {
	const { status, json } = await client.call('GET', pathOf(edit));
	return status === 200 ? stateSchema.parse(json) : undefined;
}

/** Puts a random cut back or not, and approves now and then. */
async function decide(
	client: Client,
	edit: Accepted,
	chance: Chance,
	approve = chance.isTrue(0.3),
) {
	const state = await stateOf(client, edit);
	if (state?.state !== 'waiting') return;
	const cuts = state.cuts.map((cut) => ({ ...cut, keep: chance.isTrue(0.5) }));
	const body = { revision: state.revision, cuts, approve, name: 'killer' };
	const { status } = await client.call('PUT', pathOf(edit), { body });
	if (status === 200) edit.decided = { revision: state.revision + 1, cuts, isApproved: approve };
}

/** Whether a finished edit has the length that was decided for it. A decision may lack only its answer. */
async function hasDecided(client: Client, edit: Accepted): Promise<boolean> {
	const { file } = await finishedFile(await client.ended(edit.id));
	const state = await stateOf(client, edit);
	if (state === undefined || (edit.decided?.revision ?? 0) > state.revision) return false;
	const removed = state.cuts.filter(({ keep }) => !keep);
	const samples = removed.reduce((left, { start, end }) => left - (end - start), state.samples);
	return framesOf(file).length === samples;
}

/** Kills a service with edits that wait for their review. Returns how many of them are lost. */
export async function tryReviewKills(storage: string, kills: number, seed: number) {
	const chance = new Chance(seed);
	const accepted: Accepted[] = [];
	const how = { chance, maxLifeMs: MAX_LIFE_MS, flags: FLAGS };
	await killAtWork({ storage, kills, ...how }, async (client) => {
		const files = [await client.upload(talk)];
		const config = { long_silences: true, remove_noise: false };
		accepted.push({ id: await client.create({ files, config }) });
		for (;;) {
			await decide(client, chance.pick(accepted), chance);
			await wait(50);
		}
	});
	await using last = await startChildService(storage, ...FLAGS);
	const ids = accepted.map(({ id }) => id);
	const statuses = await lastStatuses(last.client, ids, async (index) => {
		await decide(last.client, accepted[index], chance, true);
		await wait(200);
	});
	let lost = 0;
	for (const [index, edit] of accepted.entries()) {
		const status = statuses[index];
		if (status === 'SUCCESS' && (await hasDecided(last.client, edit))) continue;
		const { status: found, text } = await last.client.call('GET', pathOf(edit));
		console.log(
			`  edit ${edit.id}, decided ${JSON.stringify(edit.decided)}: ${status}, ${text.slice(0, 500)}`,
		);
		// What never waited is no review: an edit that dies five times with the service is not tried again.
		if (found !== 404 || !text.includes('stopped 5 times')) lost += 1;
	}
	const approved = accepted.filter(({ decided }) => decided?.isApproved).length;
	console.log(`  ${accepted.length} edits accepted, ${approved} approved`);
	return { accepted: accepted.length, lost };
}
