import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { readSettings } from '../../shared/settings.mts';
import { sweep } from '../../work/retention.mts';
import { openFiles } from '../../store/files/openFiles.mts';
import { fileUrlOf, resultOf, send } from '../../../testkit/service/client.mts';
import { eventually } from '../../../testkit/time/eventually.mts';
import { decodedSeconds } from '../../../testkit/service/media.mts';
import { makeRecording } from '../../../testkit/media/recording.ts';
import { openParts } from '../support/openedParts.mts';
import { PLAIN as config, shortRecording } from '../../../testkit/service/recordings.mts';
import { startS3Server } from '../../../testkit/service/s3Server.mts';
import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';
import { longAgo, sleepsUntilAdvanced } from '../../../testkit/time/serviceTime.mts';
import { VirtualTime } from '../../../testkit/time/virtualTime.ts';
import { QUICK, startService, startServiceOn } from '../../../testkit/service/testService.mts';

await using s3 = await startS3Server();
await using temporary = await temporaryFolder();
const flags = ['--files', s3.filesFlag('service')];
await using service = await startService(...flags, ...QUICK, '--upload-link-minutes', '30');
const { ann } = service;

/** Looks into the object storage from outside the service. */
const { files: stored } = await openFiles(temporary.path, readSettings(flags).files);

await test('uploads and results go straight to the object storage, and DELETE removes them', async () => {
	const link = await ann.uploadLink('über talk (1).wav');
	assert.ok(link.startsWith(`${s3.origin}/`), link);
	const headers = { 'Content-Type': 'audio/wav' };
	assert.equal((await send('PUT', link, { body: shortRecording, headers })).status, 200);
	const file = fileUrlOf(link);
	const edit = await ann.ended(await ann.create({ files: [file], config }));
	const { download_url: download = '' } = resultOf(edit);
	assert.ok(download.startsWith(`${s3.origin}/`), download);
	const { status, bytes, contentType } = await send('GET', download);
	assert.equal(status, 200);
	assert.equal(contentType, 'audio/wav');
	assert.ok(Math.abs((await decodedSeconds(bytes)) - 1) < 0.1);

	// Scratch files are gone, and nothing passed through the storage folder.
	assert.deepEqual(await readdir(join(service.storage, 'scratch')), []);
	assert.deepEqual(await service.folder('incoming'), []);

	const page = await send('GET', `${service.url}/?open=${edit.task_id}`);
	assert.match(page.text, /<audio[^>]* src="http:\/\/127\.0\.0\.1:\d+\/recordings\/[^"]*\/uploads/);
	assert.match(page.headers.get('content-security-policy') ?? '', new RegExp(s3.origin));

	assert.deepEqual(await stored.editIds(), [edit.task_id]);
	assert.equal((await stored.uploadIds()).length, 1);
	await ann.call('DELETE', `/v2/edits/${edit.task_id}`);
	assert.deepEqual(await stored.editIds(), []);
	assert.deepEqual(await stored.uploadIds(), []);
	assert.equal((await send('GET', download)).status, 404);
});

await test('an edit fails if its upload never arrived, and reads the latest file if one was replaced', async () => {
	const link = await ann.uploadLink('talk.wav');
	const input = { files: [fileUrlOf(link)], config };
	const failed = await ann.ended(await ann.create(input));
	assert.equal(failed.status, 'FAILURE');
	const [reason] = service.logOf(failed.task_id).filter((line) => line.includes('FAILURE'));
	assert.match(reason, /There is no such uploaded file for this API key/);
	for (const seconds of [1, 2]) {
		const body = makeRecording({ partsSeconds: [seconds] });
		assert.equal((await send('PUT', link, { body })).status, 200);
		const edit = await ann.ended(await ann.create(input));
		const { bytes } = await send('GET', resultOf(edit).download_url ?? '');
		assert.ok(Math.abs((await decodedSeconds(bytes)) - seconds) < 0.1);
	}
});

await test('an edit waits in RETRY while the object storage is away', async () => {
	const link = await ann.uploadLink('talk.wav');
	await send('PUT', link, { body: shortRecording });
	await s3.stop();
	const id = await ann.create({ files: [fileUrlOf(link)], config });
	await eventually('it waits', () =>
		service.logOf(id).find((line) => line.includes('will retry (Fetching a stored file')),
	);
	await s3.restart();
	assert.equal((await ann.ended(id)).status, 'SUCCESS');
});

await test('fetches an upload only when its edit has a place, so that other workers can take it', async () => {
	const slow = ['--concurrency', '1', '--min-state-seconds', '20'];
	const clock = sleepsUntilAdvanced();
	const flags = ['--files', s3.filesFlag('busy'), ...QUICK, ...slow];
	await using busy = await startServiceOn(clock, ...flags);
	const files = [await busy.ann.upload(shortRecording)];
	const first = await busy.ann.create({ files, config });
	const second = await busy.ann.create({ files, config });
	const phasesOf = (id: string) => busy.logOf(id).map((line) => line.split(' ')[2]);
	await eventually('the first is at work', () => {
		if (phasesOf(first).includes('EDITING')) return true;
		clock.advance(20_000);
		return undefined;
	});
	assert.deepEqual(phasesOf(second), ['PENDING']);
	assert.deepEqual(await readdir(join(busy.storage, 'scratch')), [first]);
	await eventually('the second is over', () => {
		clock.advance(20_000);
		return phasesOf(second).includes('SUCCESS');
	});
});

await test('refuses an expired link', async () => {
	// 600 minutes of service time, which runs 100 times as fast as real time.
	const fast = new VirtualTime({ startMs: Date.now(), speed: 100, sleepSpeed: 100 });
	const long = [...flags, ...QUICK, '--upload-link-minutes', '600'];
	await using hasty = await startServiceOn(fast, ...long);
	const link = new URL(await hasty.ann.uploadLink('talk.wav'));
	assert.equal(link.searchParams.get('X-Amz-Expires'), '360');
	const expiring = await longAgo(() => ann.uploadLink('talk.wav'));
	assert.equal((await send('PUT', expiring, { body: shortRecording })).status, 403);
});

await test('a service started with the prefix of another service deletes none of its files', async () => {
	const edit = await ann.ended(
		await ann.create({ files: [await ann.upload(shortRecording)], config }),
	);
	await using other = await openParts(join(temporary.path, 'other'), ...flags);
	await sweep(other.tools, 0);
	await other.logged(/belongs to another service/);
	const { download_url: download = '' } = resultOf(await ann.edit(edit.task_id));
	assert.equal((await send('GET', download)).status, 200);
});
