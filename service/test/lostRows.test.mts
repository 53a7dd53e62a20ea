import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
	cp,
	mkdir,
	open as openFile,
	readdir,
	readFile,
	rm,
	truncate,
	writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { sql } from 'kysely';

import { eventually } from '../../testkit/time/eventually.mts';
import { sweep } from '../work/retention.mts';
import { deleteEdit } from '../queue/removal.mts';
import { DatabaseTrouble } from '../store/database.mts';
import { EditStore } from '../store/editStore.mts';
import { openSqlite } from '../store/sqlite.mts';
import { execute } from './support/databases.mts';
import { openParts } from './support/openedParts.mts';
import { addEdit, failing } from './support/rows.mts';
import { startService } from '../../testkit/service/testService.mts';
import { send } from '../../testkit/service/client.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

await using temporary = await temporaryFolder();

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

const ONE = '11111111-1111-4111-8111-111111111111';
const TWO = '22222222-2222-4222-8222-222222222222';

let names = 0;

const open = () => openParts(join(temporary.path, String(++names)));

/** Makes files of an edit, of an upload and an e-mail, without rows. */
async function makeFiles(storage: string, id: string): Promise<string[]> {
	const files = [
		join(storage, 'edits', id, 'result', 'talk.wav'),
		join(storage, 'uploads', id, 'file'),
		join(storage, 'outbox', `${id}.eml`),
	];
	for (const path of files) {
		await mkdir(join(path, '..'), { recursive: true });
		await writeFile(path, 'a recording');
	}
	return files;
}

await test('files without rows stay for a whole retention, and the log and /health say so', async () => {
	await using service = await startService();
	const files = await makeFiles(service.storage, ONE);
	service.clock.advance(DAY_MS / 24);
	const health = async () =>
		(await send('GET', `${service.url}/health`)).json as { warning?: string };
	await eventually('/health warns', async () => (await health()).warning?.startsWith('3 edits'));
	assert.equal((await send('GET', `${service.url}/health`)).status, 200);
	assert.ok(
		service.log.some((line) => line.startsWith('retention: 3 edits and uploads have files')),
	);
	service.clock.advance(WEEK_MS - DAY_MS);
	service.clock.advance(DAY_MS / 24);
	assert.ok(files.every((path) => existsSync(path)));
	service.clock.advance(2 * DAY_MS);
	await eventually('they are gone', () => !files.some((path) => existsSync(path)));
	service.clock.advance(DAY_MS / 24);
	await eventually('/health warns no more', async () => (await health()).warning === undefined);
});

await test('a deletion that the process did not finish goes on at once', async () => {
	await using parts = await open();
	const { tools, storage, queue } = parts;
	await makeFiles(storage, ONE);
	const edit = await addEdit(tools.store, ONE);
	await tools.store.fail(ONE, failing('why'), tools.clock.moment());
	// As if the process were killed as soon as the row is gone.
	const removeEdit = tools.files.removeEdit.bind(tools.files);
	tools.files.removeEdit = () => new Promise(() => undefined);
	void deleteEdit(edit, tools, queue);
	await eventually('the row is gone', async () => (await tools.store.ids()).size === 0);
	tools.files.removeEdit = removeEdit;
	await sweep(tools, WEEK_MS);
	assert.deepEqual(await readdir(join(storage, 'edits')), []);
	assert.deepEqual(await readdir(join(storage, 'outbox')), []);
});

await test('a row that cannot be deleted keeps its files, and they are not marked', async () => {
	await using parts = await open();
	const { tools, database, storage, queue } = parts;
	await makeFiles(storage, ONE);
	const edit = await addEdit(tools.store, ONE);
	await execute(database, sql`PRAGMA query_only = ON`);
	await assert.rejects(deleteEdit(edit, tools, queue), /readonly/);
	await execute(database, sql`PRAGMA query_only = OFF`);
	await execute(database, sql`DELETE FROM edits`);
	await sweep(tools, WEEK_MS);
	assert.deepEqual(await readdir(join(storage, 'edits', ONE)), ['result']);
});

