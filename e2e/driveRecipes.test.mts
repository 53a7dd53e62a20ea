/**
 * The recipes that begin with Google Drive, as imported: n8n's own nodes for Drive, Sheets, YouTube, a language model
 * and mail speak to stand-ins that follow the API pages. Only what Drive's trigger finds is given.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startOpenAiServer } from '../testkit/service/openAiServer.mts';
import { H264, codedVideo, videoInfo } from '../testkit/service/video.mts';
import { TALK_WAV, assertEditedTalk } from './support/audio.mts';
import { type DriveFile, Google } from './support/outside/google.mts';
import { startMails } from './support/outside/mails.mts';
import { runWith, startOutside } from './support/outside/outside.mts';
import { failureOf, onlyOne } from './support/outputs.mts';
import { inNodes, loggedIn } from './support/publishing/publisher.mts';

const outside = await startOutside();
const { sandbox, editor } = outside;
const { smtp, mailAbout } = await startMails(outside);

const WORDS = /Podcasts are made of words/;

const NO_RECORDING = Buffer.from('no recording');

const file = (id: string, name: string, mimeType: string, content: Buffer): DriveFile => ({
	id,
	name,
	mimeType,
	content,
});

const FILES = [
	file('a', 'one.wav', 'audio/wav', TALK_WAV),
	file('b', 'broken.wav', 'audio/wav', NO_RECORDING),
	file('c', 'two.wav', 'audio/wav', TALK_WAV),
	file('d', 'notes.txt', 'text/plain', NO_RECORDING),
];

const asFound = (files: readonly DriveFile[]) =>
	files.map(({ id, name, mimeType }) => ({ id, name, mimeType }));

/** The credentials of n8n's nodes for Google. */
async function google(nodes: Readonly<Record<string, readonly string[]>>) {
	const others = Object.entries(nodes).map(async ([type, names]) =>
		inNodes(names, await loggedIn(outside, type)),
	);
	return Object.assign({}, ...(await Promise.all(others))) as ReturnType<typeof inNodes>;
}

// One after the other: each has its own Google.
test('drive-folder saves what it can, and gives every recording a row', async () => {
	const host = new Google(FILES, 'two');
	outside.answerFor(host.answer, 'www.googleapis.com', 'sheets.googleapis.com');
	const credentials = await google({
		googleDriveOAuth2Api: ['Download', 'Save to Drive'],
		googleSheetsOAuth2Api: ['Add the row'],
	});
	const workflow = await outside.importedWith('drive-folder.json', {}, credentials);
	for (const node of workflow.nodes) {
		const id = (value: string) => ({ __rl: true, mode: 'id', value });
		if (node.name === 'Save to Drive') node.parameters['folderId'] = id('edited');
		if (node.name !== 'Add the row') continue;
		Object.assign(node.parameters, { documentId: id('sheet'), sheetName: id('0') });
	}
	const execution = await runWith(outside, workflow, asFound(FILES));
	assert.equal(execution.status, 'success', failureOf(execution));
	assert.deepEqual(host.saved.map(({ name }) => name).sort(), ['one-edited.mp3', 'two-edited.mp3']);
	for (const { content } of host.saved) await assertEditedTalk(content);
	const rows = new Map(host.rows.map(([name = '', ...row]) => [name, row]));
	assert.deepEqual([...rows.keys()].sort(), ['File', 'broken.wav', 'one.wav', 'two.wav']);
	assert.match(String(rows.get('one.wav')), /^edited,.*silence.*,https:\/\/drive\.google\.com\//);
	assert.match(String(rows.get('broken.wav')), /^failed,broken\.wav.*\. .*,$/);
	assert.match(String(rows.get('two.wav')), /^incomplete,Drive has only .* is not deleted/);
});

test('drive-meeting-notes mails the notes and the transcript, or the reason', async () => {
	outside.answerFor(new Google(FILES).answer, 'www.googleapis.com');
	const asked: string[] = [];
	const model = sandbox.use(
		await startOpenAiServer(({ body }) => {
			asked.push(String(body));
			const message = { role: 'assistant', content: 'They will publish on Friday.' };
			const choices = [{ index: 0, message, finish_reason: 'stop' }];
			return { body: { id: 'c', object: 'chat.completion', created: 0, model: 'm', choices } };
		}),
	);
	const login = { apiKey: 'key', url: `${model.url}/v1` };
	const openAiApi = await editor.createCredential('Model', login, 'openAiApi');
	const workflow = await outside.importedWith(
		'drive-meeting-notes.json',
		{},
		{
			...(await google({ googleDriveOAuth2Api: ['Download'] })),
			...inNodes(['OpenAI Chat Model'], { openAiApi }),
			...inNodes(['Send the notes', 'Send the reason'], { smtp }),
		},
	);
	const execution = await runWith(outside, workflow, asFound(FILES.slice(0, 2)));
	assert.equal(execution.status, 'success', failureOf(execution));
	assert.match(onlyOne(asked), WORDS);
	assert.match(mailAbout('Notes: one.wav'), /on Friday\..*Transcript.*Podcasts are made of words/);
	assert.match(mailAbout('No notes: broken.wav'), /broken\.wav.*not an audio or video file.*\. \w/);
});

test('drive-to-youtube uploads a video with its chapters and subtitles', async () => {
	const plan = { fileName: 'v.mp4', phrases: 4, frameRate: '25', codecArguments: H264 };
	const files = [
		file('v', 'show.mp4', 'video/mp4', await codedVideo(plan)),
		file('w', 'broken.mp4', 'video/mp4', NO_RECORDING),
	];
	const host = new Google(files);
	outside.answerFor(host.answer, 'www.googleapis.com');
	const credentials = await google({
		googleDriveOAuth2Api: ['Download'],
		youTubeOAuth2Api: ['Upload the video', 'Add the subtitles'],
	});
	const workflow = await outside.importedWith('drive-to-youtube.json', {}, credentials);
	const execution = await runWith(outside, workflow, asFound(files));
	assert.equal(execution.status, 'success', failureOf(execution));
	const { snippet, content } = onlyOne(host.videos);
	assert.match(snippet['description'], WORDS);
	assert.equal((await videoInfo(content)).picture.codec_name, 'h264');
	assert.match(
		onlyOne(host.captions),
		/^--subtitles\r?\n.*"videoId":"0".*\r?\n1\r?\n00:00:0.*Podcasts/s,
	);
});
