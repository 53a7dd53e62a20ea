import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startChildService } from '../service/support/childService.mts';
import type { Client } from '../service/support/client.mts';
import { talk } from '../service/support/recordings.mts';
import { temporaryFolder } from '../service/support/temporaryFolder.mts';
import { QUICK_PROCESS } from '../service/support/testService.mts';
import { eventually } from '../support/eventually.mts';

await using temporary = await temporaryFolder();
const storage = temporary.path;

await test('fails an edit during which the process has died five times', async () => {
	let id: string | undefined;
	for (let life = 1; life <= 5; life++) {
		await using service = await startChildService(
			storage,
			...QUICK_PROCESS,
			'--minimum-state-seconds',
			'50',
		);
		if (id === undefined) {
			// A regular stop does not count.
			const files = [await service.client.upload(talk)];
			id = await service.client.create({ files, config: { remove_noise: false } });
			await underWork(service.client, id);
			await service.kill('SIGTERM');
			life = 0;
			continue;
		}
		await underWork(service.client, id);
		await service.kill('SIGKILL');
	}
	await using last = await startChildService(storage, ...QUICK_PROCESS);
	assert.equal((await last.client.ended(id ?? '')).status, 'FAILURE');
	await eventually('the reason is in the log', () =>
		last.log.find((line) => /stopped 5 times while it worked on this edit/.test(line)),
	);
	await last.kill('SIGTERM');
});

await test('after kill -9 the interrupted edit is in RETRY and the queued one still PENDING', async () => {
	// Every status lasts a real second, so that the test sees both.
	const flags = [...QUICK_PROCESS, '--minimum-state-seconds', '100', '--concurrency', '1'];
	await using first = await startChildService(storage, ...flags);
	const files = [await first.client.upload(talk)];
	const [running, queued] = [
		await first.client.create({ files, config: { remove_noise: false } }),
		await first.client.create({ files, config: { remove_noise: false } }),
	];
	await underWork(first.client, running);
	assert.equal((await first.client.edit(queued)).status, 'PENDING');
	await first.kill('SIGKILL');
	await using second = await startChildService(storage, ...flags);
	assert.equal((await second.client.edit(running)).status, 'RETRY');
	assert.equal((await second.client.edit(queued)).status, 'PENDING');
	assert.ok(second.log.some((line) => line.includes(`edit ${running} RETRY after a restart`)));
	for (const id of [running, queued]) {
		assert.equal((await second.client.ended(id)).status, 'SUCCESS');
	}
	await second.kill('SIGTERM');
});

async function underWork(client: Client, id: string): Promise<void> {
	await eventually('the edit is running', async () => {
		const { status } = await client.edit(id);
		return status === 'PENDING' || status === 'RETRY' ? undefined : true;
	});
}
