import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';

import { createMailer } from '../mail/mailer.mts';
import { TransientTrouble } from '../shared/failures.mts';
import { readSettings } from '../shared/settings.mts';
import { openFiles } from '../store/files/openFiles.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { startOutsideServer } from '../../testkit/service/servers.mts';
import { openParts } from './support/openedParts.mts';
import { addEdit, OUTCOME } from './support/rows.mts';

await using folder = await temporaryFolder();

process.env['AWS_ACCESS_KEY_ID'] = 'somebody';
process.env['AWS_SECRET_ACCESS_KEY'] = 'a secret';

const PIECE = Buffer.alloc(1_000_000, 'a');

/** The test fails on a service that reads them all. */
const MAX_PIECES = 400;

let pieces = 0;
await using storage = await startOutsideServer((_visit, response) => {
	response.writeHead(200, { 'Content-Type': 'application/xml' });
	const go = () => {
		while (!response.destroyed && pieces < MAX_PIECES) {
			pieces += 1;
			if (!response.write(PIECE)) return;
		}
		response.end();
	};
	response.on('drain', go);
	go();
});

const flag = `s3://bucket/prefix?endpoint=${encodeURIComponent(storage.url)}`;
const { files: place } = readSettings(['--files', flag]);
const { files } = await openFiles(join(folder.path, 's3'), place, () => Date.now());

for (const [what, call] of [
	['a list', () => files.editIds()],
	['a stored text', () => files.writeResult({ editId: 'e', run: 'r' }, 'a.json', '{}')],
	['a text', () => files.readResult({ editId: 'e', run: 'r' }, 'a.json')],
] as const) {
	await test(`does not read an answer of object storage without end: ${what}`, async () => {
		pieces = 0;
		await assert.rejects(call, TransientTrouble);
		assert.ok(pieces < MAX_PIECES, `${pieces} MB`);
	});
}

await test('ends a mail server that always says something and never finishes', async () => {
	const server = createServer((socket) => {
		const talking = setInterval(() => socket.write('220-wait\r\n'), 10);
		socket
			.on('error', () => undefined)
			.on('close', () => {
				clearInterval(talking);
			});
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	const settings = { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'a@b.example', to: 'c@d.example' };
	await using parts = await openParts(join(folder.path, 'mail'));
	const { scratch, store } = parts.tools;
	const edit = await addEdit(store, '11111111-1111-4111-8111-111111111111');
	const linkOf = () => Promise.resolve('https://link.example');
	const connected = once(server, 'connection');
	const mailer = createMailer(settings, scratch, linkOf, 500);
	const sending = mailer.send(edit, OUTCOME, new AbortController().signal);
	await assert.rejects(sending, /not finished within 0.5 s/);
	const stop = new AbortController();
	const stopped = createMailer(settings, scratch, linkOf).send(edit, OUTCOME, stop.signal);
	await connected;
	stop.abort(new Error('deleted'));
	await assert.rejects(stopped, /deleted/);
	await new Promise((resolve) => server.close(resolve));
});
