import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { test } from 'node:test';

import { cutTimes } from '../http/page/pageCard.mts';
import { assertNear } from './support/assertNear.mts';
import { send } from '../../testkit/service/client.mts';
import { startRecognizer } from '../../testkit/service/openAiServer.mts';
import { startOutsideServer } from '../../testkit/service/servers.mts';
import { SILENCES as config, LONG_SILENCES, talk } from '../../testkit/service/recordings.mts';
import { QUICK, startService, startServiceForOthers } from '../../testkit/service/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

/** Returns the links of the page's players, in order. */
function playersOf(html: string): string[] {
	return [...html.matchAll(/<audio [^>]*src="([^"]+)"/g)].map(([, link]) => decoded(link));
}

function decoded(attribute: string): string {
	return attribute.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

/** Requests the page as a browser would under another host name. */
async function pageUnder(host: string) {
	const visit = request(opened(first.id), { headers: { Host: host } }).end();
	const [response] = (await once(visit, 'response')) as [IncomingMessage];
	return { status: response.statusCode, text: await textOf(response) };
}

/** The page with the rows of these edits open. */
const opened = (...ids: readonly string[]) => `${service.url}/?open=${ids.join()}`;

const HOUR_MS = 3_600_000;

const HOSTILE = '"><script>alert(1)</script>.html';
const first = await ann.finish(talk, config, HOSTILE);

await test('draws a finished edit before and after, with every cut marked', async () => {
	const { text } = await send('GET', opened(first.id));
	assert.equal(text.match(/<svg class="wave"/g)?.length, 2);
	const bars = [...text.matchAll(/<rect class="edit long_silence" x="([\d.]+)"/g)];
	assert.equal(bars.length, LONG_SILENCES.length);
	// 0.4 s stay at the start of every long silence; the drawing is 400 units wide.
	assertNear(Number(bars[0][1]), ((LONG_SILENCES[0][0] + 0.43) / 12.5) * 400, 4, 'first mark');
	assert.match(text, /<title>long silence, 0:02\.\d to 0:03\.\d<\/title>/);
	assert.match(text, new RegExp(`<strong>${LONG_SILENCES.length} long silences \\(2\\.\\d s\\)</strong>`));
	assert.match(text, />long silences<.*>remove noise: off</);
	assert.match(text, /aria-label="Before: [^"<>]+"/);
});

await test('says in plain words how an edit is, and offers the file in its opened row', async () => {
	const { text } = await send('GET', opened(first.id));
	assert.match(text, /<span class="status succeeded" title="SUCCESS">done<\/span>/);
	const link = /<a href="([^"]+)" download>Download<\/a>/.exec(text)?.[1] ?? '';
	assert.equal(decoded(link), playersOf(text)[1]);
	const cuts = JSON.parse(decoded(/data-cuts="([^"]*)"/.exec(text)?.[1] ?? '')) as unknown[];
	assert.equal(cuts.length, LONG_SILENCES.length);
});

await test('shows how loud an edit was and is, and offers its texts to read', async () => {
	await using recognizer = await startRecognizer();
	await using other = await startService(...QUICK, ...recognizer.flags);
	const { id } = await other.ann.finish(talk, { normalize: true, summarize: true }, 'talk.wav');
	const { text } = await send('GET', `${other.url}/?open=${id}`);
	const [, before, after] = />(−[\d.]+) → (−[\d.]+) LUFS</.exec(text) ?? [];
	assert.equal(after, '−16.0');
	assert.notEqual(before, after);
	const link = decoded(/<a href="([^"]+)" target="_blank"[^>]*>Texts</.exec(text)?.[1] ?? '');
	const texts = await send('GET', other.url + link);
	assert.match(texts.headers.get('content-type') ?? '', /^text\/plain/);
	assert.equal(texts.headers.get('cache-control'), 'private, no-store');
	assert.equal(texts.headers.get('x-content-type-options'), 'nosniff');
	assert.match(texts.text, /^\S.*\n\n[^]*Hello\.$/);
	const { text: plain } = await send('GET', opened(first.id));
	assert.doesNotMatch(plain, />Texts<|LUFS<\/strong>/);
});

await test('counts a stretch once where two edits overlap, so that both players go on at the same place', () => {
	const edits = [
		{ kind: 'filler', startSeconds: 1, endSeconds: 2 },
		{ kind: 'stutter', startSeconds: 1.5, endSeconds: 3 },
	];
	assert.equal(cutTimes({ mode: 'cut', edits, tracks: [] }, 9), '[[1,3]]');
	assert.equal(cutTimes({ mode: 'mute', edits, tracks: [] }, 9), '[]');
});

await test('plays the unchanged source and the edited file, and supports ranges', async () => {
	const [source, edited] = playersOf((await send('GET', opened(first.id))).text);
	const before = await send('GET', service.url + source);
	assert.deepEqual(before.bytes, talk);
	const after = await send('GET', service.url + edited);
	assert.deepEqual(after.bytes, first.file);
	const part = await send('GET', service.url + source, { headers: { Range: 'bytes=10-19' } });
	assert.equal(part.status, 206);
	assert.deepEqual(part.bytes, talk.subarray(10, 20));
	// The client's file is named .html; the service must not serve it as a page.
	assert.equal(before.contentType, 'application/octet-stream');
	assert.equal(after.contentType, 'audio/wav');
	for (const { headers } of [before, after]) {
		assert.equal(headers.get('x-content-type-options'), 'nosniff');
		assert.match(headers.get('content-security-policy') ?? '', /sandbox/);
	}
});

