import { mkdir, readFile, rename, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { execa } from 'execa';

import { findFfmpeg } from '../../media/ffmpeg/ffmpeg.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { RATE_HZ } from '../../../testkit/media/signals.mts';
import { inputOf } from './soundFiles.mts';
import type { Prompt, Speaker } from './speakers.mts';
import { noiseOf, takeOf, type Take } from './takes.mts';

/** Decoded files stay here for the next run. */
const CACHE_FOLDER = join(tmpdir(), 'eval-real-takes');

/** Files for one ffmpeg: starting it takes longer than its work. */
const FILES_AT_ONCE = 60;

/** More of a speaker says nothing new. */
const MAX_FILES = 200;

/** The takes of a speaker, in a random order that is the same in every run, and their noise, dB. */
export async function decodeTakes({
	name,
	prompts,
}: Speaker): Promise<{ takes: Take[]; noiseDb: number }> {
	const chance = new Chance(1);
	const some = prompts
		.map((prompt) => ({ prompt, order: isAlwaysWanted(prompt) ? -1 : chance.next() }))
		.sort((a, b) => a.order - b.order)
		.slice(0, MAX_FILES)
		.map(({ prompt }) => prompt);
	const folder = join(CACHE_FOLDER, name.replace(/\W+/g, '-'));
	await mkdir(folder, { recursive: true });
	const recordings: { prompt: Prompt; samples: Float32Array }[] = [];
	for (let first = 0; first < some.length; first += FILES_AT_ONCE) {
		const batch = some.slice(first, first + FILES_AT_ONCE);
		await decodeMissing(batch, folder);
		for (const prompt of batch) {
			const bytes = await readFile(cachePath(prompt, folder));
			recordings.push({ prompt, samples: new Float32Array(bytes.buffer.slice(bytes.byteOffset)) });
		}
	}
	const noiseDb = noiseOf(recordings.map(({ samples }) => samples));
	const takes = recordings.flatMap(({ prompt, samples }) => takeOf(prompt, samples, noiseDb) ?? []);
	return { takes, noiseDb };
}

/** Digits are said twice on purpose. */
function isAlwaysWanted({ path }: Prompt): boolean {
	return /digits\/[1-9]\.\w+$/.test(path);
}

async function decodeMissing(prompts: readonly Prompt[], folder: string): Promise<void> {
	const missing: Prompt[] = [];
	for (const prompt of prompts) {
		const known = await stat(cachePath(prompt, folder)).catch(() => undefined);
		if (!known) missing.push(prompt);
	}
	if (missing.length === 0) return;
	const inputs = missing.flatMap(({ path }) => inputOf(path));
	const outputs = missing.flatMap((prompt, index) => [
		'-map',
		`${index}:a`,
		'-ac',
		'1',
		'-ar',
		String(RATE_HZ),
		'-f',
		'f32le',
		partPath(prompt, folder),
	]);
	await execa(findFfmpeg().ffmpegPath, ['-nostdin', '-v', 'error', '-y', ...inputs, ...outputs]);
	for (const prompt of missing) {
		await rename(partPath(prompt, folder), cachePath(prompt, folder));
	}
}

function cachePath({ path }: Prompt, folder: string): string {
	return join(folder, `${path.split('/').slice(-2).join('-')}.f32`);
}

/** Two evaluations at a time must not write one file. */
function partPath(prompt: Prompt, folder: string): string {
	return `${cachePath(prompt, folder)}.${process.pid}.part`;
}
