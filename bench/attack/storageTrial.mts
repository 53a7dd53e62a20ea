import { join } from 'node:path';

import { send } from '../../test/service/support/client.mts';
import { startChildService } from '../../test/service/support/childService.mts';
import { countedBytes, filesOnDisk } from '../../test/service/support/filesOnDisk.mts';
import { convertedTo } from '../../test/service/support/media.mts';
import { shortRecording } from '../../test/service/support/recordings.mts';
import { mountSmallDisk } from '../../test/service/support/smallDisk.mts';
import { QUICK } from '../../test/service/support/testService.mts';

const EDITS = 60;

const QUOTA_BYTES = 3_000_000;

/** What became of the promises about storage. */
export interface StorageTrial {
	/** Bytes on disk beyond the quota. */
	overQuotaBytes: number;
	/** Files of edits on disk after all edits were deleted, e-mails included. */
	filesLeft: number;
}

/** Bytes of each of the uploads that arrive together, which take 12 MB against a quota of 3 MB. */
const UPLOAD_BYTES = 300_000;

const UPLOADS = 40;

/** Lets the results of 60 small edits and 40 parallel uploads meet the quota, then deletes the edits. */
export async function tryQuota(storage: string): Promise<StorageTrial> {
	const mail = ['--mail-from', 'a@example.org', '--mail-to', 'b@example.org'];
	await using service = await startChildService(
		storage,
		...[...QUICK, ...mail, '--quota-bytes', String(QUOTA_BYTES)],
	);
	const { client } = service;
	const url = await client.upload(await convertedTo(shortRecording, 'mp3'), 'talk.mp3');
	const links = await Promise.all(
		Array.from({ length: UPLOADS }, async (_, n) => await client.uploadLink(`${n}.wav`)),
	);
	const config = { export_format: 'wav', send_email: true, remove_noise: false } as const;
	const ids: string[] = [];
	let refused = 0;
	for (let edit = 0; edit < EDITS; edit += 1) {
		const body = { input: { files: [url], config } };
		const { status, json } = await client.call('POST', '/v2/edits', { body });
		if (status === 200) ids.push((json as { id: string }).id);
		else refused += 1;
	}
	const ends = await Promise.all(ids.map(async (id) => (await client.ended(id)).status));
	const failed = ends.filter((status) => status === 'FAILURE').length;
	const kept = await countedBytes(storage);
	const bytes = Math.max(kept, await bytesWhileUploading(links, storage));
	console.log(
		`  ${refused} edits refused, ${failed} of ${ids.length} failed, at most ${bytes} bytes on disk`,
	);
	for (const id of ids) await client.call('DELETE', `/v2/edits/${id}`);
	const left = await filesOnDisk(storage, ['edits', 'uploads', 'outbox', 'incoming']);
	return { overQuotaBytes: Math.max(0, bytes - QUOTA_BYTES), filesLeft: left.size };
}

/** The most bytes on disk seen while uploads arrive at the same time. */
async function bytesWhileUploading(links: readonly string[], storage: string): Promise<number> {
	let most = 0;
	const body = Buffer.alloc(UPLOAD_BYTES);
	const sent = links.map(async (link) => {
		await send('PUT', link, { body }).catch(() => undefined);
		const files = await filesOnDisk(storage, ['edits', 'uploads', 'incoming']);
		most = Math.max(
			most,
			[...files.values()].reduce((sum, size) => sum + size, 0),
		);
	});
	await Promise.all(sent);
	return most;
}

/**
 * Deletes an edit on a full disk. Returns the bytes that became free, as a share of its files; undefined
 * where no disk can be mounted.
 */
export async function tryFullDisk(): Promise<number | undefined> {
	await using disk = await mountSmallDisk();
	if (disk === undefined) return undefined;
	await using service = await startChildService(join(disk.path, 'storage'), ...QUICK);
	const { client } = service;
	const id = await client.create({ files: [await client.upload(shortRecording)], config: {} });
	await client.ended(id);
	const named = await countedBytes(join(disk.path, 'storage'));
	await disk.fill();
	const { status } = await client.call('DELETE', `/v2/edits/${id}`);
	console.log(`  DELETE answered ${status}`);
	return status === 200 ? (await disk.freeBytes()) / named : 0;
}
