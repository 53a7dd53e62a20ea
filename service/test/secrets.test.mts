import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { resultOf, send } from '../../testkit/service/client.mts';
import { PLAIN as config, shortRecording } from '../../testkit/service/recordings.mts';
import { reply, startOutsideServer } from '../../testkit/service/servers.mts';
import { ANNS_KEY, BOBS_KEY, QUICK, startService } from '../../testkit/service/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

await using outside = await startOutsideServer(({ url }, response) => {
	reply(response, url.startsWith('/good/') ? 200 : 403, shortRecording);
});

const HOSTILE = `<script>alert("x")</script><img src=x onerror=alert('y')>&amp;.wav`;

// Six edits with secrets in every URL: successful and failing sources and deliveries.
const uploadLink = await ann.uploadLink(HOSTILE);
await send('PUT', uploadLink, { body: shortRecording });
const withQuery = (path: string) =>
	`${outside.url.replace('//', '//user:web@password@')}${path}?token=url-token#url-fragment`;
const inputs = [
	{ files: [uploadLink], config },
	{ files: [uploadLink], config: { ...config, signed_url: withQuery('/good/bucket') } },
	{ files: [uploadLink], config: { ...config, signed_url: withQuery('/bad/bucket') } },
	{ files: [withQuery('/good/talk.wav')], config },
	{ files: [withQuery(`/bad/<b>'bold'</b>/${encodeURIComponent(HOSTILE)}`)], config },
	{ files: [withQuery('/bad/my "best" talk.wav')], config },
];
const edits = await Promise.all(inputs.map(async (input) => ann.ended(await ann.create(input))));
const downloadUrl = resultOf(await ann.edit(edits[0].task_id)).download_url ?? '';
await send('GET', downloadUrl);
await send('PUT', uploadLink.replace(/.$/, 'x'), { body: 'x' });
await ann.call('POST', '/v2/edits', { body: 'nonsense' });

const signatures = [uploadLink, downloadUrl].map(
	(link) => new URL(link).searchParams.get('signature') ?? '',
);
const SECRETS = [
	ANNS_KEY,
	BOBS_KEY,
	'signature',
	'expires=',
	'url-token',
	'url-fragment',
	'password@',
	'user:',
	...signatures,
];

await test('three of the six edits succeed and three fail', () => {
	const succeeded = edits.map(({ status }) => status === 'SUCCESS');
	assert.deepEqual(succeeded, [true, true, false, true, false, false]);
	for (const signature of signatures) assert.match(signature, /^[0-9a-f]{64}$/);
});

await test('the log mentions every edit but no key, signature or token', () => {
	for (const { task_id: id, status } of edits) {
		assert.ok(service.logOf(id).some((line) => line.includes(status)));
	}
	const log = service.log.join('\n');
	for (const secret of SECRETS) assert.ok(!log.includes(secret), secret);
});

/** The page, with each row opened in one of its answers. */
async function openedRows(): Promise<string> {
	const answers = edits.map(({ task_id: id }) => send('GET', `${service.url}/?open=${id}`));
	return (await Promise.all(answers)).map(({ text }) => text).join('\n');
}

await test('the page shows every edit but no key, signature or token', async () => {
	const text = await openedRows();
	for (const { task_id: id } of edits) assert.ok(text.includes(id));
	assert.ok(text.includes('>signed URL<'));
	assert.ok(text.includes('the server answered HTTP 403'));
	// The page's player links are signed; page.test.mts checks that they open nothing else.
	const rest = text.replace(/ (?:src|href)="\/play\/[^"]+"/g, '');
	for (const secret of SECRETS) assert.ok(!rest.includes(secret), secret);
});

await test('the page escapes file names and reasons, and allows only its own script', async () => {
	const { headers } = await send('GET', service.url);
	const text = await openedRows();
	for (const markup of ['<script>alert', '<img', '<b>', "alert('", 'alert("']) {
		assert.ok(!text.includes(markup), markup);
	}
	assert.ok(text.includes('alert(&#39;y&#39;)'));
	assert.ok(text.includes('&#38;amp;.wav'));
	assert.ok(text.includes('/bad/%3Cb%3E&#39;bold&#39;%3C/b%3E/'));
	assert.equal(text.match(/<script/g)?.length, edits.length);
	const policy = headers.get('content-security-policy') ?? '';
	assert.match(policy, /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+';/);
	assert.ok(!policy.includes('unsafe'));
});

await test('the database does not contain API keys', async () => {
	for (const name of ['service.sqlite', 'service.sqlite-wal']) {
		const content = await readFile(join(service.storage, name));
		assert.ok(!content.includes(ANNS_KEY), name);
	}
});
