/** The publishing workflows as imported, each against a stand-in that follows its host's API pages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { DOMParser, type Document } from '@xmldom/xmldom';

import { videoInfo } from '../testkit/service/video.mts';
import { eventually } from '../testkit/time/eventually.mts';
import { assertEditedTalk, talkAsVoiceNote } from './support/audio.mts';
import { failureOf, itemsOf, onlyOne, textOf } from './support/outputs.mts';
import type { Execution } from './support/pages/editor.mts';
import { firstExecution } from './support/pages/form.mts';
import { publishOnBuzzsprout, publishOnTransistor } from './support/publishing/episodeHosts.mts';
import { failWithReport } from './support/publishing/failureReport.mts';
import { FEED, publishInOwnFeed } from './support/publishing/ownFeed.mts';
import { TITLE, inNodes, startPublisher } from './support/publishing/publisher.mts';
import {
	dropboxWith,
	publishOnWordPress,
	publishOnYouTube,
} from './support/publishing/uploadHosts.mts';
import { startTelegram } from './support/telegram.mts';

const publisher = await startPublisher();
const { sandbox, editor, assertOneEdit } = publisher;

const REPORTED =
	/"Nightly show" failed at "Audio Editing".*gone\.wav.*\/executions\/\d+.*Credit left: 1000/s;

/** Returns the texts of all elements with this name, in their order. */
function textsOf(document: Document, name: string): (string | null)[] {
	return [...document.getElementsByTagName(name)].map(({ textContent }) => textContent);
}

/** Checks that an execution published the edited talk, and deleted its edit. */
async function assertPublished(execution: Execution, content?: Buffer): Promise<void> {
	assert.equal(execution.status, 'success', failureOf(execution));
	await assertEditedTalk(content ?? Buffer.of());
	await assertOneEdit(execution, false);
}

function testHosts(): void {
	test('publish-buzzsprout deletes the edit after Buzzsprout has the file', async () => {
		const { episodes, execution } = await publishOnBuzzsprout(publisher);
		const { sent, content } = onlyOne(episodes);
		await assertPublished(execution, content);
		assert.equal(sent['title'], TITLE);
		assert.match(String(sent['description']), /<h\d>/);
		assert.equal(sent['private'], true);
	});

	test('publish-transistor publishes after Transistor has processed the file', async () => {
		const { episodes, execution } = await publishOnTransistor(publisher);
		const { sent, status, content } = onlyOne(episodes);
		await assertPublished(execution, content);
		assert.equal(status, 'published');
		assert.equal(sent['show_id'], '132543');
		assert.match(String(sent['transcript_text']), /Podcasts are made of words/);
	});

	test('publish-wordpress creates a post with player, show notes and transcript', async () => {
		const { files, posts, execution } = await publishOnWordPress(publisher, 0);
		const file = onlyOne(files);
		await assertPublished(execution, file.content);
		assert.equal(file.name, 'episode-12-edited.mp3');
		const { title, status, content } = onlyOne(posts);
		assert.deepEqual([title, status], [TITLE, 'draft']);
		assert.match(
			String(content),
			/<!-- wp:audio {"id":6} -->\n<figure.*episode-12-edited\.mp3".*<h2>Chapters<\/h2>.*<h2>Transcript<\/h2>\n<p>.*Podcasts are made of/s,
		);
	});

	test('publish-youtube deletes the edit after YouTube has processed the video', async () => {
		const { videos, execution } = await publishOnYouTube(publisher, 'processed');
		assert.equal(execution.status, 'success', failureOf(execution));
		const { sent, content } = onlyOne(videos);
		assert.deepEqual(sent['status'], { privacyStatus: 'unlisted' });
		assert.equal(sent['snippet']['title'], TITLE);
		assert.match(String(sent['snippet']['description']), /Podcasts are made of words/);
		const { picture } = await videoInfo(content ?? Buffer.of());
		assert.equal(picture.codec_name, 'h264');
		await assertOneEdit(execution, false);
	});
}

/** What publishes until a host fails to take the file, and what n8n then says. */
const FAILURES: Readonly<Record<string, readonly [RegExp, () => Promise<Execution>]>> = {
	'publish-buzzsprout keeps the edit if Buzzsprout never takes the file': [
		/error at Not accepted.*The edit is not deleted/s,
		async () => (await publishOnBuzzsprout(publisher, false)).execution,
	],
	'publish-wordpress keeps the edit if WordPress has half a file': [
		/error at Incomplete.*The edit is not deleted/s,
		async () => {
			const { posts, execution } = await publishOnWordPress(publisher, 1_000);
			assert.deepEqual(posts, []);
			return execution;
		},
	],
	'dropbox-folder keeps the edit if Dropbox has half a file': [
		/error at Incomplete.*The edit is not deleted/s,
		async () => await (await dropboxWith(publisher, ['one.wav'], 1_000)).run(),
	],
	'publish-youtube keeps the edit if YouTube rejects the video': [
		/error at Not published.*rejected.*not deleted/s,
		async () => (await publishOnYouTube(publisher, 'rejected')).execution,
	],
};

