import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { resultOf } from '../../testkit/service/client.mts';
import { shortRecording } from '../../testkit/service/recordings.mts';
import { answering, reply, startOutsideServer } from '../../testkit/service/servers.mts';
import {
	ANNS_KEY,
	QUICK,
	startService,
	startServiceForOthers,
} from '../../testkit/service/testService.mts';

const LIMIT_BYTES = 100_000;

const limits = ['--concurrency', '8', '--source-size-limit-bytes', `${LIMIT_BYTES}`];
await using service = await startService(...QUICK, ...limits);
const { ann } = service;

/** The first part of the path decides the response. */
await using web = await startOutsideServer(({ url }, response) => {
	const visitsHere = web.visits.filter((visit) => visit.url === url).length;
	const [, kind = ''] = url.split('/');
	if (kind === 'good') reply(response, 200, shortRecording);
	else if (kind === 'part') reply(response, 206, shortRecording);
	else if (kind === '503-twice') reply(response, visitsHere <= 2 ? 503 : 200, shortRecording);
	else if (kind === 'short-once') {
		response.writeHead(200, { 'Content-Length': shortRecording.length });
		if (visitsHere > 1) response.end(shortRecording);
		else response.write(shortRecording.subarray(0, 9_000), () => response.destroy());
	} else if (kind === 'large') reply(response, 200, Buffer.alloc(LIMIT_BYTES + 1));
	else if (kind === 'redirect') response.writeHead(302, { Location: '/good/moved.wav' }).end();
	else if (kind === 'to-metadata') {
		response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data' }).end();
	} else if (kind === 'hop') {
		const left = Number(url.split('/')[2]);
		const to = left > 0 ? `/hop/${left - 1}/talk.wav` : '/good/talk.wav';
		response.writeHead(302, { Location: to }).end();
	} else if (kind === 'coded') {
		const [, , name = '', cut = ''] = url.split('/');
		const coding = decodeURIComponent(name);
		const whole = CODINGS[coding]?.(shortRecording) ?? shortRecording;
		const body = cut === 'cut' && visitsHere === 1 ? whole.subarray(0, 9_000) : whole;
		response.writeHead(200, { 'Content-Encoding': coding, 'Content-Length': body.length });
		response.end(body);
	} else if (kind === 'not-packed') {
		response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(shortRecording);
	} else if (kind === 'bomb') {
		response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(BOMB);
	} else if (kind === 'named') {
		const header = DISPOSITIONS[Number(url.split('/')[2])][0];
		response.writeHead(200, { 'Content-Disposition': header }).end(shortRecording);
	} else if (kind === 'page') {
		response.writeHead(200, { 'Content-Type': 'audio/mpeg' }).end(PAGES[Number(url.split('/')[2])]);
	} else reply(response, Number(kind));
});

/** How hosts name a file, and the name of its result. */
const DISPOSITIONS: ReadonlyArray<readonly [header: string, edited: string]> = [
	["attachment; filename*=UTF-8''Folge%2012%20%C3%9Cber.wav", 'Folge 12 Über-edited.wav'],
	['attachment; filename="a b.wav"; filename*=UTF-8\'\'%E2%82%AC.wav', '€-edited.wav'],
	['attachment; filename=Folge 12.wav', 'Folge 12-edited.wav'],
	[Buffer.from('inline; filename="Über.wav"').toString('latin1'), 'Über-edited.wav'],
	['attachment; filename="100%25 live.wav"', '100% live-edited.wav'],
	['attachment; filename="../../etc/talk"', 'talk-edited.wav'],
	['attachment; filename=""', 'talk-edited.wav'],
	['attachment', 'talk-edited.wav'],
];

/** What hosts show instead of a file that they do not give. */
const PAGES = [
	'<!DOCTYPE html><title>Sign in</title>',
	'\ufeff\n<html><body>This file is too large to be scanned for viruses',
	'<!-- error --><!doctype html>',
];