await test('reports a loudness that it could not reach in the log and on the page', async () => {
	const { id } = await ann.finish(talk, { remove_noise: false, normalize: true, target_lufs: -6 });
	const note = /about -[\d.]+ LUFS instead of -6: the peaks leave no room/;
	assert.match(service.logOf(id).join('\n'), note);
	assert.match((await send('GET', opened(id))).text, note);
	await ann.call('DELETE', `/v2/edits/${id}`);
});

await test('a player link opens only its own file', async () => {
	const [source] = playersOf((await send('GET', opened(first.id))).text);
	const [path, query] = source.split('?');
	for (const other of [
		path,
		`${path}?${query.replace(/.$/, 'x')}`,
		`${path.replace('source-1', 'edited')}?${query}`,
		`${path.replace('/play/', '/downloads/')}?${query}`,
	]) {
		assert.equal((await send('GET', service.url + other)).status, 403, other);
	}
});

await test('refuses the page under a foreign host name', async () => {
	const { port, host } = new URL(service.url);
	for (const name of ['rebound.example', `rebound.example:${port}`, '10.0.0.1', `127.0.0.1:1`]) {
		const { status, text } = await pageUnder(name);
		assert.equal(status, 403, name);
		assert.ok(!text.includes(first.id), name);
	}
	for (const name of [host, `localhost:${port}`, `[::1]:${port}`]) {
		const { status, text } = await pageUnder(name);
		assert.equal(status, 200, name);
		assert.equal(playersOf(text).length, 2);
	}
});

await test('shows no players to other machines unless allowed', async () => {
	for (const [flags, players] of [
		[[], 0],
		[['--public-players'], 2],
	] as const) {
		await using open = await startServiceForOthers(...QUICK, ...flags);
		const url = open.url.replace('0.0.0.0', '127.0.0.1');
		const { id } = await open.ann.finish(talk, config);
		const { text } = await send('GET', `${url}/?open=${id}`, {
			headers: { 'X-API-Key': open.ann.key },
		});
		assert.equal(playersOf(text).length, players);
	}
});

await test("asks other machines for a key and shows only that key's edits", async () => {
	await using open = await startServiceForOthers(...QUICK);
	const url = open.url.replace('0.0.0.0', '127.0.0.1');
	const { task_id: id } = await open.ann.run(Buffer.alloc(0), config);
	const pageFor = (key: string) =>
		send('GET', url, { headers: { Authorization: `Basic ${btoa(`any:${key}`)}` } });
	for (const refused of [send('GET', url), pageFor('wrong'), pageFor('')]) {
		const { status, text, headers } = await refused;
		assert.equal(status, 401);
		assert.ok(!text.includes(id));
		assert.match(headers.get('www-authenticate') ?? '', /^Basic/);
	}
	assert.ok((await pageFor(open.ann.key)).text.includes(id));
	const others = await pageFor(open.bob.key);
	assert.equal(others.status, 200);
	assert.ok(!others.text.includes(id));
	await using shown = await startServiceForOthers(...QUICK, '--public-page');
	assert.equal((await send('GET', shown.url.replace('0.0.0.0', '127.0.0.1'))).status, 200);
});

await test('deleting an edit removes it from the page and ends its player links', async () => {
	const { id } = await ann.finish(talk, config);
	const [source] = playersOf((await send('GET', opened(id))).text);
	assert.equal((await send('GET', service.url + source)).status, 200);
	await ann.call('DELETE', `/v2/edits/${id}`);
	assert.equal((await send('GET', service.url + source)).status, 404);
	assert.ok(!(await send('GET', service.url)).text.includes(id));
});

await test('draws a card once, until it changes or its links grow old', async () => {
	await using other = await startService(...QUICK);
	const { id } = await other.ann.finish(talk, config);
	// Its links last for two of these periods; a new one must not begin meanwhile.
	other.clock.advance(HOUR_MS - (other.clock.timeOfDay() % HOUR_MS));
	const url = `${other.url}/?open=${id}`;
	const before = (await send('GET', url)).text;
	assert.equal(before.match(/<svg class="wave"/g)?.length, 2);
	const results = join(other.storage, 'edits', id, 'result');
	for (const name of await readdir(results)) {
		if (name.endsWith('.json')) await rm(join(results, name));
	}
	const again = (await send('GET', url)).text;
	const cardIn = (text: string) => /<article [^]*<\/article>/.exec(text)?.[0];
	assert.equal(cardIn(again), cardIn(before));
	// With its folder gone, a newly drawn card has no waveforms.
	other.clock.advance(HOUR_MS);
	const later = (await send('GET', url)).text;
	assert.doesNotMatch(later, /<svg class="wave"/);
	assert.notEqual(cardIn(later), cardIn(before));
});

await test('a second service on the port says what runs there, and what to do', async () => {
	const { port } = new URL(service.url);
	await assert.rejects(startService('--port', port), /already runs at.*another --port/s);
	await using elsewhere = await startOutsideServer((_visit, response) => response.end('hello'));
	const taken = startService('--port', new URL(elsewhere.url).port);
	await assert.rejects(taken, /Another program uses port \d+.*another --port/s);
});
