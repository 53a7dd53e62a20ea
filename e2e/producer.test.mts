/**
 * What a producer does first, with an empty canvas and no documentation: five tasks, from the words in the node panel
 * to the files that are wanted. Nobody corrects anything and runs it again: the first run must be right, and each
 * result is charged once. Prints the bars of `npm run bench -- tasks`.
 */
import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { assertBar, count } from '../testkit/measure/bars.mts';
import { readWithLibrary } from '../testkit/media/captionReaders.ts';
import { makeRecording } from '../testkit/media/recording.ts';
import { decodedSeconds, levelDb, probe, samplesOf } from '../testkit/service/media.mts';
import { MP4, codedVideo, readingOf, videoInfo } from '../testkit/service/video.mts';
import { eventually } from '../testkit/time/eventually.mts';
import { SPEECH, TALK_WAV, assertEditedTalk } from './support/audio.mts';
import { startHost } from './support/host.mts';
import { failureOf, onlyOne } from './support/outputs.mts';
import { openBrowser } from './support/pages/browser.mts';
import { firstExecution } from './support/pages/form.mts';
import { type DownloadedFile, Producer } from './support/pages/producer.mts';
import { startTelegram } from './support/telegram.mts';

const host = await startHost('producer', { recognizes: true });
const { sandbox, n8n, editor } = host;
const { page } = await openBrowser(sandbox, n8n.url);

const TOKEN = '1:token';
const telegram = await startTelegram(sandbox, TOKEN, Buffer.of());
const bot = { accessToken: TOKEN, baseUrl: telegram.url };
await editor.createCredential('Bot', bot, 'telegramApi');

/** Speaks from 0 to 2 s, while the guest is silent. */
const HOST = makeRecording({ partsSeconds: [2, 6] });
/** Speaks from 4 to 6 s. */
const GUEST = makeRecording({ partsSeconds: [0, 4, 2, 2] });
const VIDEO = await codedVideo(MP4);

/** Puts recordings into a folder that n8n may read, and that nothing else is in. @returns the folder */
async function folderWith(recordings: Readonly<Record<string, Buffer | string>>): Promise<string> {
	const name = Object.keys(recordings)[0].split('.', 1)[0];
	const folder = join(sandbox.home, '.n8n-files', name);
	await mkdir(folder, { recursive: true });
	for (const [file, content] of Object.entries(recordings)) {
		await writeFile(join(folder, file), content);
	}
	return folder;
}

/** Begins a workflow with the files that have this path. */
async function reading(path: string): Promise<Producer> {
	const producer = await Producer.atEmptyCanvas(page.context());
	await producer.add('read file', 'Read/Write Files from Disk', 'Read File(s) From Disk');
	await producer.fill('File(s) Selector', path);
	await producer.closeForm();
	return producer;
}

/** Adds n8n's own node that saves the file of an item. */
async function saving(producer: Producer, path: string): Promise<void> {
	await producer.closeForm();
	await producer.add('write file', 'Read/Write Files from Disk', 'Write File to Disk');
	await producer.fill('File Path and Name', path);
}

/** Runs what was built, once. */
async function run(producer: Producer): Promise<void> {
	const execution = await firstExecution(editor, await producer.executeWorkflow());
	assert.equal(execution.status, 'success', failureOf(execution));
}

function fileNamed(files: readonly DownloadedFile[], ending: string): DownloadedFile {
	return onlyOne(files.filter(({ name }) => name.endsWith(ending)));
}

/** How far the quietest tenth of a second is below the loudest one. */
async function rangeDb(recording: Buffer): Promise<number> {
	const samples = await samplesOf(recording);
	const tenths = Array.from({ length: Math.floor(samples.length / 1_600) }, (_, tenth) =>
		levelDb(samples, tenth / 10, (tenth + 1) / 10),
	);
	return Math.max(...tenths) - Math.min(...tenths);
}

