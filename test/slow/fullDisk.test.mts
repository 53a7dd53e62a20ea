import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { eventually } from '../support/eventually.mts';
import { shortRecording } from '../service/support/recordings.mts';
import { temporaryFolder } from '../service/support/temporaryFolder.mts';
import { TestClock } from '../service/support/testClock.mts';
import { startServiceOn } from '../service/support/testService.mts';

const execute = promisify(execFile);

const MEBIBYTE = 1_048_576;
const DAY_MS = 86_400_000;

/** A disk of 16 MiB in memory; undefined without the right to mount one. */
async function smallDisk() {
	const folder = await temporaryFolder();
	const mounted = await execute('mount', [
		'-t',
		'tmpfs',
		'-o',
		'size=16m',
		'tmpfs',
		folder.path,
	]).then(
		() => true,
		() => false,
	);
	if (!mounted) {
		await folder[Symbol.asyncDispose]();
		return undefined;
	}
	const freeBytes = async () => {
		const { bavail, bsize } = await statfs(folder.path);
		return bavail * bsize;
	};
	return {
		path: folder.path,
		freeBytes,
		/** Leaves not a byte. */
		fill: async () => {
			const filler = join(folder.path, 'filler');
			await writeFile(filler, Buffer.alloc(16 * MEBIBYTE)).catch(() => undefined);
			assert.equal(await freeBytes(), 0);
		},
		[Symbol.asyncDispose]: async () => {
			await execute('umount', [folder.path]);
			await folder[Symbol.asyncDispose]();
		},
	};
}

/** Returns a recording of about this many bytes: the short one with much silence after it. */
function padded(bytes: number): Buffer {
	const header = Buffer.from(shortRecording.subarray(0, 44));
	header.writeUInt32LE(bytes - 8, 4);
	header.writeUInt32LE(bytes - 44, 40);
	return Buffer.concat([header, shortRecording.subarray(44)], bytes);
}

await test('on a full disk, a deletion and the retention free what they name', async (context) => {
	await using disk = await smallDisk();
	if (disk === undefined) {
		context.skip('mounting a disk needs root');
		return;
	}
	const usual = process.env['TMPDIR'];
	process.env['TMPDIR'] = disk.path;
	try {
		await using service = await startServiceOn(new TestClock('until advanced'));
		const { ann } = service;
		const config = { remove_noise: false } as const;
		const recording = padded(MEBIBYTE);
		const edits = [await ann.run(recording, config), await ann.run(recording, config)];
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
		await eventually('the retention is over', async () =>
			(await ann.edit(edits[1].task_id)).status === 'PENDING' ? true : undefined,
		);
		assert.ok((await disk.freeBytes()) > 2 * MEBIBYTE - 100_000);
		assert.deepEqual(
			[...(await service.folder('edits')), ...(await service.folder('uploads'))],
			[],
		);
	} finally {
		if (usual === undefined) delete process.env['TMPDIR'];
		else process.env['TMPDIR'] = usual;
	}
});
