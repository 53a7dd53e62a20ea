/** The publishing workflows as imported, each against a stand-in that follows its host's API pages. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';

import { DOMParser } from '@xmldom/xmldom';

import { Client } from '../test/service/support/client.mts';
import { startOpenAiServer } from '../test/service/support/openAiServer.mts';
import { H264, codedVideo, videoInfo } from '../test/service/support/video.mts';
import { SPOKEN } from '../test/support/spoken.ts';
import { TALK_WAV, assertEditedTalk, publishRecording, talkAsVoiceNote } from './support/audio.mts';
import type { Execution } from './support/editor.mts';
import { firstExecution, submitForm } from './support/form.mts';
import { startHost } from './support/host.mts';
import { failureOf, itemsOf } from './support/outputs.mts';
import { eventually } from './support/patience.mts';
import { PACKAGE } from './support/places.mts';
import { startBuzzsprout } from './support/standIns/buzzsprout.mts';
import { startDropbox } from './support/standIns/dropbox.mts';
import { startMailServer } from './support/standIns/mailServer.mts';
import { type StoredObject, startS3 } from './support/standIns/s3.mts';
import { startSlack } from './support/standIns/slack.mts';
import { startTelegram } from './support/standIns/telegram.mts';
import { startTransistor } from './support/standIns/transistor.mts';
import { startWordPress } from './support/standIns/wordPress.mts';
import { startYouTube } from './support/standIns/youTube.mts';
import {
	type Changes,
	type OtherCredentials,
	chain,
	importedWorkflow,
	settingsOf,
	withOthers,
} from './support/workflowFiles.mts';

const recogniser = await startOpenAiServer(() => ({ body: SPOKEN }));
const { sandbox, service, editor, credential } = await startHost('publishing', {
	flags: ['--transcription-url', recogniser.url],
	// The workflow that signs a link for S3 needs it.
	env: { NODE_FUNCTION_ALLOW_BUILTIN: 'crypto' },
});
sandbox.onEnd(async () => {
	await recogniser[Symbol.asyncDispose]();
});
const recordingUrl = await publishRecording(sandbox);
const client = new Client(service.url, service.apiKey);

const TITLE = 'Words & "chapters"';

/** Seconds instead of minutes between two looks at the host. */
const QUICKLY: Changes = { 'Wait a minute': { amount: 1, unit: 'seconds' } };

const headerAuth = async (name: string, value: string) => ({
	httpHeaderAuth: await editor.createCredential(name, { name, value }, 'httpHeaderAuth'),
});

const imported = async (file: string, changes: Changes, others: OtherCredentials) =>
	withOthers(await importedWorkflow(file, credential, sandbox.home, changes), others);

/** Submits the form of a publishing workflow. */
async function publish(
	file: string,
	changes: Changes,
	others: OtherCredentials,
	url = recordingUrl,
): Promise<Execution> {
	const workflow = await imported(file, { ...QUICKLY, ...changes }, others);
	return await submitForm(editor, workflow, [url, TITLE]);
}

/** Checks that the execution made one edit, and whether that edit is still at the service. */
async function assertOneEdit(execution: Execution, isKept: boolean): Promise<void> {
	const [item, ...more] = itemsOf(execution, 'Edit Recording');
	assert.equal(more.length, 0);
	// The service shows an edit that is deleted as PENDING.
	const { status } = await client.edit(String(item?.json['editId']));
	assert.equal(status, isKept ? 'SUCCESS' : 'PENDING', failureOf(execution));
}

async function publishOnBuzzsprout(takesFiles: boolean, mostLooks: number) {
	const host = await startBuzzsprout(sandbox, 'buzz', takesFiles);
	const auth = await headerAuth('Authorization', 'Token token=buzz');
	const settings = settingsOf({ apiUrl: `${host.url}/api/1`, private: true, mostLooks });
	const others = { 'Create the episode': auth, 'Look at the episode': auth };
	return { host, execution: await publish('publish-buzzsprout.json', settings, others) };
}

const S3 = { accessKeyId: 'OWN', secretAccessKey: 'secret', region: 'eu-test-1', bucket: 'show' };

const FEED =
	'<?xml version="1.0"?><rss version="2.0"><channel><title>Show</title><item><guid>1</guid></item></channel></rss>';

