import { execa } from 'execa';
import { z } from 'zod';

import { findFfmpeg } from '../../service/media/ffmpeg/ffmpeg.mts';
import { fileArgument } from '../../service/media/ffmpeg/guardedInput.mts';
import { streamFfmpeg } from '../../service/media/ffmpeg/runFfmpeg.mts';
import { CODE_BITS } from './codedVideo.mts';
import { RATE_HZ } from './signals.mts';

const ONSET_LEVEL = 0.04;
/** Frames: the level never falls below the threshold for this long within a phrase. */
const STILL_FRAMES = 0.25 * RATE_HZ;

const framesSchema = z.object({
	frames: z.array(
		z.object({
			best_effort_timestamp_time: z.coerce.number(),
		}),
	),
	format: z.object({ start_time: z.coerce.number().catch(0) }),
});

/**
 * Reads the numbers of the pictures with when each is shown, and when each phrase begins to sound, in seconds from where
 * the file begins.
 */
export async function readCodedVideo(path: string) {
	const numbers = await pictureNumbers(path);
	const times = await pictureTimes(path);
	if (numbers.length !== times.length) {
		throw new Error(`${numbers.length} pictures but ${times.length} times in ${path}`);
	}
	const pictures = numbers.map((number, index) => ({ number, seconds: times[index] }));
	return { pictures, ...(await phraseOnsets(path)) };
}

export type CodedReading = Awaited<ReturnType<typeof readCodedVideo>>;

async function pictureTimes(path: string): Promise<number[]> {
	const entries = 'frame=best_effort_timestamp_time:format=start_time';
	const options = ['-select_streams', 'v:0', '-show_entries', entries, '-of', 'json'];
	const { stdout } = await execa(findFfmpeg().ffprobePath, ['-v', 'error', ...options, path]);
	const report = framesSchema.parse(JSON.parse(stdout));
	const { start_time: start } = report.format;
	return report.frames.map((frame) => frame.best_effort_timestamp_time - start);
}

async function pictureNumbers(path: string): Promise<number[]> {
	const filter = `scale=${CODE_BITS}:1:flags=area,format=gray`;
	const output = ['-vsync', 'passthrough', '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1'];
	const args = ['-i', fileArgument(path), '-map', '0:v:0', '-vf', filter, ...output];
	const numbers: number[] = [];
	let rest = Buffer.alloc(0);
	for await (const bytes of streamFfmpeg(args)) {
		rest = Buffer.concat([rest, bytes]);
		const whole = rest.length - (rest.length % CODE_BITS);
		for (let offset = 0; offset < whole; offset += CODE_BITS) {
			numbers.push(numberOf(rest.subarray(offset, offset + CODE_BITS)));
		}
		rest = rest.subarray(whole);
	}
	return numbers;
}

function numberOf(blocks: Uint8Array): number {
	return blocks.reduce((sum, level, bit) => sum + (level > 127 ? 2 ** bit : 0), 0);
}

async function phraseOnsets(path: string) {
	const filter = 'aresample=async=1:first_pts=0';
	const output = ['-ac', '1', '-ar', String(RATE_HZ), '-f', 's16le', 'pipe:1'];
	const args = ['-i', fileArgument(path), '-map', '0:a:0', '-af', filter, ...output];
	const onsetsSeconds: number[] = [];
	let frame = 0;
	let lastLoudFrame = -STILL_FRAMES;
	let rest = Buffer.alloc(0);
	for await (const bytes of streamFfmpeg(args)) {
		rest = Buffer.concat([rest, bytes]);
		const whole = rest.length - (rest.length % 2);
		for (let offset = 0; offset < whole; offset += 2, frame++) {
			if (Math.abs(rest.readInt16LE(offset)) < ONSET_LEVEL * 32_768) continue;
			if (frame - lastLoudFrame >= STILL_FRAMES) onsetsSeconds.push(frame / RATE_HZ);
			lastLoudFrame = frame;
		}
		rest = rest.subarray(whole);
	}
	return { onsetsSeconds, soundSeconds: frame / RATE_HZ };
}