const CODINGS: Readonly<Partial<Record<string, (content: Buffer) => Buffer>>> = {
	gzip: (content) => gzipSync(content),
	'x-gzip': (content) => gzipSync(content),
	deflate: (content) => deflateSync(content),
	br: (content) => brotliCompressSync(content),
	zstd: (content) => zstdCompressSync(content),
	'gzip, br': (content) => brotliCompressSync(gzipSync(content)),
};

const BOMB = gzipSync(Buffer.alloc(20_000_000));

/** Edits the file at a URL. Returns the edit, its statuses, the requests and the last log line. */
async function editOf(url: string) {
	const id = await ann.create({ files: [url], config: { remove_noise: false } });
	const edit = await ann.ended(id);
	const log = service.logOf(id);
	// Polling would miss a short status on a busy machine.
	const statuses = log.flatMap((line) => /^edit \S+ ([A-Z]+)\b/.exec(line)?.[1] ?? []);
	const visits = web.visits.filter((visit) => web.url + visit.url === url);
	return { edit, statuses, visits, reason: log.at(-1) ?? '' };
}

/** They run together, since they mostly wait for the service's clock. */
const ON_THE_WEB: Readonly<Record<string, () => Promise<void>>> = {
	'fetches a public URL without a key and names the result after it': async () => {
		const { edit, visits } = await editOf(`${web.url}/good/my%20talk.wav?token=1`);
		assert.equal(resultOf(edit).filename, 'my talk-edited.wav');
		assert.equal(visits.length, 1);
		assert.equal(visits[0]?.method, 'GET');
		assert.equal(visits[0].headers['x-api-key'], undefined);
		assert.ok(!JSON.stringify(visits[0].headers).includes(ANNS_KEY));
	},
	'retries a source that answers 503 twice, in status RETRY': async () => {
		const { statuses, visits } = await editOf(`${web.url}/503-twice/talk.wav`);
		assert.deepEqual(statuses, [
			'PENDING',
			'PREPROCESSING',
			'RETRY',
			'PREPROCESSING',
			'RETRY',
			'PREPROCESSING',
			'CLASSIFICATION',
			'EDITING',
			'POSTPROCESSING',
			'EXPORT',
			'SUCCESS',
		]);
		assert.equal(visits.length, 3);
	},
	'fetches a source again when the connection breaks': async () => {
		const { edit, visits } = await editOf(`${web.url}/short-once/talk.wav`);
		assert.equal(edit.status, 'SUCCESS');
		assert.equal(visits.length, 2);
	},
	'follows a redirect': async () => {
		resultOf((await editOf(`${web.url}/redirect/talk.wav`)).edit);
	},
	'follows twenty redirects, and no more': async () => {
		resultOf((await editOf(`${web.url}/hop/18/talk.wav`)).edit);
		const { reason } = await editOf(`${web.url}/hop/20/talk.wav`);
		assert.match(reason, /FAILURE .*there were too many redirects/);
	},
	'unpacks a source that comes in a content coding': async () => {
		const codings = [...Object.keys(CODINGS), 'aws-chunked', 'UTF-8'];
		for (const coding of codings) {
			const { edit } = await editOf(
				`${web.url}/coded/${encodeURIComponent(coding)}/whole/talk.wav`,
			);
			assert.equal(edit.status, 'SUCCESS', coding);
		}
	},
	'fetches a packed source again when a part of it is missing': async () => {
		const { edit, visits } = await editOf(`${web.url}/coded/gzip/cut/talk.wav`);
		assert.equal(edit.status, 'SUCCESS');
		assert.equal(visits.length, 2);
	},
	'says what is wrong with a source that is not packed as its host says': async () => {
		const { reason, visits } = await editOf(`${web.url}/not-packed/talk.wav`);
		assert.match(reason, /FAILURE .*'Content-Encoding' is not that of its content/);
		assert.equal(visits.length, 1);
	},
	'stops unpacking a source at the size limit': async () => {
		const { reason } = await editOf(`${web.url}/bomb/talk.wav`);
		assert.match(reason, /FAILURE .*larger than 100000 bytes/);
	},
	'names the result as the host names the file': async () => {
		for (const [index, [header, name]] of DISPOSITIONS.entries()) {
			const { edit } = await editOf(`${web.url}/named/${index}/talk.wav`);
			assert.equal(resultOf(edit).filename, name, header);
		}
	},
	'says of a link that has expired what to do': async () => {
		for (const index of PAGES.keys()) {
			const { reason, visits } = await editOf(`${web.url}/page/${index}/talk.mp3`);
			assert.match(reason, /a web page instead of the file: the link has expired or needs a login/);
			assert.equal(visits.length, 1);
		}
		for (const status of [401, 403, 410]) {
			const { reason } = await editOf(`${web.url}/${status}/talk.mp3`);
			assert.match(reason, /HTTP \d+: the link has expired or needs a login. Make a new one/);
		}
	},
	'fails after three tries on 503 and after one on 404': async () => {
		const [busy, missing] = await Promise.all([
			editOf(`${web.url}/503/talk.wav`),
			editOf(`${web.url}/404/talk.wav`),
		]);
		assert.equal(busy.visits.length, 3);
		assert.match(busy.reason, /FAILURE .*HTTP 503/);
		assert.equal(missing.visits.length, 1);
		assert.match(missing.reason, /FAILURE .*HTTP 404/);
		assert.deepEqual(missing.statuses, ['PENDING', 'PREPROCESSING', 'FAILURE']);
	},
	'fails on a source above the size limit': async () => {
		const { edit, reason } = await editOf(`${web.url}/large/talk.wav`);
		assert.equal(edit.status, 'FAILURE');
		assert.match(reason, /larger than 100000 bytes/);
	},
	'refuses a part of a file, which nobody asked for': async () => {
		const { edit, reason, statuses } = await editOf(`${web.url}/part/talk.wav`);
		assert.equal(edit.status, 'FAILURE');
		assert.match(reason, /the server answered HTTP 206/);
		assert.ok(!statuses.includes('RETRY'));
	},
	'refuses link-local and metadata addresses, even after a redirect': async () => {
		const urls = ['http://2852039166/latest/meta-data/', `${web.url}/to-metadata/talk.wav`];
		await Promise.all(
			urls.map(async (url) => {
				const { edit, reason, statuses } = await editOf(url);
				assert.equal(edit.status, 'FAILURE', url);
				assert.match(reason, /may not be reached/, url);
				assert.ok(!statuses.includes('RETRY'), url);
			}),
		);
	},
	'does not deliver a result to a link-local address': async () => {
		const signed_url = 'http://169.254.169.254/talk.wav';
		const edit = await ann.run(shortRecording, { remove_noise: false, signed_url });
		assert.equal(edit.status, 'FAILURE');
		assert.match(service.logOf(edit.task_id).at(-1) ?? '', /may not be reached/);
	},
};

await test('sources on the web', { concurrency: true }, async (parent) => {
	await Promise.all(Object.entries(ON_THE_WEB).map(([name, run]) => parent.test(name, run)));
});

await using ownWeb = await startOutsideServer(answering(200, shortRecording));

for (const flags of [[], ['--allow-private-sources']]) {
	const verb = flags.length === 0 ? 'refuses' : `with ${flags.join(' ')} fetches`;
	await test(`a service on all addresses ${verb} a source on this machine`, async () => {
		await using service = await startServiceForOthers(...QUICK, ...flags);
		const { ann } = service;
		const before = ownWeb.visits.length;
		const files = [`${ownWeb.url}/talk.wav`];
		const id = await ann.create({ files, config: { remove_noise: false } });
		const { status } = await ann.ended(id);
		assert.equal(status, flags.length === 0 ? 'FAILURE' : 'SUCCESS');
		assert.equal(ownWeb.visits.length - before, flags.length);
		const reason = service.logOf(id).at(-1) ?? '';
		if (flags.length === 0) assert.match(reason, /private network \(--allow-private-sources\)/);
	});
}
