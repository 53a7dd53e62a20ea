import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startChildService } from '../../../testkit/service/childService.mts';
import { finishedFile } from '../../../testkit/service/client.mts';
import { submit } from '../support/fleet.mts';
import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';
import { QUICK_PROCESS } from '../../../testkit/service/testService.mts';
import { eventually } from '../../../testkit/time/eventually.mts';
import { talk } from '../../../testkit/service/recordings.mts';

await using temporary = await temporaryFolder();
const storage = temporary.path;

/** Flags with which every status lasts this long in service time, which runs 100 times as fast. */
const lasting = (seconds: number) => [...QUICK_PROCESS, '--min-state-seconds', String(seconds)];

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

await test('a finished edit survives a restart with working links', async () => {
	await using first = await startChildService(storage, ...QUICK_PROCESS);
	const { id, file } = await first.client.finish(talk, { remove_noise: false });
	await first.kill('SIGKILL');
	await using second = await startChildService(storage, ...QUICK_PROCESS);
	const again = await finishedFile(await second.client.edit(id));
	assert.deepEqual(again.file, file);
	await second.kill('SIGTERM');
});
