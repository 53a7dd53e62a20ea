import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import which from 'which';

import { notMedia, wavHeaders } from '../../testkit/media/falseMedia.mts';
import { playlists } from '../../testkit/media/playlists.mts';
import { probeFile, runFfmpeg } from '../media/ffmpeg/runFfmpeg.mts';
import { probe } from '../media/probe.mts';
import { reasonOf } from '../shared/failures.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { makeRecording } from '../../testkit/media/recording.ts';
import { send } from '../../testkit/service/client.mts';
import { fatTaggedMp3, playlistOf } from '../../testkit/service/hostileFiles.mts';
import { convertedTo } from '../../testkit/service/media.mts';
import { startOpenAiServer } from '../../testkit/service/openAiServer.mts';
import { shortRecording, talk } from '../../testkit/service/recordings.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';

await using temporary = await temporaryFolder();
const secretPath = join(temporary.path, 'secret.wav');
await writeFile(secretPath, talk);

await using listener = await startOpenAiServer(() => ({ body: { text: '', words: [] } }));
await using service = await startService(
	...QUICK,
	'--transcription-url',
	`${listener.url}/v1`,
	'--max-source-hours',
	String(20 / 3_600),
);
const { ann } = service;

/** Edits for which the recognizer reads the source. */
const listening = { remove_noise: false, fillers: true, transcription: true } as const;

/** Edits a file that must be refused; returns the reason on the page. */
async function refusalOf(file: Buffer, name: string): Promise<string> {
	listener.visits.length = 0;
	const edit = await ann.run(file, listening, name, { word_check: true });
	assert.equal(edit.status, 'FAILURE');
	assert.equal(listener.visits.length, 0, 'the transcription server received audio');
	const { text } = await send('GET', `${service.url}/?open=${edit.task_id}`);
	const card = text.split('<article').find((part) => part.includes(edit.task_id)) ?? '';
	assert.ok(!card.includes(service.storage), card);
	return /<p class="reason">([^<]*)/.exec(card)?.[1] ?? '';
}

await test('opens no other file for a playlist named like a recording', async () => {
	for (const name of ['talk.mp3', 'talk.m3u8', 'talk.wav']) {
		const playlist = Buffer.from(playlistOf(`file://${secretPath}`));
		assert.match(await refusalOf(playlist, name), /not an audio or video file/);
	}
});

await test('does not send a recording over the length limit to the transcription server', async () => {
	const long = makeRecording({ partsSeconds: [30] });
	assert.match(await refusalOf(long, 'a.wav'), /too long/);
	assert.match(await refusalOf(await convertedTo(long, 'aac'), 'a.aac'), /too long/);
});

await test('refuses false headers, archives and playlists with a reason, and stays up', async () => {
	const targets = { recordingPath: secretPath, serverUrl: listener.url, folder: temporary.path };
	const wanted =
		/64 channels|, 0 Hz|65,535 bits|ZIP bomb, named wav|^DASH of a file|^ffconcat, named/;
	const files = [...playlists(targets), ...wavHeaders()];
	for await (const file of notMedia()) files.push(file);
	const chosen = files.filter(({ what }) => wanted.test(what));
	assert.equal(chosen.length, 6);
	for (const { bytes, name } of chosen)
		assert.match(await refusalOf(bytes, name), /^The (file|audio)/);
	assert.equal((await send('GET', `${service.url}/ping`)).status, 200);
});

await test('does not read the tags of a recording', async () => {
	const path = join(temporary.path, 'tags.mp3');
	await writeFile(path, await fatTaggedMp3(8_000_000));
	assert.equal((await probe(path)).codec, 'mp3');
	await assert.rejects(probeFile(path, 'format_tags'), /The report is too long/);
});

await test('kills a program that never ends', async () => {
	const args = ['-re', '-f', 'lavfi', '-i', 'anullsrc', '-f', 'null', '-'];
	await assert.rejects(runFfmpeg(args, undefined, { totalSeconds: 2 }), /ended after 2 s/);
});

await test('refuses more tracks than ffmpeg should open decoders for, and other sample rates', async () => {
	const many = Array.from({ length: 17 }, () => ['-map', '0']).flat();
	const tracks = await convertedTo(shortRecording, 'mka', ...many);
	assert.match(await refusalOf(tracks, 'a.mka'), /17 tracks of sound and picture; at most 16/);
	const slow = Buffer.from(shortRecording);
	slow.writeUInt32LE(3, 24);
	assert.match(await refusalOf(slow, 'slow.wav'), /sample rate of 3 Hz; 4000 to 768000 Hz/);
});

await test('names the pixels of a picture that is too large', async () => {
	const picture = ['-f', 'lavfi', '-i', 'testsrc=s=7680x4320:d=0.1:r=10'];
	const fast = ['-c:v', 'libx264', '-preset', 'ultrafast'];
	const video = await convertedTo(shortRecording, 'mp4', ...picture, ...fast);
	assert.match(await refusalOf(video, 'a.mp4'), /7680 × 4320 pixels; at most 16777216 in total/);
});

const NEEDS_PRLIMIT = { skip: which.sync('prlimit', { nothrow: true }) === null };

await test('ends a program that needs more memory than a file gets', NEEDS_PRLIMIT, async () => {
	const picture = ['-f', 'lavfi', '-i', 'testsrc=s=4096x4096:d=1', '-f', 'null', '-'];
	const limits = { memoryBytes: 48_000_000 };
	const error = await runFfmpeg(picture, undefined, limits).catch((thrown: unknown) => thrown);
	assert.equal(reasonOf(error), 'The file needs more memory than the service gives to one file');
});

await test('ends a program that computes for longer than it may', NEEDS_PRLIMIT, async () => {
	const endless = ['-f', 'lavfi', '-i', 'testsrc=s=1024x1024', '-f', 'null', '-'];
	await assert.rejects(runFfmpeg(endless, undefined, { cpuSeconds: 1 }), /too much processor time/);
});

const picture = ['-f', 'lavfi', '-i', 'color=c=blue:size=64x64:rate=10:duration=1', '-map', '1'];
const silent = await convertedTo(shortRecording, 'mp4', ...picture, '-c:v', 'mpeg4');

for (const [what, bytes, name, reason] of [
	['text', Buffer.from('This is no recording.'), 'talk.wav', /not an audio or video file/],
	['random bytes', Buffer.from('7f3a'.repeat(4_000), 'hex'), 'talk.mp3', /./],
	['an empty file', Buffer.alloc(0), 'talk.wav', /empty/],
	['half a WAV header', shortRecording.subarray(0, 20), 'talk.wav', /./],
	['a WAV header without sound', shortRecording.subarray(0, 44), 'talk.wav', /./],
	['a video without sound', silent, 'talk.mp4', /no audio track/],
] as const) {
	await test(`fails an edit of ${what} and logs the reason`, async () => {
		const { task_id: id, status, failureReason = '' } = await ann.run(bytes, null, name);
		assert.equal(status, 'FAILURE');
		const lines = service.logOf(id).filter((line) => line.includes('FAILURE'));
		assert.equal(lines.length, 1);
		assert.ok(lines[0].includes(`FAILURE (${failureReason})`), lines[0]);
		assert.match(lines[0], reason);
		const areGone = async () => (await service.folder('edits')).length === 0;
		await eventually('the files of the failed edit are gone', areGone);
	});
}
