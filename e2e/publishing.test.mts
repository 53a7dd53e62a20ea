/** The publishing workflows as imported, each against a stand-in that follows its host's API pages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { DOMParser, type Document } from '@xmldom/xmldom';

import { videoInfo } from '../test/service/support/video.mts';
import { assertEditedTalk, talkAsVoiceNote } from './support/audio.mts';
import { firstExecution } from './support/pages/form.mts';
import { failureOf, itemsOf, onlyOne, textOf } from './support/outputs.mts';
import { eventually } from '../test/support/eventually.mts';
import { failWithReport } from './support/publishing/failingWorkflow.mts';
import {
	FEED,
	S3,
	dropboxWith,
	publishInOwnFeed,
	publishOnBuzzsprout,
	publishOnTransistor,
	publishOnWordPress,
	publishOnYouTube,
} from './support/publishing/hosts.mts';
import { TITLE, inNodes, startPublisher } from './support/publishing/publisher.mts';
import { startTelegram } from './support/standIns/telegram.mts';

const publisher = await startPublisher();
const { sandbox, editor, assertOneEdit } = publisher;

const REPORTED =
	/"Nightly show" failed at "Audio Editing".*gone\.wav.*\/executions\/\d+.*Credit left: 1000/s;

/** Returns the texts of all elements with this name, in their order. */
function textsOf(document: Document, name: string): (string | null)[] {
	return [...document.getElementsByTagName(name)].map(({ textContent }) => textContent);
}

function testBuzzsprout(): void {
	test('publish-buzzsprout deletes the edit after Buzzsprout has the file', async () => {
		const { host, execution } = await publishOnBuzzsprout(publisher);
		assert.equal(execution.status, 'success', failureOf(execution));
		const episode = onlyOne(host.episodes);
		assert.equal(episode.sent['title'], TITLE);
		assert.match(String(episode.sent['description']), /<h\d>/);
		assert.equal(episode.sent['private'], true);
		await assertEditedTalk(episode.content ?? Buffer.of());
		await assertOneEdit(execution, false);
	});

	test('publish-buzzsprout keeps the edit if Buzzsprout never takes the file', async () => {
		const { host, execution } = await publishOnBuzzsprout(publisher, { takesFiles: false });
		assert.match(failureOf(execution), /error at Not accepted.*The edit is not deleted/s);
		assert.equal(host.episodes.length, 1);
		await assertOneEdit(execution, true);
	});

	test('publish-buzzsprout goes on with the same edit when it is retried', async () => {
		const { host, execution } = await publishOnBuzzsprout(publisher, { isDownAtFirst: true });
		assert.match(failureOf(execution), /error at Create the episode/);
		await assertOneEdit(execution, true);
		const again = await editor.retry(execution.id);
		assert.equal(again.status, 'success', failureOf(again));
		const [before, after] = [execution, again].map((one) =>
			textOf(onlyOne(itemsOf(one, 'Audio Editing')), 'editId'),
		);
		assert.equal(after, before);
		await assertEditedTalk(onlyOne(host.episodes).content ?? Buffer.of());
		await assertOneEdit(again, false);
	});
}

