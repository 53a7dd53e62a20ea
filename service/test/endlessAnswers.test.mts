import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';

import { eventually } from '../../testkit/time/eventually.mts';
import { shortRecording } from '../../testkit/service/recordings.mts';
import { reply, startOutsideServer } from '../../testkit/service/servers.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

/** Pieces of a megabyte; a service that reads them to the end never ends. */
const PIECE = Buffer.alloc(1_000_000);

/** A service that reads no further leaves the rest in buffers of the two sides. */
const MAX_PIECES_READ = 50;

/** The pieces that were taken, by path. */
const taken = new Map<string, number>();
const closed = new Set<string>();

await using web = await startOutsideServer(({ url }, response) => {
	response.setMaxListeners(0).on('close', () => closed.add(url));
	if (url.startsWith('/302')) {
		response.writeHead(302, { Location: '/200/source' });
		void answerForEver(url, response);
	} else if (url === '/200/source') reply(response, 200, shortRecording);
	else {
		response.writeHead(Number(url.slice(1, 4)));
		void answerForEver(url, response);
	}
});

async function answerForEver(url: string, response: ServerResponse): Promise<void> {
	while (!response.destroyed) {
		taken.set(url, (taken.get(url) ?? 0) + 1);
		// The test fails on a service that takes them all.
		if (Number(taken.get(url)) > 10 * MAX_PIECES_READ) response.end();
		if (response.write(PIECE)) await new Promise(setImmediate);
		else {
			await new Promise<void>((resolve) => {
				response.once('drain', resolve).once('close', resolve);
			});
		}
	}
}

async function isLeftUnread(url: string): Promise<void> {
	await eventually('the connection is closed', () => closed.has(url));
	const pieces = taken.get(url) ?? 0;
	assert.ok(pieces <= MAX_PIECES_READ, `${url}: ${pieces} MB`);
}

await using service = await startService(...QUICK);
const { ann } = service;

for (const [status, ends] of [
	[200, 'SUCCESS'],
	[403, 'FAILURE'],
	[500, 'FAILURE'],
] as const) {
	await test(`does not read what a storage answers to a delivery with ${status}`, async () => {
		const path = `/${status}/delivery`;
		const config = { remove_noise: false, signed_url: web.url + path };
		const edit = await ann.run(shortRecording, config);
		assert.equal(edit.status, ends, edit.failureReason ?? '');
		await isLeftUnread(path);
	});
}

for (const [path, ends] of [
	['/404/source', 'FAILURE'],
	['/302/source', 'SUCCESS'],
] as const) {
	await test(`does not read the body of a source's ${path.slice(1, 4)}`, async () => {
		const config = { remove_noise: false };
		const edit = await ann.ended(await ann.create({ files: [web.url + path], config }));
		assert.equal(edit.status, ends, edit.failureReason ?? '');
		await isLeftUnread(path);
	});
}
