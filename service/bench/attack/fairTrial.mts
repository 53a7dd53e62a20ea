import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { execa } from 'execa';

import { makeRecording } from '../../../testkit/media/recording.ts';
import { startChildService } from '../../../testkit/service/childService.mts';
import { Client } from '../../../testkit/service/client.mts';
import { talk } from '../../../testkit/service/recordings.mts';
import { ANNS_KEY, BOBS_KEY, QUICK } from '../../../testkit/service/testService.mts';
import { findFfmpeg } from '../../media/ffmpeg/ffmpeg.mts';

const MINUTES = 180;

/** Short edits, and the pause before each: the long ones are in different stages. */
const SHORT_EDITS = 6;
const PAUSE_MS = 8_000;

/** Returns the most seconds that an edit of two seconds takes while two of another key's three hours are at work. */
export async function tryFairness(folder: string): Promise<number> {
	await mkdir(folder, { recursive: true });
	const long = await longVideo(folder);
	const keys = ['--api-key', ANNS_KEY, '--api-key', BOBS_KEY];
	await using service = await startChildService(join(folder, 'storage'), ...QUICK, ...keys);
	const [ann, bob] = [ANNS_KEY, BOBS_KEY].map((key) => new Client(service.client.url, key));
	const config = { video: true, long_silences: true };
	const ids: string[] = [];
	for (const name of ['one.mp4', 'two.mp4']) {
		ids.push(await ann.create({ files: [await ann.upload(long, name)], config }));
	}
	const short = makeRecording({ partsSeconds: [2] });
	let mostSeconds = 0;
	for (let edit = 0; edit < SHORT_EDITS; edit++) {
		await wait(PAUSE_MS);
		const statuses = await Promise.all(ids.map(async (id) => (await ann.edit(id)).status));
		const files = [await bob.upload(short)];
		const began = performance.now();
		const { status } = await bob.ended(await bob.create({ files, config: {} }));
		const seconds = (performance.now() - began) / 1_000;
		console.log(`  ${status} after ${seconds.toFixed(1)} s, beside ${statuses.join(' and ')}`);
		mostSeconds = Math.max(mostSeconds, status === 'SUCCESS' ? seconds : Infinity);
	}
	return mostSeconds;
}

/** Repeats a minute of a talk with a picture, without encoding it again. */
async function longVideo(folder: string): Promise<Buffer> {
	const [sound, minute, whole] = ['talk.wav', 'minute.mp4', 'long.mp4'].map((name) =>
		join(folder, name),
	);
	await writeFile(sound, talk);
	const ffmpeg = (...args: string[]) => execa(findFfmpeg().ffmpegPath, ['-v', 'error', ...args]);
	const picture = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=10'];
	const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'];
	await ffmpeg('-stream_loop', '-1', '-i', sound, ...picture, ...codecs, '-t', '60', minute);
	await ffmpeg('-stream_loop', String(MINUTES - 1), '-i', minute, '-c', 'copy', whole);
	return await readFile(whole);
}
