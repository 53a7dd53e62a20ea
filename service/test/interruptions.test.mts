import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { eventually } from '../../testkit/time/eventually.mts';
import { addressOf, startFromSources } from '../../testkit/service/localService.ts';
import { startChildService } from '../../testkit/service/childService.mts';
import { Client, send } from '../../testkit/service/client.mts';
import { leaveEarly } from '../../testkit/service/leftUpload.mts';
import { shortRecording } from '../../testkit/service/recordings.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

// An unhandled error fails the running test; it would end the real process.

const GIGABYTE = 1_000_000_000;

for (const [what, ...flags] of [
	['the size limit', '--source-size-limit-bytes', '200000'],
	['what is left of the quota', '--quota-bytes', '200000'],
]) {
	await test(`an upload above ${what} whose client leaves ends nothing, and is logged`, async () => {
		await using service = await startService(...QUICK, ...flags);
		for (const bytes of [9 * GIGABYTE, 200_001]) {
			const link = await service.ann.uploadLink('talk.wav');
			await leaveEarly(link, bytes);
			const { pathname } = new URL(link);
			const isLogged = (line: string) => line.startsWith(`PUT ${pathname}: `);
			await eventually('the log says so', () => service.log.some(isLogged));
			assert.ok(service.log.every((line) => !line.includes('signature=')));
		}
		assert.equal((await send('GET', `${service.url}/ping`)).status, 200);
		assert.deepEqual(await service.folder('incoming'), []);
	});
}

await test('an error that nobody caught ends the process, and is no attempt at the running edits', async () => {
	await using folder = await temporaryFolder();
	// As a bug of ours would: it throws where nobody waits for it.
	const bug = join(folder.path, 'bug.mjs');
	await writeFile(bug, "process.on('SIGUSR2', () => { throw new Error('on purpose'); });");
	const storage = join(folder.path, 'storage');
	const key = 'a-key-of-somebody-012345678901234567';
	const flags = ['--port', '0', '--storage', storage, ...QUICK];
	flags.push('--api-key', key, '--min-state-seconds', '3600');
	const env = { ...process.env, NODE_OPTIONS: `--import ${pathToFileURL(bug).href}` };
	const service = await startFromSources(flags, undefined, env);
	const client = new Client(addressOf(service).url, key);
	const files = [await client.upload(shortRecording)];
	const id = await client.create({ files, config: { remove_noise: false } });
	await eventually('the edit is at work', () => existsSync(join(storage, 'edits', id, 'work')));
	assert.deepEqual(await service.end('SIGUSR2'), { code: 1, signal: null });
	assert.match(service.log.join('\n'), /an error that nobody caught: Error: on purpose/);
	assert.equal(attemptsIn(storage), 0);
	await using last = await startChildService(storage, '--api-key', key, ...QUICK);
	assert.equal((await new Client(last.client.url, key).ended(id)).status, 'SUCCESS');
});

/** Returns the attempts that count against the only edit of a service that has ended. */
function attemptsIn(storage: string): unknown {
	using database = new DatabaseSync(join(storage, 'service.sqlite'));
	return database.prepare('SELECT attempts FROM edits').get()?.['attempts'];
}