const TASKS: Readonly<Record<string, () => Promise<void>>> = {
	'clean up one recording, and save it': async () => {
		const folder = await folderWith({ 'interview.mp3': SPEECH });
		const producer = await reading(join(folder, 'interview.mp3'));
		await producer.add('clean up recording', 'Audio Editing');
		await saving(producer, join(folder, 'clean.mp3'));
		await run(producer);
		const saved = await readFile(join(folder, 'clean.mp3'));
		assert.equal((await probe(saved)).codec, 'mp3');
		assert.ok(Math.abs((await decodedSeconds(saved)) - (await decodedSeconds(SPEECH))) < 0.5);
		assert.ok((await rangeDb(saved)) > (await rangeDb(SPEECH)) + 10);
		assert.deepEqual(await readFile(join(folder, 'interview.mp3')), SPEECH);
	},

	'make a video shorter, and get subtitle files': async () => {
		const folder = await folderWith({ 'talk.mp4': VIDEO });
		const producer = await reading(join(folder, 'talk.mp4'));
		await producer.add('shorten video', 'Audio Editing');
		await producer.tick('Also Return (Subtitles …)', 'Subtitles');
		await producer.tick('Subtitles', 'Subtitles (WebVTT)');
		await producer.addOption('Add cut', 'Long Silences and Pauses');
		await run(producer);
		const files = await producer.downloads('Audio Editing');
		const video = fileNamed(files, '.mp4').content;
		const seconds = await decodedSeconds(video);
		assert.ok(seconds < (await decodedSeconds(VIDEO)) - 2, `${seconds} s`);
		assert.equal((await videoInfo(video)).sound, 'aac');
		const lastPicture = (await readingOf(video)).pictures.at(-1)?.seconds ?? 0;
		assert.ok(Math.abs(lastPicture - seconds) < 0.5, `${lastPicture} s of picture`);
		for (const type of ['srt', 'vtt'] as const) {
			const text = fileNamed(files, `.${type}`).content.toString();
			const { errors, cues } = await readWithLibrary({ type, text });
			assert.deepEqual(errors, []);
			assert.match(cues.map((cue) => cue.text).join(' '), /Podcasts/);
			assert.ok((cues.at(-1)?.endTime ?? Infinity) <= seconds);
		}
	},

	'make one episode of two microphones': async () => {
		const folder = await folderWith({ 'host.wav': HOST, 'guest.wav': GUEST });
		const producer = await reading(join(folder, '*.wav'));
		await producer.add('two microphones', 'Audio Editing');
		await producer.choose('Treat Input Items As', 'Tracks of One Recording');
		await producer.addOption('Add file option', 'Merge Tracks');
		await saving(producer, join(folder, 'episode.mp3'));
		await run(producer);
		assert.deepEqual((await readdir(folder)).sort(), ['episode.mp3', 'guest.wav', 'host.wav']);
		const samples = await samplesOf(await readFile(join(folder, 'episode.mp3')));
		assert.ok(Math.abs(samples.length / 16_000 - 8) < 0.3, `${samples.length / 16_000} s`);
		const [hostDb, betweenDb, guestDb] = [0.2, 2.2, 4.2].map((start) =>
			levelDb(samples, start, start + 1.6),
		);
		assert.ok(Math.abs(hostDb - guestDb) < 3, `${hostDb} dB, ${guestDb} dB`);
		assert.ok(betweenDb < guestDb - 30, `${betweenDb} dB between`);
	},

	'get show notes and a transcript as files': async () => {
		const folder = await folderWith({ 'episode-12.wav': TALK_WAV });
		const producer = await reading(join(folder, 'episode-12.wav'));
		await producer.add('show notes', 'Audio Editing');
		await producer.tick('Also Return (Subtitles …)', 'Show Notes', 'Transcript');
		await run(producer);
		const files = await producer.downloads('Audio Editing');
		assert.equal(files.length, 3);
		const texts = ['show-notes.md', 'transcript.txt'].map((ending) => fileNamed(files, ending));
		for (const { content } of texts) assert.match(content.toString(), /Podcasts are made of words/);
		const edited = files.find((file) => !texts.includes(file));
		await assertEditedTalk(edited?.content ?? Buffer.of(), { isShorter: false });
	},

	'be told on failure': async () => {
		const folder = await folderWith({ 'broken.wav': 'not a recording' });
		const producer = await reading(join(folder, 'broken.wav'));
		await producer.add('podcast', 'Audio Editing');
		await producer.openSettings();
		await producer.choose('On Error', 'Continue (using error output)');
		await producer.closeForm();
		await producer.add('telegram', 'Telegram', 'Send a text message');
		await producer.fill('Chat ID', '42');
		await producer.executeBefore('message');
		await producer.drag('message', 'Text');
		await producer.executeStep();
		const { text } = await eventually('Telegram has the message', () => telegram.messages.at(0));
		assert.match(text, /^broken\.wav could not be edited: .*not an audio or video file/);
	},
};

const right: string[] = [];
for (const [task, work] of Object.entries(TASKS)) {
	test(task, async () => {
		await work();
		right.push(task);
	});
}

const tasks = Object.keys(TASKS).length;

test('all tasks are right at the first run', () => {
	assertBar(count('tasks right at the first run', right.length, tasks, '>='));
});

test('each result is charged once', () => {
	assertBar(count(`charged edits for ${tasks} results`, host.submitted().length, tasks));
});
