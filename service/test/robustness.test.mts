import assert from 'node:assert/strict';
import { readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { execa } from 'execa';
import { sql } from 'kysely';

import { resolveEditConfig } from '../shared/contract.mts';
import { isDiskFull } from '../shared/failures.mts';
import { fetchSource } from '../outbound/fetchSource.mts';
import { DatabaseTrouble } from '../store/database.mts';
import { EnginePool } from '../engine/pool/enginePool.mts';
import { deleteEdit } from '../queue/removal.mts';
import { sweep } from '../work/retention.mts';
import { decode } from '../media/decode.mts';
import { encode } from '../media/encode.mts';
import { pcmSourceOf } from '../media/pcmFile.mts';
import { probe } from '../media/probe.mts';
import { execute } from './support/databases.mts';
import { openParts } from './support/openedParts.mts';
import { addEdit, failing, newEdit } from './support/rows.mts';
import { shortRecording } from '../../testkit/service/recordings.mts';
import { answering, startOutsideServer } from '../../testkit/service/servers.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

// An unhandled rejection fails the running test; it would end the real process.

await using temporary = await temporaryFolder();
const folder = temporary.path;

let names = 0;

const open = () => openParts(join(folder, String(++names)), '--clock-speed', '100');

await test('a read-only database ends neither the process nor the queue', async () => {
	await using parts = await open();
	const { tools, database, queue, logged } = parts;
	await tools.store.add(newEdit('one'));
	await tools.store.add(newEdit('two'));
	await execute(database, sql`PRAGMA query_only = ON`);
	queue.add('one', 'ann');
	await logged(/edit one failed .* cannot store that: .*readonly/);
	await execute(database, sql`PRAGMA query_only = OFF`);
	queue.add('two', 'ann');
	await logged(/edit two FAILURE/);
	assert.equal((await tools.store.find('two'))?.status, 'FAILURE');
});

await test('a database that fails does not look like a source that fails', async () => {
	await using parts = await open();
	await using web = await startOutsideServer(answering(200, shortRecording));
	const { store, quota } = parts.tools;
	const edit = await addEdit(store, 'one');
	quota.storedBytes = () => Promise.reject(new DatabaseTrouble('away'));
	const source = { kind: 'url', url: `${web.url}/a.wav`, name: 'a.wav' } as const;
	await parts.tools.scratch.startEditFolder('one');
	const { signal } = new AbortController();
	const within = { signal, arrival: quota.begin('ann', 'one') };
	await assert.rejects(fetchSource(edit, source, 0, parts.tools, within), DatabaseTrouble);
});

await test('on a full disk, the files of an edit make room for its FAILURE', async () => {
	await using parts = await open();
	const { tools, queue, logged, storage } = parts;
	await tools.store.add(newEdit('one'));
	const filesAtFailure: string[][] = [];
	const fail = tools.store.fail.bind(tools.store);
	tools.store.fail = async (...args) => {
		filesAtFailure.push(await readdir(join(storage, 'edits')));
		if (filesAtFailure.length === 1) throw new Error('database or disk is full');
		return await fail(...args);
	};
	queue.add('one', 'ann');
	await logged(/edit one FAILURE/);
	assert.deepEqual(filesAtFailure, [['one'], []]);
});

await test('on a full disk, the files of an edit make room for its deletion, and those of old ones too', async () => {
	await using parts = await open();
	const { tools, queue, storage } = parts;
	for (const id of ['one', 'two']) {
		await tools.store.add(newEdit(id));
		await tools.scratch.startEditFolder(id);
		await tools.store.fail(id, failing('why'), tools.clock.moment());
	}
	/** Lets a statement fail while an edit has files, as the disk has no room while it has. */
	const whileFull = <Args extends unknown[], Result>(
		id: string,
		statement: (...args: Args) => Promise<Result>,
	) => {
		return async (...args: Args) => {
			if (existsSync(join(storage, 'edits', id))) throw new Error('database or disk is full');
			return await statement(...args);
		};
	};
	const { uploads, folderAge } = tools;
	uploads.removeWithEdit = whileFull('one', uploads.removeWithEdit.bind(uploads));
	folderAge.keep = whileFull('two', folderAge.keep.bind(folderAge));
	const one = await tools.store.find('one');
	assert.ok(one);
	await deleteEdit(one, tools, queue);
	assert.deepEqual([...(await tools.store.ids())], ['two']);
	await sweep(tools, -1_000_000);
	assert.deepEqual([...(await tools.store.ids())], []);
});

await test('an edit begins again when the process had too many open files', async () => {
	await using parts = await open();
	const { tools, queue, logged } = parts;
	await tools.store.add(newEdit('one'));
	const startEditFolder = tools.scratch.startEditFolder.bind(tools.scratch);
	let tries = 0;
	tools.scratch.startEditFolder = async (id) => {
		if (++tries <= 2) throw new Error("EMFILE: too many open files, mkdir '/a'");
		return await startEditFolder(id);
	};
	queue.add('one', 'ann');
	await logged(/edit one RETRY/);
	// Its upload never arrived.
	await logged(/edit one FAILURE \(There is no such uploaded file/);
});

await test('a program that cannot start for lack of file handles reports that', async () => {
	const module = join(folder, 'handles.mts');
	const imported = (path: string) => JSON.stringify(new URL(path, import.meta.url));
	await writeFile(
		module,
		`import { openSync } from 'node:fs';
		import { isOutOfHandles } from ${imported('../shared/failures.mts')};
		import { runFfmpeg } from ${imported('../media/ffmpeg/runFfmpeg.mts')};
		await runFfmpeg(['-version']);
		try {
			for (;;) openSync('/dev/null');
		} catch {
			// None is left.
		}
		const error = await runFfmpeg(['-version']).catch((error) => error);
		process.exitCode = isOutOfHandles(error) ? 0 : 1;`,
	);
	const script = 'ulimit -n 100 && exec "$0" --import tsx "$1"';
	await execa('sh', ['-c', script, process.execPath, module]);
});

await test('an unreadable row fails its edit and hides no others from list and sweep', async () => {
	await using parts = await open();
	const { tools, database, queue, logged } = parts;
	await tools.store.add(newEdit('good'));
	for (const [id, text] of [
		['torn', '{"kind":'],
		['foreign', '{"kind":"dance"}'],
	]) {
		await tools.store.add(newEdit(id));
		await execute(database, sql`UPDATE edits SET request = ${text} WHERE id = ${id}`);
		queue.add(id, 'ann');
		await logged(new RegExp(`edit ${id} FAILURE`));
	}
	assert.deepEqual(await tools.store.unfinishedIds(), ['good']);
	const [newest, ...more] = await tools.store.newest(9);
	assert.deepEqual([newest.id, more], ['good', []]);
	await sweep(tools, -1_000_000);
	assert.deepEqual([...(await tools.store.ids())], ['good']);
});

await test("keeps local paths in error messages out of the page and the edit's log line", async () => {
	await using parts = await open();
	const { tools, queue, logged } = parts;
	await tools.store.add(newEdit('one'));
	tools.scratch.startEditFolder = () =>
		Promise.reject(new Error(`EACCES: '${parts.storage}/edits'`));
	queue.add('one', 'ann');
	await logged(/edit one FAILURE \(The service could not finish the edit; its log says why\)/);
	const failed = await tools.store.find('one');
	assert.ok(failed?.failureReason && !failed.failureReason.includes(parts.storage));
	await logged(/EACCES/);
});

/** Runs an edit on an engine whose thread runs the given code. */
async function runOn(code: string): Promise<unknown> {
	const module = join(folder, `engine${++names}.mts`);
	await writeFile(module, code);
	const pool = new EnginePool(1, pathToFileURL(module));
	const edit = {
		sources: [{ path: '', name: 'a.wav' }],
		workFolder: folder,
		resultFolder: folder,
		config: resolveEditConfig({}),
		maxSourceSeconds: 1,
	};
	try {
		return await pool.run(edit, () => Promise.resolve(), new AbortController().signal);
	} finally {
		await pool.close();
	}
}

await test('an engine that does not load fails the edit, not the process', async () => {
	await assert.rejects(runOn("import './no-such-module.mts';"), /no-such-module/);
	await assert.rejects(runOn("throw new Error('broken engine');"), /broken engine/);
	await assert.rejects(runOn('export default () => { process.exit(3); };'), /3/);
});

const NEEDS_FULL = { skip: !existsSync('/dev/full') };

await test('does not mistake a full disk for a damaged file', NEEDS_FULL, async () => {
	const path = join(folder, 'talk.wav');
	await writeFile(path, shortRecording);
	const source = { path, channels: 1, sampleRateHz: 16_000, limitSeconds: 3_600 };
	// A link, so that the cleanup removes the link, not the device.
	const outputPath = join(folder, 'full');
	for (const rateHz of [16_000, 48_000]) {
		await symlink('/dev/full', outputPath);
		await assert.rejects(decode(source, outputPath, rateHz), isDiskFull);
		await rm(outputPath, { force: true });
	}
	const { pcm } = await decode(source, `${path}.f32`, 16_000);
	await symlink('/dev/full', outputPath);
	const input = { audio: pcmSourceOf(pcm), info: await probe(path), outputPath };
	const encoding = encode({ ...input, format: 'wav', sourceRateFrames: pcm.frames });
	await assert.rejects(encoding, isDiskFull);
});
