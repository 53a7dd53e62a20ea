import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

import { withRetries } from '../outbound/retries.mts';
import { expiryOf } from '../outbound/signedUrlExpiry.mts';
import { createServiceClock } from '../shared/clock.mts';
import { TransientTrouble } from '../shared/failures.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { resultOf, send } from '../../testkit/service/client.mts';
import { decodedSeconds, probe } from '../../testkit/service/media.mts';
import { shortRecording } from '../../testkit/service/recordings.mts';
import { reply, startOutsideServer } from '../../testkit/service/servers.mts';
import { sleepsUntilAdvanced } from '../../testkit/time/serviceTime.mts';
import {
	ANNS_KEY,
	QUICK,
	startService,
	startServiceOn,
} from '../../testkit/service/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

const QUERY = '?token=bucket-token-7f&expires=9';

/** The path decides the response: `/403/name` is 403, `/503-once/name` is 503 the first time. */
await using storage = await startOutsideServer(({ url }, response) => {
	const visitsHere = storage.visits.filter((visit) => visit.url === url).length;
	if (url.startsWith('/503-once/')) reply(response, visitsHere === 1 ? 503 : 200);
	else if (url.startsWith('/302/')) response.writeHead(302, { Location: '/200/other' }).end();
	else reply(response, Number(url.slice(1, 4)));
});

/** Edits one second of sound and has it delivered to the path. Returns the edit and the requests. */
async function deliverTo(path: string, more = '') {
	const signedUrl = storage.url + path + QUERY + more;
	const edit = await ann.run(shortRecording, {
		remove_noise: false,
		export_format: 'mp3',
		signed_url: signedUrl,
	});
	const visits = storage.visits.filter(({ url }) => url === path + QUERY + more);
	return { edit, visits, reason: service.logOf(edit.task_id).at(-1) ?? '' };
}

await test('PUTs the finished file to signed_url, with length and type, without the key', async () => {
	const { edit, visits } = await deliverTo('/200/bucket/talk%20edited.mp3');
	const { download_url: link, filename } = resultOf(edit);
	assert.equal(link, `${storage.url}/200/bucket/talk%20edited.mp3`);
	assert.equal(filename, 'recording-edited.mp3');
	assert.equal(visits.length, 1);
	const [{ method, headers, body }] = visits;
	assert.equal(method, 'PUT');
	assert.equal(headers['content-type'], 'audio/mpeg');
	assert.equal(headers['content-length'], String(body.length));
	assert.equal(headers['transfer-encoding'], undefined);
	assert.equal(headers['x-api-key'], undefined);
	assert.ok(!JSON.stringify(headers).includes(ANNS_KEY));
	assert.equal((await probe(body)).codec, 'mp3');
	assert.ok(Math.abs((await decodedSeconds(body)) - 1) < 0.15);
});

/** Headers that HTTP itself needs. */
const OF_HTTP = ['connection', 'content-length', 'host'];

for (const [query, expected] of [
	['&X-Amz-SignedHeaders=host', []],
	['&x-amz-signedheaders=content-type%3Bhost', ['content-type']],
	['&X-Goog-SignedHeaders=host', []],
	['', ['content-type']],
] as const) {
	await test(`PUTs only the headers that are signed: ${query || 'nothing said'}`, async () => {
		const { visits } = await deliverTo('/200/signed.mp3', query);
		const sent = Object.keys(visits.at(-1)?.headers ?? {});
		const own = sent.filter((name) => !OF_HTTP.includes(name));
		assert.deepEqual(own, expected);
	});
}

await test('retries a delivery on 503, with the same bytes', async () => {
	const { edit, visits } = await deliverTo('/503-once/talk.mp3');
	assert.equal(edit.status, 'SUCCESS');
	assert.equal(visits.length, 2);
	assert.ok(visits[0].body.length > 1_000);
	assert.deepEqual(visits[0].body, visits[1].body);
	assert.ok(service.logOf(edit.task_id).some((line) => line.includes('RETRY')));
});

for (const [status, tries] of [
	[403, 1],
	[500, 3],
] as const) {
	await test(`a delivery answered with ${status} fails at try ${tries}`, async () => {
		const { edit, visits, reason } = await deliverTo(`/${status}/talk.mp3`);
		assert.equal(edit.status, 'FAILURE');
		assert.match(edit.failureReason ?? '', new RegExp(`HTTP ${status}`));
		assert.equal(visits.length, tries);
		assert.match(reason, new RegExp(`FAILURE .*Delivering.*HTTP ${status}`));
	});
}

/** Returns the query of an S3 URL that expires in the given number of seconds. */
function amazonQuery(seconds: number): string {
	const now = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
	return `&X-Amz-Date=${now}&X-Amz-Expires=${seconds}`;
}

