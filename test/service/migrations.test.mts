import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { test } from 'node:test';

import { EditStore } from '../../service/store/editStore.mts';
import { FolderAge } from '../../service/store/folderAge.mts';
import { openSqlite } from '../../service/store/sqlite.mts';
import { UploadStore } from '../../service/store/uploadStore.mts';
import { sqliteIn } from './support/databases.mts';
import { MIGRATION_SUITE } from './support/migrationSuite.mts';
import { newEdit } from './support/rows.mts';
import { runSuite } from './support/suite.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';

await using temporary = await temporaryFolder();

/** The tables and indexes as version 0.1.0 made them, before migrations had names. */
const TABLES_OF_0_1 = `
	CREATE TABLE jobs (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
		owner_id TEXT NOT NULL, status TEXT NOT NULL, created_at_ms INTEGER NOT NULL,
		updated_at_ms INTEGER NOT NULL, finished_at_ms INTEGER, finished_age_ms INTEGER,
		template_id INTEGER, request TEXT NOT NULL, outcome TEXT, failure_reason TEXT,
		attempts INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0);
	CREATE TABLE uploads (id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, file_name TEXT NOT NULL,
		created_at_ms INTEGER NOT NULL, stored_at_ms INTEGER, age_ms INTEGER NOT NULL DEFAULT 0,
		bytes INTEGER NOT NULL DEFAULT 0);
	CREATE TABLE upload_uses (upload_id TEXT NOT NULL, job_id TEXT NOT NULL,
		PRIMARY KEY (upload_id, job_id)) WITHOUT ROWID;
	CREATE INDEX uses_by_job ON upload_uses (job_id);
	CREATE TABLE claims (job_id TEXT PRIMARY KEY, token TEXT NOT NULL, until_ms INTEGER NOT NULL);
	CREATE TABLE front (place INTEGER PRIMARY KEY CHECK (place = 1), facts TEXT NOT NULL);
	CREATE TABLE age (place INTEGER PRIMARY KEY CHECK (place = 1), age_ms INTEGER NOT NULL,
		real_ms INTEGER NOT NULL);
	CREATE INDEX jobs_by_template_age ON jobs (template_id, finished_age_ms);
	CREATE INDEX jobs_by_age ON jobs (finished_age_ms);
	CREATE INDEX jobs_by_owner ON jobs (owner_id, finished_at_ms);
	CREATE INDEX uploads_by_age ON uploads (age_ms);
	CREATE INDEX uploads_by_owner ON uploads (owner_id);`;

/** A finished edit, a waiting one, their upload and the folder's age, as version 0.1.0 wrote them. */
const ROWS_OF_0_1 = `
	INSERT INTO uploads VALUES ('u', 'ann', 'talk.wav', 1, 2, 3, 444);
	INSERT INTO jobs VALUES (1, 'old', 'ann', 'SUCCESS', 1, 5, 5, 60000, 7,
		'{"kind":"edit","uploadType":"singletrack","sources":[{"kind":"upload","uploadId":"u","name":"talk.wav"}],"config":{}}',
		'{"fileName":"talk.wav","statistics":{},"markerFileNames":[],"durationBeforeSeconds":2,"durationAfterSeconds":1,"deliveredUrl":null}',
		NULL, 0, 555);
	INSERT INTO jobs VALUES (2, 'waiting', 'ann', 'PENDING', 6, 6, NULL, NULL, NULL,
		'{"kind":"noise","uploadType":"singletrack","sources":[{"kind":"upload","uploadId":"u","name":"talk.wav"}],"config":{}}',
		NULL, NULL, 1, 0);
	INSERT INTO upload_uses VALUES ('u', 'old'), ('u', 'waiting');
	INSERT INTO age VALUES (1, 90000, 1790000000000);`;

await test('takes over the database of version 0.1.0 with all its rows', async () => {
	const path = join(temporary.path, 'today.sqlite');
	const earlier = new DatabaseSync(path);
	earlier.exec(TABLES_OF_0_1 + ROWS_OF_0_1);
	earlier.close();
	for (let start = 0; start < 2; start++) {
		const database = await openSqlite(path);
		const [store, uploads] = [new EditStore(database), new UploadStore(database)];
		const old = await store.find('old');
		assert.equal(old?.outcome?.durationAfterSeconds, 1);
		assert.equal(old.request.sources[0]?.name, 'talk.wav');
		assert.deepEqual(await store.unfinishedIds(), ['waiting']);
		assert.deepEqual([await store.bytesOf('ann'), await uploads.bytesOf('ann')], [555, 444]);
		assert.deepEqual(await uploads.removeWithEdit(newEdit('u')), []);
		assert.ok((await new FolderAge(database).read()) >= 90_000);
		assert.deepEqual(await store.idsFinishedBefore(60_001), ['old']);
		await database.close();
	}
});

await runSuite('SQLite', sqliteIn(temporary.path), MIGRATION_SUITE);