await test('an upload that an edit takes while it is deleted is not marked as deleted', async () => {
	await using parts = await open();
	const { tools, storage } = parts;
	await makeFiles(storage, ONE);
	await tools.uploads.add({ id: ONE, ownerId: 'ann', fileName: 'a.wav' }, tools.clock.moment());
	const { uploads } = tools;
	const idsUnusedSince = uploads.idsUnusedSince.bind(uploads);
	uploads.idsUnusedSince = async (ageMs) => {
		const due = await idsUnusedSince(ageMs);
		await addEdit(tools.store, ONE);
		return due;
	};
	await sweep(tools, -1_000_000);
	assert.deepEqual([...(await uploads.ids())], [ONE]);
	assert.deepEqual([...(await tools.files.buriedAmong('uploads', [ONE]))], []);
});

await test('a database that is empty, or lost its log, deletes nothing', async () => {
	const storage = join(temporary.path, String(++names));
	const before: string[] = [];
	for (const damage of [
		() => rm(join(storage, 'service.sqlite-wal'), { force: true }),
		() => truncate(join(storage, 'service.sqlite'), 0),
		() => rm(join(storage, 'service.sqlite')),
	]) {
		before.push(...(await makeFiles(storage, before.length === 0 ? ONE : TWO)));
		await damage().catch(() => undefined);
		await using parts = await openParts(storage);
		for (let hour = 0; hour < 3; hour += 1) await sweep(parts.tools, WEEK_MS);
		for (const path of before) assert.equal(await readFile(path, 'utf8'), 'a recording');
	}
});

await test('a log that is damaged in the middle deletes nothing, and the service still works', async () => {
	const [storage, copy] = [0, 1].map(() => join(temporary.path, String(++names)));
	const files: string[] = [];
	{
		await using parts = await openParts(storage);
		for (const id of [ONE, TWO]) {
			await addEdit(parts.tools.store, id);
			files.push(...(await makeFiles(storage, id)));
		}
		// While the database is open, its rows are in the log alone.
		await cp(storage, copy, { recursive: true });
	}
	const log = await openFile(join(copy, 'service.sqlite-wal'), 'r+');
	const { size } = await log.stat();
	assert.ok(size > 50_000);
	await log.write(Buffer.alloc(4_096, 0x5a), 0, 4_096, Math.floor(size / 2));
	await log.close();
	await using parts = await openParts(copy);
	for (let hour = 0; hour < 3; hour += 1) await sweep(parts.tools, WEEK_MS);
	for (const path of files) {
		assert.equal(await readFile(path.replace(storage, copy), 'utf8'), 'a recording');
	}
	await addEdit(parts.tools.store, '33333333-3333-4333-8333-333333333333');
});

await test('a page of the database that is damaged is told with its file, and blames no edit', async () => {
	const storage = join(temporary.path, String(++names));
	const ids: string[] = [];
	{
		await using parts = await openParts(storage);
		while (ids.length < 200) {
			const id = randomUUID();
			await addEdit(parts.tools.store, id);
			ids.push(id);
		}
	}
	const path = join(storage, 'service.sqlite');
	// Opening it reads only pages at its beginning; the edits are in those after them.
	const database = await openSqlite(path);
	const file = await openFile(path, 'r+');
	const { size } = await file.stat();
	const half = Math.ceil(size / 8_192) * 4_096;
	await file.write(Buffer.alloc(size - half, 0x5a), 0, size - half, half);
	await file.close();
	const store = new EditStore(database);
	const readAll = async () => {
		for (const id of ids) await store.find(id);
	};
	await assert.rejects(readAll(), (error: Error) => {
		assert.ok(error instanceof DatabaseTrouble, error.message);
		assert.ok(error.message.startsWith(`${path}: `), error.message);
		return true;
	});
	await database.close().catch(() => undefined);
});
