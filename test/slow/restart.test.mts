import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type ChildService, startChildService } from '../service/support/childService.mts';
import { shortRecording } from '../service/support/recordings.mts';
import { type OutsideServer, reply, startOutsideServer } from '../service/support/servers.mts';
import { temporaryFolder } from '../service/support/temporaryFolder.mts';
import { QUICK_PROCESS } from '../service/support/testService.mts';
import { eventually } from '../support/eventually.mts';

await using temporary = await temporaryFolder();
const storage = temporary.path;

const config = { remove_noise: false } as const;

/** Waits until a service works on an edit whose source never arrives. */
async function underWork({ log }: ChildService, web: OutsideServer, visit: number): Promise<void> {
	await eventually('the service fetches the source', () => web.visits.at(visit));
	assert.ok(log.some((line) => line.includes('PREPROCESSING')));
}

await test('fails an edit during which the process has died five times', async () => {
	await using web = await startOutsideServer(() => undefined);
	let visits = 0;
	let id: string | undefined;
	// A regular stop does not count.
	for (const signal of ['SIGTERM', ...Array<'SIGKILL'>(5).fill('SIGKILL')] as const) {
		await using service = await startChildService(storage, ...QUICK_PROCESS);
		id ??= await service.client.create({ files: [`${web.url}/talk.wav`], config });
		await underWork(service, web, visits++);
		await service.kill(signal);
	}
	await using last = await startChildService(storage, ...QUICK_PROCESS);
	assert.equal((await last.client.ended(id ?? '')).status, 'FAILURE');
	assert.equal(web.visits.length, visits);
	await eventually('the reason is in the log', () =>
		last.log.find((line) => /stopped 5 times while it worked on this edit/.test(line)),
	);
	await last.kill('SIGTERM');
});

await test('after kill -9 the interrupted edit is in RETRY and the queued one still PENDING', async () => {
	await using web = await startOutsideServer((_visit, response, before) => {
		if (before > 0) reply(response, 200, shortRecording);
	});
	const flags = [...QUICK_PROCESS, '--concurrency', '1'];
	await using first = await startChildService(storage, ...flags);
	const files = [`${web.url}/talk.wav`];
	const running = await first.client.create({ files, config });
	await underWork(first, web, 0);
	const queued = await first.client.create({ files, config });
	assert.equal((await first.client.edit(queued)).status, 'PENDING');
	await first.kill('SIGKILL');
	// Every status lasts longer than the test.
	await using second = await startChildService(storage, ...flags, '--minimum-state-seconds', '1e6');
	assert.equal((await second.client.edit(running)).status, 'RETRY');
	assert.equal((await second.client.edit(queued)).status, 'PENDING');
	assert.ok(second.log.some((line) => line.includes(`edit ${running} RETRY after a restart`)));
	await second.kill('SIGKILL');
	await using third = await startChildService(storage, ...flags);
	for (const id of [running, queued]) {
		assert.equal((await third.client.ended(id)).status, 'SUCCESS');
	}
	await third.kill('SIGTERM');
});
