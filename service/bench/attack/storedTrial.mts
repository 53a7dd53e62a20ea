import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { startChildService, type ChildService } from '../../../testkit/service/childService.mts';
import { send } from '../../../testkit/service/client.mts';
import { shortRecording } from '../../../testkit/service/recordings.mts';
import { QUICK } from '../../../testkit/service/testService.mts';
import { mainThreadMs } from './requestTrial.mts';

/** Requests of each kind that count, after as many that only compile the code. */
const REQUESTS = 50;

/** The service's first template, and how many edits of the key have it. */
const TEMPLATE_ID = 1;
const WITH_TEMPLATE = 10;

/** Edits whose files the page reads; the others need none. */
const WITH_FILES = 100;

const FLAGS = [...QUICK, '--other-calls-per-minute', '100000'];

/** Returns by how much the request that grows most takes longer with more stored edits of its key. */
export async function tryStored(storage: string, stored: number): Promise<number> {
	const last = await withService(storage, async (service) => {
		for (let edit = 0; edit < WITH_TEMPLATE; edit++) await finish(service, TEMPLATE_ID);
		return await finish(service);
	});
	const before = await withService(storage, requestTimes);
	await multiply(storage, last, stored - 1);
	const after = await withService(storage, requestTimes);
	const ratios = Object.entries(before).map(([what, ms]) => {
		const more = after[what] ?? Infinity;
		console.log(`  ${what}: ${ms.toFixed(2)} ms, with ${stored} edits ${more.toFixed(2)} ms`);
		return more / ms;
	});
	return Math.max(...ratios);
}

async function withService<T>(storage: string, work: (service: ChildService) => Promise<T>) {
	await using service = await startChildService(storage, ...FLAGS);
	const result = await work(service);
	await service.kill('SIGTERM');
	return result;
}

async function finish({ client }: ChildService, templateId?: number): Promise<string> {
	const files = [await client.upload(shortRecording)];
	const id = await client.create({ files, template_id: templateId, config: {} });
	const { status } = await client.ended(id);
	if (status !== 'SUCCESS') throw new Error(`The edit ended with ${status}`);
	return id;
}

/** Copies a finished edit and its upload while no service runs; only the newest ones get files. */
async function multiply(storage: string, id: string, copies: number): Promise<void> {
	using database = new DatabaseSync(join(storage, 'service.sqlite'));
	const columns = (table: string, names: readonly string[]) =>
		database
			.prepare(`SELECT name FROM pragma_table_info('${table}')`)
			.all()
			.map(({ name }) => String(name))
			.filter((name) => !names.includes(name));
	const copy = (table: string, source: string, rest: readonly string[]) =>
		`INSERT INTO ${table} (id, ${rest.join()}) SELECT ? || '${source}', ${rest.join()} FROM ${table}`;
	const edits = database.prepare(
		`${copy('edits', '', columns('edits', ['id', 'sequence']))} WHERE id = ?`,
	);
	const uploads = database.prepare(
		`${copy('uploads', '', columns('uploads', ['id']))} WHERE bytes > 0 LIMIT 1`,
	);
	database.exec('BEGIN');
	const ids = Array.from({ length: copies }, () => crypto.randomUUID());
	for (const next of ids) {
		edits.run(next, id);
		uploads.run(next);
	}
	database.exec('COMMIT');
	for (const next of ids.slice(-WITH_FILES)) {
		const folder = join(storage, 'edits', next);
		await mkdir(folder);
		await cp(join(storage, 'edits', id), folder, { recursive: true });
	}
}

/** Processor milliseconds of the main thread for each request. */
async function requestTimes(service: ChildService): Promise<Record<string, number>> {
	const { client } = service;
	const links: string[] = [];
	const requests: Record<string, () => Promise<unknown>> = {
		'an upload link': async () => links.push(await client.uploadLink('talk.wav')),
		'an upload': () => send('PUT', links.pop() ?? '', { body: shortRecording }),
		'the page': () => send('GET', client.url),
		'completed tasks': () => client.call('GET', `/v2/completed_tasks/${TEMPLATE_ID}`),
	};
	const times: Record<string, number> = {};
	for (const [what, request] of Object.entries(requests)) {
		for (let time = 0; time < REQUESTS; time++) await request();
		const before = await mainThreadMs(service);
		for (let time = 0; time < REQUESTS; time++) await request();
		times[what] = ((await mainThreadMs(service)) - before) / REQUESTS;
	}
	return times;
}
