import assert from 'node:assert/strict';
import { once } from 'node:events';
import { METHODS, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

import { maxConnections } from '../http/protocol/connections.mts';
import { findFfmpeg } from '../media/ffmpeg/ffmpeg.mts';
import { fileUrlOf, send } from '../../testkit/service/client.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { startImpatientService } from './support/halfUpload.mts';
import { PLAIN as config, talk } from '../../testkit/service/recordings.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { withVariables } from '../../testkit/process/variables.mts';

await using service = await startService(...QUICK);
const { ann } = service;

await test('downloads support GET, ranges and HEAD', async () => {
	const name = 'a #1 100% ä.wav';
	const { result, file } = await ann.finish(talk, config, name);
	const link = result.download_url ?? '';
	const part = await send('GET', link, { headers: { Range: 'bytes=100-199' } });
	assert.equal(part.status, 206);
	assert.equal(part.headers.get('content-range'), `bytes 100-199/${file.length}`);
	assert.deepEqual(part.bytes, file.subarray(100, 200));
	const rest = await send('GET', link, { headers: { Range: `bytes=${file.length - 5}-` } });
	assert.deepEqual(rest.bytes, file.subarray(-5));
	assert.equal((await send('GET', link, { headers: { Range: 'bytes=99999999-' } })).status, 416);
	const head = await send('HEAD', link);
	assert.equal(head.status, 200);
	assert.equal(head.headers.get('content-length'), String(file.length));
	assert.equal(head.bytes.length, 0);
	assert.match(head.headers.get('content-disposition') ?? '', /^attachment/);
});

await test('answers an unsupported method with 405 and the allowed methods', async () => {
	for (const [method, path, ...allow] of [
		['DELETE', '/v2/edits', 'POST'],
		['GET', '/v2/upload', 'POST'],
		['PUT', '/v2/edits/some-id', 'DELETE', 'GET', 'HEAD'],
		['POST', '/v1/account', 'GET', 'HEAD'],
		['DELETE', '/ping', 'GET', 'HEAD'],
		['POST', '/', 'GET', 'HEAD'],
	]) {
		const answer = await ann.call(method, path);
		assert.equal(answer.status, 405, `${method} ${path}`);
		assert.deepEqual((answer.headers.get('allow') ?? '').split(', ').toSorted(), allow);
	}
	assert.equal((await ann.call('GET', '/v2/nothing')).status, 404);
});

await test('answers TRACE and the methods of WebDAV with 405, too', async () => {
	for (const method of METHODS.filter((one) => one !== 'CONNECT')) {
		const request = httpRequest(`${service.url}/v2/edits`, { method });
		request.end();
		const [response] = (await once(request, 'response')) as [IncomingMessage];
		response.resume();
		assert.equal(response.statusCode, method === 'POST' ? 401 : 405, method);
	}
});

await test("fetches another server's file URL, even if its path looks like an upload", async () => {
	const ours = new URL(fileUrlOf(await ann.uploadLink('talk.wav'))).pathname;
	const unknown = ours.replace(/[0-9a-f]{8}/, '00000000');
	const id = await ann.create({ files: [`http://127.0.0.1:9${unknown}`], config });
	assert.equal((await ann.ended(id)).status, 'FAILURE');
	assert.match(service.logOf(id).at(-1) ?? '', /Fetching http:\/\/127\.0\.0\.1:9/);
});

await test('refuses to listen beyond this machine with the ffmpeg of 2018', async () => {
	await withVariables({ LOCAL_SERVICE_FFMPEG: 'npm' }, async () => {
		assert.equal(findFfmpeg().source, 'npm');
		await assert.rejects(startService('--host', '0.0.0.0'), /needs a current ffmpeg/);
	});
});

await test('closes a connection on which nothing moves', async () => {
	await using closing = await startImpatientService({ maxIdleMs: 2_000 });
	const silent = await closing.beginUpload();
	await once(silent.resume(), 'close');
	await eventually('its file is gone', async () => (await closing.folder('incoming')).length === 0);
});

await test('closes the connection that was without a request for longest when there are too many', async () => {
	await using full = await startImpatientService({ maxConnections: 3 });
	const [oldest, ...later] = [full.connect(), full.connect(), full.connect()];
	for (const socket of [oldest, ...later]) await once(socket, 'connect');
	const isClosed = once(oldest.resume(), 'close');
	const { status } = await fetch(`${full.url}/ping`, { headers: { connection: 'close' } });
	assert.equal(status, 200);
	await isClosed;
	for (const socket of later) {
		socket.write('GET /ping HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
		const [answer] = (await once(socket, 'data')) as [string];
		assert.match(answer, /^HTTP\/1.1 200/);
	}
});

await test('leaves file handles of this process to uploads and edits', () => {
	const row = 'Max open files            1024                 524288               files     \n';
	assert.equal(maxConnections(`Limit  Soft Limit\n${row}Max locked memory 8 8 bytes`), 256);
	assert.equal(maxConnections(''), Infinity);
	assert.ok(maxConnections() > 100);
});

await test('ends a request whose body does not arrive in time', async () => {
	await using impatient = await startImpatientService({ maxBodyMs: 100 });
	const socket = impatient.connect();
	const head = ['POST /v2/edits HTTP/1.1', 'Host: a', `X-API-Key: ${impatient.ann.key}`];
	socket.write([...head, 'Content-Length: 100', '', '{"input"'].join('\r\n'));
	const answer = await text(socket);
	assert.match(answer, /^HTTP\/1.1 408/);
	assert.match(answer, /The body took longer than 0.1 s/);
});

await test('answers unknown paths without waiting for their bodies', async () => {
	const { hostname, port } = new URL(service.url);
	const socket = connect(Number(port), hostname).setEncoding('utf8');
	socket.write('POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{');
	const [answer] = (await once(socket, 'data')) as [string];
	socket.destroy();
	assert.match(answer, /^HTTP\/1.1 404[^]*"detail":"Not Found"/);
});

await test('answers a client that says, after its body, that it sends no more', async () => {
	const body = JSON.stringify({ input: { files: [await ann.upload(talk)], config } });
	const { pathname, search } = new URL(await ann.uploadLink('talk.wav'));
	for (const [line, bytes] of [
		['POST /v2/edits', Buffer.from(body)],
		[`PUT ${pathname}${search}`, talk],
	] as const) {
		const { hostname, port } = new URL(service.url);
		const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
		const headers = ['Host: a', `X-API-Key: ${ann.key}`, `Content-Length: ${bytes.length}`];
		socket.write([`${line} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
		socket.end(bytes);
		assert.match(await text(socket), /^HTTP\/1.1 200/, line);
	}
});
