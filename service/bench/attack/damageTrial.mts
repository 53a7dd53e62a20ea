import { existsSync } from 'node:fs';
import { open, readdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { startChildServiceIn, type ChildService } from '../../../testkit/service/childService.mts';
import { PLAIN, shortRecording } from '../../../testkit/service/recordings.mts';
import { QUICK } from '../../../testkit/service/testService.mts';

const HOUR_MS = 3_600_000;
const TEN_YEARS_MS = 87_660 * HOUR_MS;

/** A sweep comes every second; links last for long, and the retention for longer than the trial. */
const FLAGS = [
	...QUICK,
	'--clock-speed',
	'3600',
	'--retention-days',
	'700',
	'--upload-link-minutes',
	'100000',
	'--review-hours',
	'720',
];
const SWEEPS_MS = 5_000;

const KEPT = 6;
const DELETED = 3;

interface Damage {
	/** Done to the storage folder while no service runs. */
	readonly harm?: (storage: string) => Promise<void>;
	/** By how much the clock is ahead later: first by a jump, then from a start on. */
	readonly aheadMs?: number;
}

const log = (storage: string) => join(storage, 'service.sqlite-wal');

const DAMAGES: Readonly<Record<string, Damage>> = {
	'WAL removed': { harm: (storage) => rm(log(storage)) },
	'WAL damaged in the middle': { harm: damageMiddle },
	'empty database': {
		harm: async (storage) => {
			await truncate(join(storage, 'service.sqlite'), 0);
			for (const end of ['-wal', '-shm'])
				await rm(join(storage, `service.sqlite${end}`), { force: true });
		},
	},
	'clock +30 h': { aheadMs: 30 * HOUR_MS },
	'clock -30 h': { aheadMs: -30 * HOUR_MS },
	'clock +10 years': { aheadMs: TEN_YEARS_MS },
};

/** Damages a storage folder, or the clock. Returns how many files are lost, and how many deleted edits come back. */
export async function tryDamages(folder: string) {
	const sum = { lost: 0, returned: 0, failed: 0 };
	for (const [what, damage] of Object.entries(DAMAGES)) {
		const one = await tryDamage(join(folder, what.replaceAll(' ', '-')), damage);
		console.log(`  ${what}:`, one);
		sum.lost += one.lost;
		sum.returned += one.returned;
		sum.failed += one.failed;
	}
	return sum;
}

async function tryDamage(storage: string, { harm, aheadMs = 0 }: Damage) {
	const env = envOf(aheadMs, false);
	const made = await withService(storage, env, async (service) => {
		const all = await makeFiles(storage, service);
		if (aheadMs !== 0) {
			service.signal('SIGUSR2');
			await wait(SWEEPS_MS);
		}
		return all;
	});
	await harm?.(storage);
	const after = await withService(storage, envOf(aheadMs, true), async ({ client }) => {
		const { status } = await client.run(shortRecording, PLAIN);
		await wait(SWEEPS_MS);
		const statuses = await Promise.all(made.kept.map(async (id) => (await client.edit(id)).status));
		const forgotten = statuses.filter((one) => one !== 'SUCCESS').length;
		return { forgotten, failed: status === 'SUCCESS' ? 0 : 1 };
	});
	const lost = made.files.filter((path) => !existsSync(path)).length;
	const left = await readdir(join(storage, 'edits'));
	return { lost, returned: left.filter((id) => made.deleted.includes(id)).length, ...after };
}

function envOf(aheadMs: number, fromStart: boolean): NodeJS.ProcessEnv {
	const clock = new URL('../../../testkit/time/aheadClock.mts', import.meta.url).href;
	return {
		...process.env,
		NODE_OPTIONS: `--import ${clock}`,
		CLOCK_AHEAD_MS: String(aheadMs),
		CLOCK_AHEAD_FROM_START: String(fromStart),
	};
}

/** Kills the service afterwards, so that its log is not written into the database. */
async function withService<T>(
	storage: string,
	env: NodeJS.ProcessEnv,
	work: (service: ChildService) => Promise<T>,
): Promise<T> {
	await using service = await startChildServiceIn(env, storage, ...FLAGS);
	return await work(service);
}

/** Returns the files of edits and uploads that must stay, and the IDs of the edits that stay and of those deleted. */
async function makeFiles(storage: string, { client }: ChildService) {
	const files: string[] = [];
	const ids: string[] = [];
	for (let edit = 0; edit < KEPT + DELETED; edit++) {
		const url = await client.upload(shortRecording);
		const id = await client.create({ files: [url], config: PLAIN });
		await client.ended(id);
		ids.push(id);
		if (edit >= DELETED) files.push(...(await filesIn(join(storage, 'edits', id))));
		const [, uploadId = ''] = /uploads\/([^/]+)/.exec(url) ?? [];
		if (edit >= DELETED) files.push(join(storage, 'uploads', uploadId, 'file'));
	}
	const deleted = ids.slice(0, DELETED);
	for (const id of deleted) await client.call('DELETE', `/v2/edits/${id}`);
	return { files, deleted, kept: ids.slice(DELETED) };
}

async function filesIn(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name));
}

async function damageMiddle(storage: string): Promise<void> {
	await using file = await open(log(storage), 'r+');
	const { size } = await file.stat();
	await file.write(Buffer.alloc(4_096, 0x5a), 0, 4_096, Math.floor(size / 2));
}
