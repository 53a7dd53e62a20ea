import assert from 'node:assert/strict';
import { test } from 'node:test';

import { eventually } from '../support/eventually.mts';
import { videoWithoutSound } from './support/media.mts';
import { shortRecording } from './support/recordings.mts';
import { QUICK, startService } from './support/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

/** Waits for FAILURE and returns the reason from the log, which is also that of the body. */
async function reasonOfFailure(id: string): Promise<string> {
	const { status, failureReason = '' } = await ann.ended(id);
	assert.equal(status, 'FAILURE');
	const lines = service.logOf(id).filter((line) => line.includes('FAILURE'));
	assert.equal(lines.length, 1);
	assert.ok(lines[0].includes(`FAILURE (${failureReason})`), lines[0]);
	return lines[0];
}

const sources: [what: string, bytes: Buffer, name: string, reason: RegExp][] = [
	['text', Buffer.from('This is no recording.'), 'talk.wav', /not an audio or video file/],
	['random bytes', Buffer.from('7f3a'.repeat(4_000), 'hex'), 'talk.mp3', /./],
	['an empty file', Buffer.alloc(0), 'talk.wav', /empty/],
	['half a WAV header', shortRecording.subarray(0, 20), 'talk.wav', /./],
	['a WAV header without sound', shortRecording.subarray(0, 44), 'talk.wav', /./],
	['a video without sound', await videoWithoutSound(), 'talk.mp4', /no audio track/],
	[
		'a playlist of a local file',
		Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'),
		'talk.m3u8',
		/not an audio or video file/,
	],
];

for (const [what, bytes, name, reason] of sources) {
	await test(`fails an edit of ${what} and logs the reason`, async () => {
		const files = [await ann.upload(bytes, name)];
		const id = await ann.create({ files, config: null });
		assert.match(await reasonOfFailure(id), reason);
		await eventually('the files of the failed edit are gone', async () =>
			(await service.folder('edits')).length === 0 ? true : undefined,
		);
	});
}

await test('runs the next edit after a failed one', async () => {
	const config = { remove_noise: false } as const;
	assert.equal((await ann.run(Buffer.alloc(0), config)).status, 'FAILURE');
	assert.equal((await ann.run(shortRecording, config)).status, 'SUCCESS');
});
