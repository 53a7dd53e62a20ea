import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { execa } from 'execa';

import { floorOf } from '../engine/baselines.mts';
import { median } from '../../../testkit/measure/median.mts';
import { send, type Client } from '../../../testkit/service/client.mts';
import { reviewed, type Review } from '../../../testkit/service/reviews.mts';

const SPOKEN = join(import.meta.dirname, '../../../testkit/media/spoken.mp3');
const CUTS = 200;
const LISTENED_SECONDS = 6;

/** Makes a stereo MP3 of speech, 128 kbit/s at 48 kHz, with noise that does not repeat. */
async function makeTalk(seconds: number, folder: string): Promise<string> {
	const path = join(folder, 'talk.mp3');
	const noise = 'anoisesrc=color=pink:amplitude=0.003:sample_rate=48000';
	const graph =
		'[0:a]aresample=48000,asetpts=N/SR/TB[v];[v][1:a]amix=inputs=2:duration=first,volume=2';
	const inputs = ['-stream_loop', '-1', '-i', SPOKEN, '-f', 'lavfi', '-i', noise];
	const output = ['-t', String(seconds), '-ac', '2', '-b:a', '128k', path];
	const quietly = ['-nostdin', '-v', 'error'];
	await execa('ffmpeg', [...quietly, ...inputs, '-filter_complex', graph, ...output]);
	return path;
}

/** The bytes of the page, its assets and its state. */
async function pageBytes(review: Review): Promise<number> {
	const page = await send('GET', review.link);
	const assets = [...page.text.matchAll(/(?:src|href)="(\/review-assets\/[^"?]+)/g)];
	const sizes = assets.map(async ([, path]) => {
		return (await send('GET', new URL(path, review.link).href)).bytes.length;
	});
	const state = await send('GET', review.at('/state'));
	const all = await Promise.all(sizes);
	return all.reduce((sum, size) => sum + size, page.bytes.length + state.bytes.length);
}

/** Seconds from the request for a sound to its first byte, and to its last. */
async function listen(review: Review, samples: number, rateHz: number) {
	const from = Math.floor(Math.random() * (samples - LISTENED_SECONDS * rateHz));
	const began = performance.now();
	const body = JSON.stringify({ from, to: from + LISTENED_SECONDS * rateHz });
	const headers = { 'Content-Type': 'application/json' };
	const response = await fetch(review.at('/sound/0'), { method: 'POST', headers, body });
	const first = (performance.now() - began) / 1_000;
	await response.arrayBuffer();
	return { first, whole: (performance.now() - began) / 1_000 };
}

/** Reviews an hour with 200 cuts. */
export async function tryHour(client: Client, seconds: number, folder: string) {
	const path = await makeTalk(seconds, folder);
	const config = { long_silences: true, normalize: true, remove_noise: false } as const;
	const files = [await client.upload(await readFile(path), 'talk.mp3')];
	const review = await reviewed(client, { files, config });
	const { samples, sample_rate: rateHz } = await review.state();
	const sounds = [];
	for (let round = 0; round < 9; round++) sounds.push(await listen(review, samples, rateHz));
	const bytes = await pageBytes(review);
	const step = Math.floor(samples / (CUTS + 1));
	const cuts = Array.from({ length: CUTS }, (_, index) => {
		const start = (index + 1) * step;
		return { kind: 'added', start, end: start + Math.min(rateHz, step >> 1), keep: false };
	});
	const before = await floorOf(path, join(folder, 'before.mp3'));
	const began = performance.now();
	await review.decide({ revision: 0, cuts, approve: true });
	await client.ended(review.id);
	const wallSeconds = (performance.now() - began) / 1_000;
	const after = await floorOf(path, join(folder, 'after.mp3'));
	const floorSeconds = (before.wallSeconds + after.wallSeconds) / 2;
	console.log(`  ${wallSeconds.toFixed(1)} s, decode + encode ${floorSeconds.toFixed(1)} s`);
	return {
		ratio: wallSeconds / floorSeconds,
		megabytes: bytes / 1e6,
		firstSeconds: median(sounds.map(({ first }) => first)),
		wholeSeconds: median(sounds.map(({ whole }) => whole)),
		worstSeconds: Math.max(...sounds.map(({ whole }) => whole)),
	};
}