await test('retries a delivery until the signed URL expires, and no longer', async () => {
	// Retries follow after 5, 25, 85 and 205 s, then every 300 s.
	await using patient = await startServiceOn(sleepsUntilAdvanced(), ...QUICK);
	const path = '/500/patient.mp3';
	const signed_url = storage.url + path + QUERY + amazonQuery(600);
	const files = [await patient.ann.upload(shortRecording)];
	const id = await patient.ann.create({ files, config: { remove_noise: false, signed_url } });
	const visits = () => storage.visits.filter(({ url }) => url.startsWith(path)).length;
	for (const [index, seconds] of [5, 20, 60, 120, 300].entries()) {
		const isWaiting = () => visits() === index + 1 && patient.clock.sleeping > 1;
		await eventually(`the service waits for retry ${index + 1}`, isWaiting);
		assert.equal((await patient.ann.edit(id)).status, 'RETRY');
		patient.clock.advance(seconds * 1_000);
	}
	// The next retry would come 205 s after the URL expires.
	assert.equal((await patient.ann.ended(id)).status, 'FAILURE');
	assert.equal(visits(), 6);
	assert.match(patient.logOf(id).at(-1) ?? '', /HTTP 500 .*no later than \d{4}-/);
	const late = await deliverTo('/500/late.mp3', amazonQuery(0));
	assert.equal(late.visits.length, 1);
	assert.equal(late.edit.status, 'FAILURE');
});

await test('goes by the clock of the database when a signed URL expires', async () => {
	const hourMs = 3_600_000;
	const clock = createServiceClock(1_000, 0, () => Date.now() + hourMs);
	const nothing = () => Promise.resolve();
	const deadlineMs = Date.now() + hourMs / 2;
	const report = { onTrouble: nothing, onNextTry: nothing, isPatient: true, deadlineMs };
	const step = () => Promise.reject(new TransientTrouble('busy'));
	const retried = withRetries(step, report, clock, new AbortController().signal);
	await assert.rejects(retried, /busy \(1 tries; no later than/);
});

await test('reads the expiry from the signed URLs of S3, Google and Azure', () => {
	const endMs = Date.UTC(2026, 10, 21, 7, 0, 0);
	for (const query of [
		'X-Amz-Date=20261121T060000Z&X-Amz-Expires=3600&X-Amz-Signature=a',
		'X-Goog-Date=20261121T060000Z&X-Goog-Expires=3600',
		`AWSAccessKeyId=a&Signature=b&Expires=${endMs / 1000}`,
		'sv=2020&sig=a&se=2026-11-21T07%3A00%3A00Z',
	]) {
		assert.equal(expiryOf(`https://bucket.example/talk.mp3?${query}`), endMs, query);
	}
	for (const query of ['expires=9', 'X-Amz-Date=today&X-Amz-Expires=1', 'sig=a&se=soon', '']) {
		assert.equal(expiryOf(`https://bucket.example/talk.mp3?${query}`), undefined, query);
	}
});

await test('does not follow a redirect of a delivery', async () => {
	const { edit } = await deliverTo('/302/talk.mp3');
	assert.equal(edit.status, 'FAILURE');
	assert.ok(!storage.visits.some(({ url }) => url === '/200/other'));
});

const MAIL_FLAGS = ['--mail-from', 'service@example.org', '--mail-to', 'ann@example.org'];
const CONFIG = { remove_noise: false, send_email: true, export_timestamps: true } as const;

/** Returns the links in the text of an e-mail, which is quoted-printable. */
function linksIn(mail: string): string[] {
	const text = mail
		.slice(mail.indexOf('\r\n\r\n'))
		.replace(/=\r\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
	return text.match(/https?:\S+/g) ?? [];
}

/** A minimal mail server. It refuses the first connection with 421. */
async function startMailServer() {
	const mails: string[] = [];
	let connections = 0;
	const server = createServer((socket) => {
		socket.on('error', () => undefined);
		if (++connections === 1) {
			socket.end('421 busy\r\n');
			return;
		}
		socket.write('220 test\r\n');
		let mail: string[] | undefined;
		createInterface(socket.setEncoding('latin1')).on('line', (line) => {
			if (mail === undefined) {
				if (line === 'DATA') mail = [];
				const replies: Record<string, string> = { DATA: '354 go on', QUIT: '221 bye' };
				socket.write(`${replies[line] ?? '250 fine'}\r\n`);
			} else if (line === '.') {
				mails.push(mail.join('\r\n'));
				mail = undefined;
				socket.write('250 kept\r\n');
			} else mail.push(line);
		});
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		mails,
		url: `smtp://127.0.0.1:${port}?ignoreTLS=true`,
		[Symbol.asyncDispose]: async () => {
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

await test('writes the e-mail with working links to the outbox without a mail server', async () => {
	await using service = await startService(...QUICK, ...MAIL_FLAGS);
	const edit = await service.ann.run(shortRecording, CONFIG, 'täglich\r\nBcc: x@y.example.wav');
	const outbox = join(service.storage, 'outbox');
	assert.deepEqual(await readdir(outbox), [`${edit.task_id}.eml`]);
	const mail = await readFile(join(outbox, `${edit.task_id}.eml`), 'latin1');
	assert.match(mail, /^From: service@example\.org\r\nTo: ann@example\.org\r\n/);
	assert.match(mail, /^Subject: =\?UTF-8\?Q\?Edited/m);
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
