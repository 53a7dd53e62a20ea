/**
 * The recipes that begin with Zoom, WhatsApp, an app or a feed, as imported, with stand-ins that follow the hosts' API
 * pages. Only what the feed's trigger finds is given.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { eventually } from '../testkit/time/eventually.mts';
import { TALK_WAV, assertEditedTalk, publishRecording, talkAsVoiceNote } from './support/audio.mts';
import { startMails } from './support/outside/mails.mts';
import { runWith, startOutside } from './support/outside/outside.mts';
import { WhatsApp } from './support/outside/whatsApp.mts';
import { failureOf } from './support/outputs.mts';
import { firstExecution } from './support/pages/form.mts';
import { headerAuth, inNodes } from './support/publishing/publisher.mts';
import { jsonOf, startStandIn } from './support/standIn.mts';

const outside = await startOutside();
const { sandbox, editor, n8n } = outside;
const { smtp, mailAbout } = await startMails(outside);

const WORDS = /Podcasts are made of words/;

const NO_RECORDING = Buffer.from('no recording');

function testZoom(): void {
	test('zoom-recording answers the check of its address, and mails the transcript', async () => {
		const auth = await headerAuth(outside, 'x-zoom', 'shared');
		const secret = { hmacSecret: 'token of zoom' };
		const crypto = await editor.createCredential('Zoom', secret, 'crypto');
		const url = await startStandIn(sandbox, ({ path, headers }) =>
			headers.authorization === 'Bearer download token'
				? { body: path === '/good' ? TALK_WAV : NO_RECORDING }
				: { status: 401 },
		);
		const workflow = await outside.importedWith(
			'zoom-recording.json',
			{},
			{
				...inNodes(['Zoom has a recording'], auth),
				...inNodes(['Sign the token'], { crypto }),
				...inNodes(['Send the transcript', 'Send the reason'], { smtp }),
			},
		);
		const id = await editor.published(workflow);
		const hook = `${n8n.url}/webhook/zoom`;
		const send = async (body: object) => {
			const headers = { 'content-type': 'application/json', 'x-zoom': 'shared' };
			return await fetch(hook, { method: 'POST', headers, body: JSON.stringify(body) });
		};
		const plainToken = 'plain';
		const check = { event: 'endpoint.url_validation', payload: { plainToken } };
		const encryptedToken = createHmac('sha256', 'token of zoom').update(plainToken).digest('hex');
		assert.deepEqual(await (await send(check)).json(), { plainToken, encryptedToken });
		const files = ['good', 'bad'].map((name) => ({
			id: name,
			recording_type: 'audio_only',
			download_url: `${url}/${name}`,
		}));
		const video = { id: 'v', recording_type: 'shared_screen', download_url: `${url}/video` };
		const object = { topic: 'Weekly', recording_files: [...files, video] };
		const event = { event: 'recording.completed', payload: { object } };
		assert.equal((await send({ ...event, download_token: 'download token' })).status, 200);
		const started = await eventually('Zoom was heard', async () => {
			const executions = await editor.executionsOf(id);
			return executions.length === 2 ? executions[0].id : undefined;
		});
		const execution = await editor.reached(started);
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.match(mailAbout('Recording: Weekly'), /words.*Transcript.*Podcasts are made of words/);
		assert.match(mailAbout('No transcript: Weekly'), /not an audio or video file.*\. \w/);
	});
}

function testWhatsApp(): void {
	test('whatsapp-voice answers each voice message with its words, or the reason', async () => {
		const voices = new Map([
			['good', await talkAsVoiceNote()],
			['bad', NO_RECORDING],
		]);
		const host = new WhatsApp(voices);
		outside.answerFor(host.answer, 'graph.facebook.com', 'lookaside.fbsbx.com');
		const app = await editor.createCredential('App', WhatsApp.app, 'whatsAppTriggerApi');
		const login = { accessToken: 'token', businessAccountId: '1' };
		const whatsAppApi = await editor.createCredential('WhatsApp', login, 'whatsAppApi');
		const sending = ['Get the link', 'Download', 'Reply', 'Reply with the reason'];
		const workflow = await outside.importedWith(
			'whatsapp-voice.json',
			{},
			{
				...inNodes(['A message arrives'], { whatsAppTriggerApi: app }),
				...inNodes(sending, { whatsAppApi }),
			},
		);
		const id = await editor.published(workflow);
		const voice = (name: string) => ({
			id: `m-${name}`,
			from: '4917012345678',
			type: 'audio',
			audio: { id: name },
		});
		const text = { id: 'm-t', from: '4917012345678', type: 'text', text: { body: 'Hi' } };
		assert.equal(await host.say([voice('good'), text, voice('bad')]), 200);
		const execution = await firstExecution(editor, id);
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.equal(host.replies.length, 2);
		assert.match(String(host.replies.find((reply) => WORDS.test(reply))), WORDS);
		assert.match(host.replies.join('\n'), /not an audio or video file.*\. \w/);
	});
}

function testWebhook(): void {
	test('webhook-to-link posts a link for each file, or the reason', async () => {
		const results: Record<string, unknown>[] = [];
		const app = await startStandIn(sandbox, (asked) => {
			results.push(jsonOf(asked));
			return {};
		});
		const auth = await headerAuth(outside, 'x-app', 'shared');
		const url = `${app}/edited`;
		const changes = Object.fromEntries(
			['Send the link', 'Send the reason'].map((name) => [name, { url }]),
		);
		const others = inNodes(['An app posts files'], auth);
		const id = await editor.published(
			await outside.importedWith('webhook-to-link.json', changes, others),
		);
		const body = new FormData();
		body.set('reference', '42');
		for (const [name, content] of Object.entries({ good: TALK_WAV, bad: NO_RECORDING })) {
			body.set(name, new Blob([new Uint8Array(content)], { type: 'audio/wav' }), `${name}.wav`);
		}
		const hook = `${n8n.url}/webhook/edit`;
		assert.equal((await fetch(hook, { method: 'POST', body })).status, 403);
		const sent = await fetch(hook, { method: 'POST', headers: { 'x-app': 'shared' }, body });
		assert.equal(sent.status, 202);
		const execution = await firstExecution(editor, id);
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.deepEqual(
			results.map(({ reference }) => reference),
			['42', '42'],
		);
		const good = results.find(({ link }) => link !== undefined);
		const link = await fetch(String(good?.['link']));
		await assertEditedTalk(Buffer.from(await link.arrayBuffer()), { isShorter: false });
		const bad = results.find(({ reason }) => reason !== undefined);
		assert.match(String(bad?.['reason']), /^bad\.wav.*not an audio or video file/);
		assert.ok(String(bad?.['advice']).length > 20);
	});
}

function testFeed(): void {
	test('rss-transcripts saves the transcript of each episode', async () => {
		const folder = join(sandbox.home, '.n8n-files', 'transcripts');
		await mkdir(folder, { recursive: true });
		const good = await publishRecording(sandbox);
		const bad = await publishRecording(sandbox, NO_RECORDING, 'bad.wav');
		const workflow = await outside.importedWith('rss-transcripts.json', {}, {});
		const execution = await runWith(outside, workflow, [
			{ title: 'Bread & time', guid: '1', enclosure: { url: good } },
			{ title: 'Broken', guid: '2', enclosure: { url: bad } },
			{ title: 'Only text', guid: '3' },
		]);
		assert.equal(execution.status, 'success', failureOf(execution));
		assert.deepEqual(await readdir(folder), ['Bread-time.txt']);
		assert.match(await readFile(join(folder, 'Bread-time.txt'), 'utf8'), WORDS);
	});
}

// Together, because they spend most of the time waiting.
describe('recipes for other hosts', { concurrency: true }, () => {
	testZoom();
	testWhatsApp();
	testWebhook();
	testFeed();
});
