import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { decoded } from '../../../testkit/media/decoded.mts';
import { RATE_HZ } from '../../../testkit/media/signals.mts';
import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';
import { withFile } from '../../../testkit/service/media.mts';
import { fileArgument } from '../../media/ffmpeg/guardedInput.mts';
import { runFfmpeg } from '../../media/ffmpeg/runFfmpeg.mts';

/** When each of the beeps begins, and how long all of the sound is, in seconds. */
export const BEEPS = [1, 3, 4, 20, 24, 26];
export const BEEPED_SECONDS = 28;

/** Of one beep. */
const BEEP_SECONDS = 0.1;

/** The level above which there is a beep, and how long it must be still before the next. */
const ONSET_LEVEL = 0.04;
const STILL_SECONDS = 0.5;

const BEEP = BEEPS.map((at) => `between(t,${at},${at + BEEP_SECONDS})`).join('+');

/** ffmpeg's input of beeps above the faintest noise. */
export const BEEPED = [
	'-f',
	'lavfi',
	'-i',
	`aevalsrc='0.001*random(0)+0.5*sin(2*PI*1000*t)*(${BEEP})':s=48000:d=${BEEPED_SECONDS}`,
];

/** Runs ffmpeg and returns the file that it writes. */
export async function made(name: string, ...args: readonly string[]): Promise<Buffer> {
	await using folder = await temporaryFolder();
	const path = join(folder.path, name);
	await runFfmpeg([...args, fileArgument(path)]);
	return await readFile(path);
}

/**
 * Returns ffmpeg's filter that drops stretches of sound and leaves their time empty.
 *
 * @param packet samples of a packet of the encoder: only whole ones are missing.
 */
export function holes(packet: number, ...stretches: ReadonlyArray<[from: number, to: number]>) {
	const gone = stretches.map(([from, to]) => `between(t,${from},${to})`).join('+');
	return ['-af', `asetnsamples=${packet}:p=0,aselect='not(${gone})'`];
}

/** Returns when the beeps of a file begin, and how long its sound is, in seconds. */
export async function beepsIn(file: Buffer, soundTrack = 0) {
	const samples = await withFile(file, (path) => {
		const timeline = ['-af', 'aresample=async=1:min_hard_comp=0.02'];
		const input = ['-dts_delta_threshold', '1000', '-i', fileArgument(path)];
		return decoded([...input, '-map', `0:a:${soundTrack}`, ...timeline]);
	});
	const beeps: number[] = [];
	let lastLoud = -Infinity;
	for (const [frame, sample] of samples.entries()) {
		if (Math.abs(sample) < ONSET_LEVEL) continue;
		if (frame - lastLoud > STILL_SECONDS * RATE_HZ) beeps.push(frame / RATE_HZ);
		lastLoud = frame;
	}
	return { beeps, seconds: samples.length / RATE_HZ };
}
