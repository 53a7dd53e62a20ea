import assert from 'node:assert/strict';
import { test } from 'node:test';

import { send } from '../../testkit/service/client.mts';
import { SILENCES as config, talk } from '../../testkit/service/recordings.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

/** The page with the rows of these edits open. */
const opened = (...ids: readonly string[]) => `${service.url}/?open=${ids.join()}`;

function decoded(attribute: string): string {
	return attribute.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

const at = async (url: string) => (await send('GET', url)).text.replaceAll('&#61;', '=');

const idsIn = (text: string) =>
	[...text.matchAll(/<article id="edit-([^"]+)"/g)].map(([, id]) => id);

const wordsOf = (text: string) =>
	decoded(/<p id="facts">[^]*?<\/p>/.exec(text)?.[0].replace(/<[^>]*>/g, '') ?? '');

await test('shows a row of each edit, and a player only where a row is opened', async () => {
	const other = await ann.finish(talk, config);
	const { id } = await ann.finish(talk, config);
	const closed = await at(service.url);
	assert.doesNotMatch(closed, /<audio|<svg|class="card"/);
	assert.match(closed, />0:12\.5 → 0:10\.\d</);
	assert.match(closed, new RegExp(`id="row-${id}" href="/\\?open=${id}#edit-${id}"`));
	const both = await at(opened(other.id, 'unknown', id));
	assert.equal(both.match(/class="card"/g)?.length, 2);
	assert.equal(both.match(/aria-expanded="true"/g)?.length, 2);
	// The link of an open row closes it, and leaves the others.
	assert.match(both, new RegExp(`id="row-${id}" href="/\\?open=${other.id}%2Cunknown#edit-${id}"`));
	const many = Array.from({ length: 9 }, (_, place) => `e-${place}`);
	const next = `href="/\\?open=${['e-5', 'e-6', 'e-7', 'e-8', id].join('%2C')}#edit-`;
	assert.match(await at(opened(...many)), new RegExp(next));
});

await test('shows 50 edits a page, the newest first, and true totals with a link to each state', async () => {
	await using other = await startService(...QUICK);
	const failed = await other.ann.run(Buffer.alloc(0), config);
	const { id: done } = await other.ann.finish(talk, config);
	for (let count = 0; count < 50; count++) await other.ann.run(Buffer.alloc(0), config);
	const page = (query: string) => at(`${other.url}/${query}`);
	const newest = await page('');
	assert.equal(idsIn(newest).length, 50);
	assert.equal(wordsOf(newest), '52 edits: 1 done, 51 failed');
	assert.match(newest, /Page 1 of 2 · <a id="older" href="\/\?page=2">Older edits<\/a>/);
	const second = await page('?page=2');
	assert.deepEqual(idsIn(second), [done, failed.task_id]);
	assert.match(second, /<a id="newer" href="\/">Newer edits<\/a> · Page 2 of 2</);
	assert.deepEqual(idsIn(await page('?state=succeeded')), [done]);
	assert.match(await page('?state=succeeded'), /aria-current="page">1 done</);
	assert.equal(idsIn(await page('?state=failed&page=2')).length, 1);
	for (const query of [
		'?page=9999999999',
		'?page=0',
		'?page=x&state=y&q=1&q=2',
		'?page=3',
		'?state=review',
	])
		assert.equal((await send('GET', `${other.url}/${query}`)).status, 200);
	assert.match(await page('?page=3'), /No edits here/);
});

await test('finds edits by file name, with true totals, in a state and on a page', async () => {
	await using other = await startService(...QUICK);
	const page = (query: string) => at(`${other.url}/?${query}`);
	assert.match(await page(''), /No edits yet/);
	const { id: done } = await other.ann.finish(talk, config, 'Gespräch & Äpfel 100%.wav');
	const { task_id: failed } = await other.ann.run(Buffer.alloc(0), config, 'gespräch 2.wav');
	for (let count = 0; count < 50; count++) await other.ann.run(Buffer.alloc(0), config, 'talk.wav');
	const found = await page('q=GESPR%C3%84CH');
	assert.deepEqual(idsIn(found), [failed, done]);
	assert.equal(wordsOf(found), '2 edits with “GESPRÄCH” in a file name: 1 done, 1 failed');
	assert.match(found, /<input type="search" name="q" value="GESPRÄCH"/);
	assert.match(found, /<a id="failed" href="\/\?q=GESPR%C3%84CH&#38;state=failed">/);
	const inState = await page('q=gespr&state=failed');
	assert.deepEqual(idsIn(inState), [failed]);
	assert.match(inState, /<input type="hidden" name="state" value="failed">/);
	assert.deepEqual(idsIn(await page('q=100%25&state=succeeded')), [done]);
	const many = await page('q=talk');
	assert.equal(idsIn(many).length, 50);
	assert.equal(wordsOf(many), '50 edits with “talk” in a file name: 50 failed');
	assert.doesNotMatch(many, /Older edits/);
	assert.match(await page('q=wav'), /href="\/\?q=wav&#38;page=2">Older edits/);
	const none = await page(`q=${encodeURIComponent('<script>"&%_\0')}&state=review`);
	assert.match(decoded(wordsOf(none)), /^0 edits with “<script>"&%_/);
	assert.doesNotMatch(none, /value="<|“<script>/);
	const long = await page(`q=${'x'.repeat(10_000)}`);
	assert.match(long, new RegExp(`value="x{200}"`));
	const { headers } = await send('GET', other.url);
	const policy = headers.get('content-security-policy') ?? '';
	assert.match(policy, /form-action 'self'/);
	assert.match(policy, /default-src 'none'/);
});