function testFailures(): void {
	for (const [name, [failure, publish]] of Object.entries(FAILURES)) {
		test(name, async () => {
			const execution = await publish();
			assert.match(failureOf(execution), failure);
			await assertOneEdit(execution, true);
		});
	}
}

function testFeed(): void {
	test('publish-own-feed delivers to the bucket and adds the episode to the feed', async () => {
		const { objects, publicUrl, execution } = await publishInOwnFeed(publisher);
		assert.equal(execution.status, 'success', failureOf(execution));
		const [, mp3 = '', ...texts] = objects.keys();
		const base = mp3.replace(/\.mp3$/, '');
		assert.match(base, /^episodes\/\d{8}T\d{6}Z-words-chapters$/);
		assert.deepEqual(texts, [`${base}.vtt`, `${base}-chapters.json`]);
		const audio = objects.get(mp3);
		await assertPublished(execution, audio);
		const text = String(objects.get('feed.xml'));
		const feed = new DOMParser().parseFromString(text, 'application/xml');
		const editId = textOf(itemsOf(execution, 'Audio Editing')[0], 'editId');
		assert.deepEqual(textsOf(feed, 'guid'), [editId, '1']);
		assert.deepEqual(textsOf(feed, 'title'), ['Show', TITLE]);
		const enclosure = onlyOne([...feed.getElementsByTagName('enclosure')]);
		assert.equal(enclosure.getAttribute('length'), String(audio?.length));
		assert.equal(enclosure.getAttribute('url'), `${publicUrl}/${mp3}`);
	});

	test('publish-own-feed leaves the feed unchanged if nothing is delivered', async () => {
		const { objects, execution } = await publishInOwnFeed(publisher, 'wrong');
		assert.match(failureOf(execution), /error at Audio Editing/);
		assert.deepEqual([...objects.keys()], ['feed.xml']);
		assert.equal(String(objects.get('feed.xml')), FEED);
	});
}

function testFolder(): void {
	test('dropbox-folder puts each recording into the outbox, and edits it once', async () => {
		const { files, run } = await dropboxWith(publisher, ['Fölge 1.wav'], 0);
		const first = await run();
		await assertPublished(first, files.get('/edited/Fölge 1-edited.mp3'));
		assert.equal(files.size, 4);
		assert.equal(itemsOf(first, 'What could not be edited').length, 1);
		const second = await run();
		assert.equal(second.status, 'success', failureOf(second));
		assert.equal(itemsOf(second, 'Audio Editing').length, 0);
		assert.equal(files.size, 4);
	});
}

function testMessages(): void {
	test('failure-report posts to Slack', async () => {
		const { messages, mails } = await failWithReport(publisher, '#podcast');
		assert.match(onlyOne(messages), REPORTED);
		assert.deepEqual(mails, []);
	});

	test('failure-report sends a mail if Slack takes no message', async () => {
		const { messages, mails } = await failWithReport(publisher, '#gone');
		assert.deepEqual(messages, []);
		const [head, ...text] = onlyOne(mails).split('\n\n');
		assert.match(head, /^Subject: Failed: Nightly show$/m);
		assert.match(text.join('\n').replaceAll('=\n', ''), REPORTED);
	});

	test('telegram-voice-note sends the note back, and edits it once', async () => {
		const host = await startTelegram(sandbox, '1:token', await talkAsVoiceNote());
		const bot = { accessToken: '1:token', baseUrl: host.url };
		const auth = { telegramApi: await editor.createCredential('Bot', bot, 'telegramApi') };
		const nodes = ['A message arrives', 'Get the voice note', 'Send it back'];
		const others = inNodes(nodes, auth);
		const workflow = await publisher.importedWith('telegram-voice-note.json', {}, others);
		const id = await editor.published(workflow);
		assert.equal(await host.say('note'), 200);
		const execution = await firstExecution(editor, id);
		assert.equal(execution.status, 'success', failureOf(execution));
		const { chatId, name, content } = onlyOne(host.sent);
		assert.deepEqual([chatId, name], ['42', 'cleaned.mp3']);
		await assertEditedTalk(content, { isShorter: false });
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
	testHosts();
	testFailures();
	testFeed();
	testFolder();
	testMessages();
});