async function publishInOwnFeed(secretAccessKey: string) {
	const feed = { content: Buffer.from(FEED), type: 'application/rss+xml' };
	const objects = new Map<string, StoredObject>([['feed.xml', feed]]);
	const host = await startS3(sandbox, S3, objects);
	const stamp = "={{ $now.toUTC().toFormat(\"yyyyMMdd'T'HHmmss'Z'\") }}";
	const { accessKeyId, region, bucket } = S3;
	const publicUrl = `${host.url}/public`;
	const endpoint = host.url;
	const settings = settingsOf({ endpoint, region, bucket, accessKeyId, publicUrl, stamp });
	const hmacSecret = `AWS4${secretAccessKey}`;
	const day = { crypto: await editor.createCredential('Day', { hmacSecret }, 'crypto') };
	const data = { ...S3, endpoint, forcePathStyle: true };
	const s3 = { s3: await editor.createCredential('S3', data, 's3') };
	const others = { 'Key of today': day, 'Get the feed': s3, 'Put the files': s3 };
	return { objects, execution: await publish('publish-own-feed.json', settings, others) };
}

async function publishOnWordPress(lostBytes: number) {
	const host = await startWordPress(sandbox, 'anna', lostBytes);
	const data = { username: 'anna', password: 'application password', url: host.url };
	const site = { wordpressApi: await editor.createCredential('Site', data, 'wordpressApi') };
	const settings = settingsOf({ siteUrl: host.url, status: 'draft' });
	const others = { 'Upload the file': site, 'Create the post': site };
	return { host, execution: await publish('publish-wordpress.json', settings, others) };
}

/** Returns a credential that has its token, as after the login at the other service. */
const loggedIn = async (type: string) => {
	const oauthTokenData = { access_token: 'token', token_type: 'Bearer' };
	const data = { clientId: 'id', clientSecret: 'secret', oauthTokenData };
	return { [type]: await editor.createCredential(type, data, type) };
};

async function editDropboxFolder(names: readonly string[], lostBytes: number) {
	const files = new Map(names.map((name) => [`/inbox/${name}`, TALK_WAV]));
	files.set('/inbox/notes.txt', Buffer.from('no recording'));
	files.set('/inbox/broken.wav', Buffer.from('no recording either'));
	const host = await startDropbox(sandbox, 'token', files, lostBytes);
	const urls = { apiUrl: `${host.url}/2`, contentUrl: `${host.url}/2` };
	const settings = settingsOf({ ...urls, inbox: '/inbox', outbox: '/edited' });
	const auth = await loggedIn('dropboxOAuth2Api');
	const nodes = ['List the inbox', 'Get a link', 'Put into the outbox'];
	const others = Object.fromEntries(nodes.map((name) => [name, auth]));
	const id = await editor.createWorkflow(await imported('dropbox-folder.json', settings, others));
	const run = async () => await editor.reached(await editor.run(id, 'Every 15 minutes'));
	return { files, run };
}

const videoUrl = await publishRecording(
	sandbox,
	await codedVideo({ fileName: 'v.mp4', phrases: 4, frameRate: '25', codecArguments: H264 }),
	'episode-12.mp4',
);

async function publishOnYouTube(finalStatus: string) {
	const host = await startYouTube(sandbox, 'token', finalStatus);
	const settings = settingsOf({ apiUrl: host.url, privacyStatus: 'unlisted', mostLooks: 9 });
	const auth = await loggedIn('youTubeOAuth2Api');
	const nodes = ['Start the upload', 'Send the video', 'Look at the video'];
	const others = Object.fromEntries(nodes.map((name) => [name, auth]));
	return { host, execution: await publish('publish-youtube.json', settings, others, videoUrl) };
}

/** Runs a workflow that fails, with the failure report as its error workflow. */
async function failWithReport(channel: string) {
	const slack = await startSlack(sandbox, 'xoxb', '#podcast');
	const { port, mails } = await startMailServer(sandbox);
	const mail = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	const addresses = { mailFrom: 'n8n@example.com', mailTo: 'me@example.com' };
	const settings = settingsOf({ apiUrl: `${slack.url}/api`, channel, ...addresses });
	const report = await imported('failure-report.json', settings, {
		'Post to Slack': {
			slackApi: await editor.createCredential('Slack', { accessToken: 'xoxb' }, 'slackApi'),
		},
		'Send a mail': { smtp: await editor.createCredential('Mail', mail, 'smtp') },
	});
	const errorWorkflow = await editor.createWorkflow(report);
	await editor.publish(errorWorkflow);
	const path = randomUUID();
	const parameters = { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} };
	const failing = chain('Nightly show', credential, [
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: path,
			parameters,
		},
		{
			name: 'Edit Recording',
			type: `${PACKAGE}.editRecording`,
			typeVersion: 2,
			parameters: { recordingFrom: 'url', fileUrls: 'http://127.0.0.1:9/gone.wav' },
		},
	]);
	const withReport = { ...failing, settings: { ...failing.settings, errorWorkflow } };
	const id = await editor.createWorkflow(withReport);
	await editor.publish(id);
	await fetch(`${editor.url}/webhook/${path}`, { method: 'POST' });
	const execution = await firstExecution(editor, errorWorkflow);
	assert.equal(execution.status, 'success', failureOf(execution));
	return { slack, mails };
}

