import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';

import { send } from './support/client.mts';
import { shortRecording } from './support/recordings.mts';
import { QUICK, startService } from './support/testService.mts';

const MAIL_FLAGS = ['--mail-from', 'service@example.org', '--mail-to', 'ann@example.org'];
const CONFIG = { remove_noise: false, send_email: true, export_timestamps: true } as const;

/** Returns the decoded text of an e-mail. */
function bodyOf(mail: string): string {
	const body = mail.slice(mail.indexOf('\r\n\r\n') + 4);
	return body
		.replace(/=\r\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

const linksIn = (mail: string) => bodyOf(mail).match(/https?:\S+/g) ?? [];

/** A minimal mail server. It refuses the first connection with 421. */
async function startMailServer() {
	const mails: string[] = [];
	let connections = 0;
	const server = createServer((socket) => {
		connections += 1;
		socket.on('error', () => undefined);
		if (connections === 1) {
			socket.end('421 busy\r\n');
			return;
		}
		socket.write('220 test\r\n');
		let mail: string | undefined;
		let rest = '';
		socket.on('data', (bytes) => {
			rest += bytes.toString('latin1');
			for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
				const line = rest.slice(0, end);
				rest = rest.slice(end + 2);
				if (mail !== undefined && line !== '.') mail += `${line}\r\n`;
				else if (mail !== undefined) {
					mails.push(mail);
					mail = undefined;
					socket.write('250 kept\r\n');
				} else if (line === 'DATA') {
					mail = '';
					socket.write('354 go on\r\n');
				} else socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 fine\r\n');
			}
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (typeof address !== 'object' || address === null) throw new Error('no port');
	return {
		mails,
		url: `smtp://127.0.0.1:${address.port}?ignoreTLS=true`,
		[Symbol.asyncDispose]: async () => {
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

await test('writes the e-mail with working links to the outbox without a mail server', async () => {
	await using service = await startService(...QUICK, ...MAIL_FLAGS);
	const edit = await service.ann.run(shortRecording, CONFIG, 'täglich\r\nBcc: x@y.example.wav');
	assert.equal(edit.status, 'SUCCESS');
	const outbox = join(service.storage, 'outbox');
	assert.deepEqual(await readdir(outbox), [`${edit.task_id}.eml`]);
	const mail = await readFile(join(outbox, `${edit.task_id}.eml`), 'latin1');
	assert.match(
		mail,
		/^From: service@example\.org\r\nTo: ann@example\.org\r\nSubject: =\?UTF-8\?Q\?Edited/,
	);
	assert.doesNotMatch(mail, /^Bcc:/m);
	// The same for each mail about an edit: mail clients then show a repeated one only once.
	assert.match(mail, new RegExp(`^Message-ID: <${edit.task_id}@audio-editing-service>\r$`, 'm'));
	const links = linksIn(mail);
	assert.equal(links.length, 1 + (edit.result?.timestamps_markers_urls.length ?? 0));
	for (const link of links) assert.equal((await send('GET', link)).status, 200, link);
	await service.ann.call('DELETE', `/v2/edits/${edit.task_id}`);
	assert.deepEqual(await readdir(outbox), []);
});

await test('sends the e-mail to the mail server, and retries when it is busy', async () => {
	await using server = await startMailServer();
	await using service = await startService(...QUICK, ...MAIL_FLAGS, '--smtp-url', server.url);
	const edit = await service.ann.run(shortRecording, CONFIG);
	assert.equal(edit.status, 'SUCCESS');
	assert.equal(server.mails.length, 1);
	assert.match(server.mails[0], /^To: ann@example\.org/m);
	assert.equal((await send('GET', linksIn(server.mails[0]).at(0) ?? '')).status, 200);
	assert.ok(service.logOf(edit.task_id).some((line) => line.includes('421')));
	assert.ok(!(await readdir(service.storage)).includes('outbox'));
});

await test('an edit succeeds even if its e-mail cannot be sent', async () => {
	const nobody = 'smtp://user:mail-password@127.0.0.1:9';
	await using service = await startService(...QUICK, ...MAIL_FLAGS, '--smtp-url', nobody);
	const edit = await service.ann.run(shortRecording, CONFIG);
	assert.equal(edit.status, 'SUCCESS');
	const log = service.logOf(edit.task_id).join('\n');
	assert.match(log, /sent no e-mail \(Mail through 127\.0\.0\.1:9: .*ECONNREFUSED/);
	assert.ok(!log.includes('mail-password'));
});
