import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { decode } from '../../service/media/decode.mts';
import { probe } from '../../service/media/probe.mts';
import { guardedInput } from '../../service/media/guardedInput.mts';
import { MediaToolError } from '../../service/media/program.mts';
import { probeFile, runFfmpeg } from '../../service/media/runFfmpeg.mts';
import { notMedia, wavHeaders } from '../../bench/attack/falseMedia.mts';
import { playlists } from '../../bench/attack/playlists.mts';
import { makeRecording } from '../support/recording.ts';
import { fatTaggedMp3, playlistOf } from './support/hostileFiles.mts';
import { send } from './support/client.mts';
import { convertedTo } from './support/media.mts';
import { talk } from './support/recordings.mts';
import { startOpenAiServer } from './support/openAiServer.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';
import { QUICK, startService } from './support/testService.mts';

await using temporary = await temporaryFolder();
const secretPath = join(temporary.path, 'secret.wav');
await writeFile(secretPath, talk);

await using listener = await startOpenAiServer(() => ({ body: { text: '', words: [] } }));
await using service = await startService(
	...[...QUICK, '--transcription-url', `${listener.url}/v1`],
	...['--longest-source-hours', String(20 / 3_600)],
);
const { ann } = service;

/** Every kind of edit for which a recogniser listens to the source. */
const listening = { remove_noise: false, fillers: true, transcription: true } as const;

/** Has a file edited that cannot be; returns the reason that the page shows. */
async function refusalOf(file: Buffer, name: string): Promise<string> {
	listener.visits.length = 0;
	const edit = await ann.run(file, listening, name);
	assert.equal(edit.status, 'FAILURE');
	assert.equal(listener.visits.length, 0, 'the transcription server got something');
	const { text } = await send('GET', service.url);
	const card = text.split('<article').find((part) => part.includes(edit.task_id)) ?? '';
	assert.ok(!card.includes(service.storage), card);
	return /<p class="reason">([^<]*)/.exec(card)?.[1] ?? '';
}

await test('a playlist named like a recording opens no other file, also where a recogniser listens', async () => {
	for (const name of ['talk.mp3', 'talk.m3u8', 'talk.wav']) {
		const playlist = Buffer.from(playlistOf(`file://${secretPath}`));
		assert.match(await refusalOf(playlist, name), /not an audio or video file/);
	}
});

await test('a recording beyond the length limit is not sent to the transcription server', async () => {
	const long = makeRecording({ partsSeconds: [30] });
	assert.match(await refusalOf(long, 'a.wav'), /too long/);
	assert.match(await refusalOf(await convertedTo(long, 'aac'), 'a.aac'), /too long/);
});

await test('headers that lie, archives and playlists end with a reason, and the service goes on', async () => {
	const targets = { recordingPath: secretPath, serverUrl: listener.url, folder: temporary.path };
	const wanted =
		/64 channels|0 Hz|65,535 bits|ZIP bomb, named wav|^DASH of a file|^ffconcat, named/;
	const files = [...playlists(targets), ...wavHeaders(), ...notMedia()];
	const chosen = files.filter(({ what }) => wanted.test(what));
	assert.equal(chosen.length, 6);
	for (const { bytes, name } of chosen)
		assert.match(await refusalOf(bytes, name), /^The (file|audio)/);
	assert.equal((await send('GET', `${service.url}/ping`)).status, 200);
});

await test('tags of a recording are not read', async () => {
	const path = join(temporary.path, 'tags.mp3');
	await writeFile(path, await fatTaggedMp3(8_000_000));
	assert.equal((await probe(path)).codec, 'mp3');
	await assert.rejects(probeFile(path, 'format_tags'), /The report is too long/);
});

await test('a program that hangs is ended, whether it reads a file or looks at it', async () => {
	const path = join(temporary.path, 'pipe.wav');
	await promisify(execFile)('mkfifo', [path]);
	const output = join(temporary.path, 'out.wav');
	const reading = runFfmpeg([...guardedInput(path), output], undefined, { stallSeconds: 1 });
	await assert.rejects(reading, new MediaToolError('no progress for 1 s'));
	await assert.rejects(probe(path), /empty|not an audio or video file/);
	await assert.rejects(probeFile(path, 'format=format_name'), /8 s/);
});

await test('a program that goes on without end is ended', async () => {
	const args = ['-re', '-f', 'lavfi', '-i', 'anullsrc', '-f', 'null', '-'];
	await assert.rejects(runFfmpeg(args, undefined, { totalSeconds: 2 }), /ended after 2 s/);
});

await test('a file of ours still decodes through the door', async () => {
	const { pcm } = await decode(
		{ path: secretPath, channels: 1, sampleRateHz: 16_000 },
		`${secretPath}.f32`,
		16_000,
	);
	assert.ok(pcm.frames > 16_000);
});