const REPORTED =
	/"Nightly show" failed at "Edit Recording".*gone\.wav.*\/executions\/\d+.*Credit left: 1000/s;

describe('the publishing workflows', { concurrency: true }, () => {
	test('publish-buzzsprout deletes the edit after Buzzsprout has the file', async () => {
		const { host, execution } = await publishOnBuzzsprout(true, 9);
		assert.equal(execution.status, 'success', failureOf(execution));
		const [episode, ...more] = host.episodes;
		assert.equal(more.length, 0);
		assert.equal(episode?.sent['title'], TITLE);
		assert.match(String(episode.sent['description']), /<h\d>/);
		assert.equal(episode.sent['private'], true);
		await assertEditedTalk(episode.content ?? Buffer.of());
		await assertOneEdit(execution, false);
	});

	test('publish-buzzsprout keeps the edit if Buzzsprout never takes the file', async () => {
		const { host, execution } = await publishOnBuzzsprout(false, 2);
		assert.match(failureOf(execution), /error at Not taken.*The edit is not deleted/s);
		assert.equal(host.episodes.length, 1);
		await assertOneEdit(execution, true);
	});

	test('publish-transistor publishes after Transistor has processed the file', async () => {
		const host = await startTransistor(sandbox, 'transistor');
		const auth = await headerAuth('x-api-key', 'transistor');
		const apiUrl = `${host.url}/v1`;
		const settings = settingsOf({ apiUrl, showId: '132543', status: 'published', mostLooks: 9 });
		const nodes = ['Create the episode', 'Look at the episode', 'Publish'];
		const others = Object.fromEntries(nodes.map((name) => [name, auth]));
		const execution = await publish('publish-transistor.json', settings, others);
		assert.equal(execution.status, 'success', failureOf(execution));
		const [episode, ...more] = host.episodes;
		assert.equal(more.length, 0);
		assert.equal(episode?.status, 'published');
		assert.equal(episode.sent['show_id'], '132543');
		assert.match(String(episode.sent['transcript_text']), /Podcasts are made of words/);
		await assertEditedTalk(episode.content ?? Buffer.of());
		await assertOneEdit(execution, false);
	});

	test('publish-own-feed delivers to the bucket and adds the episode to the feed', async () => {
		const { objects, execution } = await publishInOwnFeed(S3.secretAccessKey);
		assert.equal(execution.status, 'success', failureOf(execution));
		const [, mp3 = '', ...texts] = [...objects.keys()];
		const base = mp3.replace(/\.mp3$/, '');
		assert.match(base, /^episodes\/\d{8}T\d{6}Z-words-chapters$/);
		assert.deepEqual(texts, [`${base}.vtt`, `${base}-chapters.json`]);
		const audio = objects.get(mp3)?.content ?? Buffer.of();
		await assertEditedTalk(audio);
		const feed = new DOMParser().parseFromString(
			objects.get('feed.xml')?.content.toString() ?? '',
			'application/xml',
		);
		const [item, older, ...more] = feed.getElementsByTagName('item');
		assert.equal(more.length, 0);
		assert.equal(older?.textContent, '1');
		assert.equal(item?.getElementsByTagName('title').item(0)?.textContent, TITLE);
		const enclosure = item.getElementsByTagName('enclosure').item(0);
		assert.equal(enclosure?.getAttribute('length'), String(audio.length));
		assert.match(enclosure.getAttribute('url') ?? '', new RegExp(`/public/${mp3}$`));
		await assertOneEdit(execution, false);
	});

	test('publish-own-feed leaves the feed unchanged if nothing is delivered', async () => {
		const { objects, execution } = await publishInOwnFeed('wrong');
		assert.match(failureOf(execution), /error at Edit Recording/);
		assert.deepEqual([...objects.keys()], ['feed.xml']);
		assert.equal(objects.get('feed.xml')?.content.toString(), FEED);
	});

	test('publish-wordpress creates a post with player, show notes and transcript', async () => {
		const { host, execution } = await publishOnWordPress(0);
		assert.equal(execution.status, 'success', failureOf(execution));
		const [file, ...moreFiles] = host.files;
		const [post, ...morePosts] = host.posts;
		assert.equal(moreFiles.length + morePosts.length, 0);
		assert.equal(file?.name, 'episode-12-edited.mp3');
		await assertEditedTalk(file.content);
		assert.equal(post?.['title'], TITLE);
		assert.equal(post['status'], 'draft');
		const content = String(post['content']);
		assert.match(content, /<!-- wp:audio {"id":6} -->\n<figure.*episode-12-edited\.mp3"/);
		assert.match(content, /<h2>Chapters<\/h2>.*<h2>Transcript<\/h2>\n<p>.*Podcasts are made of/s);
		await assertOneEdit(execution, false);
	});

	test('publish-wordpress keeps the edit if WordPress has half a file', async () => {
		const { host, execution } = await publishOnWordPress(1_000);
		assert.match(failureOf(execution), /error at Not whole.*The edit is not deleted/s);
		assert.equal(host.posts.length, 0);
		await assertOneEdit(execution, true);
	});

	test('failure-report posts to Slack', async () => {
		const { slack, mails } = await failWithReport('#podcast');
		assert.equal(slack.messages.length, 1);
		assert.match(slack.messages[0]?.text ?? '', REPORTED);
		assert.deepEqual(mails, []);
	});

	test('failure-report sends a mail if Slack takes no message', async () => {
		const { slack, mails } = await failWithReport('#gone');
		assert.deepEqual(slack.messages, []);
		assert.equal(mails.length, 1);
		const [head = '', ...text] = mails[0]?.split('\n\n') ?? [];
		assert.match(head, /^Subject: Failed: Nightly show$/m);
		assert.match(text.join('\n').replaceAll('=\n', ''), REPORTED);
	});

	test('telegram-voice-note sends the note back, and edits it once', async () => {
		const host = await startTelegram(sandbox, '1:token', talkAsVoiceNote());
		const bot = { accessToken: '1:token', baseUrl: host.url };
		const auth = { telegramApi: await editor.createCredential('Bot', bot, 'telegramApi') };
		const nodes = ['A message arrives', 'Get the voice note', 'Send it back'];
		const others = Object.fromEntries(nodes.map((name) => [name, auth]));
		const workflow = await imported('telegram-voice-note.json', {}, others);
		const id = await editor.createWorkflow(workflow);
		await editor.publish(id);
		assert.equal(await host.say('note'), 200);
		const execution = await firstExecution(editor, id);
		assert.equal(execution.status, 'success', failureOf(execution));
		const [audio] = host.sent;
		assert.equal(audio?.chatId, '42');
		assert.equal(audio.name, 'cleaned.mp3');
		await assertEditedTalk(audio.content, { isShorter: false });
		await assertOneEdit(execution, false);
		assert.equal(await host.say('note'), 200);
		const again = await eventually('the second message has been read', async () => {
			const [second, ...before] = await editor.executionsOf(id);
			return before.length === 1 ? second?.id : undefined;
		});
		const second = await editor.reached(again);
		assert.equal(itemsOf(second, 'Edit Recording', 1).length, 1, failureOf(second));
		assert.equal(host.sent.length, 1);
	});

	test('dropbox-folder puts each recording into the outbox, and edits it once', async () => {
		const { files, run } = await editDropboxFolder(['Fölge 1.wav'], 0);
		const first = await run();
		assert.equal(first.status, 'success', failureOf(first));
		await assertEditedTalk(files.get('/edited/Fölge 1-edited.mp3') ?? Buffer.of());
		assert.equal(files.size, 4);
		await assertOneEdit(first, false);
		assert.equal(itemsOf(first, 'What could not be edited').length, 1);
		const second = await run();
		assert.equal(second.status, 'success', failureOf(second));
		assert.equal(itemsOf(second, 'Edit Recording').length, 0);
		assert.equal(files.size, 4);
	});

	test('dropbox-folder keeps the edit if Dropbox has half a file', async () => {
		const { run } = await editDropboxFolder(['one.wav'], 1_000);
		const execution = await run();
		assert.match(failureOf(execution), /error at Not whole.*The edit is not deleted/s);
		await assertOneEdit(execution, true);
	});

	test('publish-youtube deletes the edit after YouTube has processed the video', async () => {
		const { host, execution } = await publishOnYouTube('processed');
		assert.equal(execution.status, 'success', failureOf(execution));
		const [video, ...more] = host.videos;
		assert.equal(more.length, 0);
		assert.deepEqual(video?.sent['status'], { privacyStatus: 'unlisted' });
		assert.equal(video.sent['snippet']?.['title'], TITLE);
		assert.match(String(video.sent['snippet']['description']), /Podcasts are made of words/);
		const { picture } = await videoInfo(video.content ?? Buffer.of());
		assert.equal(picture.codec_name, 'h264');
		await assertOneEdit(execution, false);
	});

	test('publish-youtube keeps the edit if YouTube rejects the video', async () => {
		const { execution } = await publishOnYouTube('rejected');
		assert.match(failureOf(execution), /error at Not published.*rejected.*not deleted/s);
		await assertOneEdit(execution, true);
	});
});
