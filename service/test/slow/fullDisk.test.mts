import assert from 'node:assert/strict';
import { test } from 'node:test';

import { eventually } from '../../../testkit/time/eventually.mts';
import { PLAIN, shortRecording } from '../../../testkit/service/recordings.mts';
import { mountSmallDisk } from '../support/smallDisk.mts';
import { sleepsUntilAdvanced } from '../../../testkit/time/serviceTime.mts';
import { startServiceOn } from '../../../testkit/service/testService.mts';
import { withVariables } from '../../../testkit/process/variables.mts';

const MEBIBYTE = 1_048_576;
const DAY_MS = 86_400_000;

/** Returns a recording of about this many bytes: the short one with much silence after it. */
function padded(bytes: number): Buffer {
	const header = Buffer.from(shortRecording.subarray(0, 44));
	header.writeUInt32LE(bytes - 8, 4);
	header.writeUInt32LE(bytes - 44, 40);
	return Buffer.concat([header, shortRecording.subarray(44)], bytes);
}

await test('on a full disk, a deletion and the retention free what they name', async (context) => {
	await using disk = await mountSmallDisk();
	if (disk === undefined) {
		context.skip('mounting a disk needs root');
		return;
	}
	await withVariables({ TMPDIR: disk.path }, async () => {
		await using service = await startServiceOn(sleepsUntilAdvanced());
		const { ann } = service;
		const recording = padded(MEBIBYTE);
		const edits = [await ann.run(recording, PLAIN), await ann.run(recording, PLAIN)];
		for (const { status } of edits) assert.equal(status, 'SUCCESS');

		await disk.fill();
		const refused = await ann.call('POST', '/v2/upload?filename=a.wav');
		assert.equal(refused.status, 500, 'the disk is full');
		const answer = await ann.call('DELETE', `/v2/edits/${edits[0].task_id}`);
		assert.equal(answer.status, 200, service.log.join('\n'));
		assert.ok((await disk.freeBytes()) > 2 * MEBIBYTE - 100_000);
		assert.equal((await ann.edit(edits[0].task_id)).status, 'PENDING');

		await disk.fill();
		service.clock.advance(8 * DAY_MS);
		await eventually(
			'the retention is over',
			async () => (await ann.edit(edits[1].task_id)).status === 'PENDING',
		);
		assert.ok((await disk.freeBytes()) > 2 * MEBIBYTE - 100_000);
		assert.deepEqual(
			[...(await service.folder('edits')), ...(await service.folder('uploads'))],
			[],
		);
	});
});