function testOtherHosts(): void {
	test('publish-transistor publishes after Transistor has processed the file', async () => {
		const { host, execution } = await publishOnTransistor(publisher);
		assert.equal(execution.status, 'success', failureOf(execution));
		const episode = onlyOne(host.episodes);
		assert.equal(episode.status, 'published');
		assert.equal(episode.sent['show_id'], '132543');
		assert.match(String(episode.sent['transcript_text']), /Podcasts are made of words/);
		await assertEditedTalk(episode.content ?? Buffer.of());
		await assertOneEdit(execution, false);
	});

	test('publish-wordpress creates a post with player, show notes and transcript', async () => {
		const { host, execution } = await publishOnWordPress(publisher, 0);
		assert.equal(execution.status, 'success', failureOf(execution));
		const file = onlyOne(host.files);
		const post = onlyOne(host.posts);
		assert.equal(file.name, 'episode-12-edited.mp3');
		await assertEditedTalk(file.content);
		assert.equal(post['title'], TITLE);
		assert.equal(post['status'], 'draft');
		const content = String(post['content']);
		assert.match(content, /<!-- wp:audio {"id":6} -->\n<figure.*episode-12-edited\.mp3"/);
		assert.match(content, /<h2>Chapters<\/h2>.*<h2>Transcript<\/h2>\n<p>.*Podcasts are made of/s);
		await assertOneEdit(execution, false);
	});

	test('publish-wordpress keeps the edit if WordPress has half a file', async () => {
		const { host, execution } = await publishOnWordPress(publisher, 1_000);
		assert.match(failureOf(execution), /error at Incomplete.*The edit is not deleted/s);
		assert.equal(host.posts.length, 0);
		await assertOneEdit(execution, true);
	});
}

function testFeed(): void {
	test('publish-own-feed delivers to the bucket and adds the episode to the feed', async () => {
		const { objects, execution } = await publishInOwnFeed(publisher, S3.secretAccessKey);
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
		assert.deepEqual(textsOf(feed, 'guid'), [
			textOf(itemsOf(execution, 'Audio Editing')[0], 'editId'),
			'1',
		]);
		assert.deepEqual(textsOf(feed, 'title'), ['Show', TITLE]);
		const enclosure = onlyOne([...feed.getElementsByTagName('enclosure')]);
		assert.equal(enclosure.getAttribute('length'), String(audio.length));
		assert.match(enclosure.getAttribute('url') ?? '', new RegExp(`/public/${mp3}$`));
		await assertOneEdit(execution, false);
	});

	test('publish-own-feed leaves the feed unchanged if nothing is delivered', async () => {
		const { objects, execution } = await publishInOwnFeed(publisher, 'wrong');
		assert.match(failureOf(execution), /error at Audio Editing/);
		assert.deepEqual([...objects.keys()], ['feed.xml']);
		assert.equal(objects.get('feed.xml')?.content.toString(), FEED);
	});
}

function testVideosAndFolders(): void {
	test('dropbox-folder puts each recording into the outbox, and edits it once', async () => {
		const { files, run } = await dropboxWith(publisher, ['Fölge 1.wav'], 0);
		const first = await run();
		assert.equal(first.status, 'success', failureOf(first));
		await assertEditedTalk(files.get('/edited/Fölge 1-edited.mp3') ?? Buffer.of());
		assert.equal(files.size, 4);
		await assertOneEdit(first, false);
		assert.equal(itemsOf(first, 'What could not be edited').length, 1);
		const second = await run();
		assert.equal(second.status, 'success', failureOf(second));
		assert.equal(itemsOf(second, 'Audio Editing').length, 0);
		assert.equal(files.size, 4);
	});

	test('dropbox-folder keeps the edit if Dropbox has half a file', async () => {
		const { run } = await dropboxWith(publisher, ['one.wav'], 1_000);
		const execution = await run();
		assert.match(failureOf(execution), /error at Incomplete.*The edit is not deleted/s);
		await assertOneEdit(execution, true);
	});

	test('publish-youtube deletes the edit after YouTube has processed the video', async () => {
		const { host, execution } = await publishOnYouTube(publisher, 'processed');
		assert.equal(execution.status, 'success', failureOf(execution));
		const video = onlyOne(host.videos);
		assert.deepEqual(video.sent['status'], { privacyStatus: 'unlisted' });
		assert.equal(video.sent['snippet']['title'], TITLE);
		assert.match(String(video.sent['snippet']['description']), /Podcasts are made of words/);
		const { picture } = await videoInfo(video.content ?? Buffer.of());
		assert.equal(picture.codec_name, 'h264');
		await assertOneEdit(execution, false);
	});

	test('publish-youtube keeps the edit if YouTube rejects the video', async () => {
		const { execution } = await publishOnYouTube(publisher, 'rejected');
		assert.match(failureOf(execution), /error at Not published.*rejected.*not deleted/s);
		await assertOneEdit(execution, true);
	});
}

function testMessages(): void {
	test('failure-report posts to Slack', async () => {
		const { slack, mails } = await failWithReport(publisher, '#podcast');
		assert.match(onlyOne(slack.messages).text, REPORTED);
		assert.deepEqual(mails, []);
	});

	test('failure-report sends a mail if Slack takes no message', async () => {
		const { slack, mails } = await failWithReport(publisher, '#gone');
		assert.deepEqual(slack.messages, []);
		const [head, ...text] = onlyOne(mails).split('\n\n');
		assert.match(head, /^Subject: Failed: Nightly show$/m);
		assert.match(text.join('\n').replaceAll('=\n', ''), REPORTED);
	});

	test('telegram-voice-note sends the note back, and edits it once', async () => {
		const host = await startTelegram(sandbox, '1:token', talkAsVoiceNote());
		const bot = { accessToken: '1:token', baseUrl: host.url };
		const auth = { telegramApi: await editor.createCredential('Bot', bot, 'telegramApi') };
		const nodes = ['A message arrives', 'Get the voice note', 'Send it back'];
		const others = inNodes(nodes, auth);
		const workflow = await publisher.importedWith('telegram-voice-note.json', {}, others);
		const id = await editor.createWorkflow(workflow);
		await editor.publish(id);
		assert.equal(await host.say('note'), 200);
		const execution = await firstExecution(editor, id);
		assert.equal(execution.status, 'success', failureOf(execution));
		const audio = onlyOne(host.sent);
		assert.equal(audio.chatId, '42');
		assert.equal(audio.name, 'cleaned.mp3');
		await assertEditedTalk(audio.content, { isShorter: false });
		await assertOneEdit(execution, false);
		assert.equal(await host.say('note'), 200);
		const again = await eventually('the second message has been read', async () => {
			const [second, ...before] = await editor.executionsOf(id);
			return before.length === 1 ? second.id : undefined;
		});
		const second = await editor.reached(again);
		assert.equal(itemsOf(second, 'Audio Editing', 1).length, 1, failureOf(second));
		assert.equal(host.sent.length, 1);
	});
}

// Together, because they spend most of the time waiting.
describe('the publishing workflows', { concurrency: true }, () => {
	testBuzzsprout();
	testOtherHosts();
	testFeed();
	testVideosAndFolders();
	testMessages();
});
