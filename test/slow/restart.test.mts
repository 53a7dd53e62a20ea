import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startChildService } from '../service/support/childService.mts';
import { finishedFile } from '../service/support/client.mts';
import { config, submit } from '../service/support/fleet.mts';
import { temporaryFolder } from '../service/support/temporaryFolder.mts';
import { QUICK_PROCESS } from '../service/support/testService.mts';
import { eventually } from '../support/eventually.mts';
import { shortRecording, talk } from '../service/support/recordings.mts';

await using temporary = await temporaryFolder();
const storage = temporary.path;

/** Flags with which every status lasts this long in service time, which runs 100 times as fast. */
const lasting = (seconds: number) => [...QUICK_PROCESS, '--minimum-state-seconds', String(seconds)];

await test('fails an edit during which the process has died five times', async () => {
	let id: string | undefined;
	// A regular stop does not count. Once the edit has begun, it is under way for 8 s more.
	for (const signal of ['SIGTERM', ...Array<'SIGKILL'>(5).fill('SIGKILL')] as const) {
		await using service = await startChildService(storage, ...lasting(200));
		id ??= await submit(service.client);
		const begun = `edit ${id} PREPROCESSING`;
		await eventually('the edit is running', () => service.log.find((line) => line.includes(begun)));
		await service.kill(signal);
	}
	await using last = await startChildService(storage, ...QUICK_PROCESS);
	assert.equal((await last.client.ended(id ?? '')).status, 'FAILURE');
	await eventually('the reason is in the log', () =>
		last.log.find((line) => /stopped 5 times while it worked on this edit/.test(line)),
	);
	await last.kill('SIGTERM');
});

await test('after kill -9 the interrupted edit is in RETRY and the queued one still PENDING', async () => {
	const alone = ['--concurrency', '1'];
	// Once the edit has begun, it is under way for 20 s more.
	await using first = await startChildService(storage, ...lasting(500), ...alone);
	const files = [await first.client.upload(shortRecording)];
	const running = await first.client.create({ files, config });
	const queued = await first.client.create({ files, config });
	await eventually('the edit is running', async () =>
		(await first.client.edit(running)).status === 'PREPROCESSING' ? true : undefined,
	);
	assert.equal((await first.client.edit(queued)).status, 'PENDING');
	await first.kill('SIGKILL');
	// Every status lasts longer than the test.
	await using second = await startChildService(storage, ...lasting(10_000_000), ...alone);
	assert.equal((await second.client.edit(running)).status, 'RETRY');
	assert.equal((await second.client.edit(queued)).status, 'PENDING');
	assert.ok(second.log.some((line) => line.includes(`edit ${running} RETRY after a restart`)));
	await second.kill('SIGKILL');
	await using third = await startChildService(storage, ...QUICK_PROCESS, ...alone);
	for (const id of [running, queued]) {
		assert.equal((await third.client.ended(id)).status, 'SUCCESS');
	}
	await third.kill('SIGTERM');
});

await test('a finished edit survives a restart with working links', async () => {
	await using first = await startChildService(storage, ...QUICK_PROCESS);
	const { id, file } = await first.client.finish(talk, { remove_noise: false });
	await first.kill('SIGKILL');
	await using second = await startChildService(storage, ...QUICK_PROCESS);
	const again = await finishedFile(await second.client.edit(id));
	assert.deepEqual(again.file, file);
	await second.kill('SIGTERM');
});

await test('refuses a second service on one storage folder', async () => {
	await using first = await startChildService(storage);
	await assert.rejects(startChildService(storage), /Another local service is using/);
	await first.kill('SIGTERM');
});
