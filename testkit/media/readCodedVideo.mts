import { z } from 'zod';

import { fileArgument } from '../../service/media/ffmpeg/guardedInput.mts';
import { probeFile } from '../../service/media/ffmpeg/runFfmpeg.mts';
import { CODE_BITS } from './codedVideo.mts';
import { decoded, outputOf } from './decoded.mts';
import { RATE_HZ } from './signals.mts';

const ONSET_LEVEL = 0.04;
/** Frames: the level never falls below the threshold for this long within a phrase. */
const STILL_FRAMES = 0.25 * RATE_HZ;

const framesSchema = z.object({
	frames: z.array(z.object({ best_effort_timestamp_time: z.coerce.number() })),
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
	const report = await probeFile(path, entries, undefined, ['-select_streams', 'v:0']);
	const { frames, format } = framesSchema.parse(report);
	return frames.map((frame) => frame.best_effort_timestamp_time - format.start_time);
}

async function pictureNumbers(path: string): Promise<number[]> {
	const filter = `scale=${CODE_BITS}:1:flags=area,format=gray`;
	const output = ['-vsync', 'passthrough', '-f', 'rawvideo', '-pix_fmt', 'gray'];
	const bytes = await outputOf([...inputOf(path), '-map', '0:v:0', '-vf', filter, ...output]);
	return Array.from({ length: bytes.length / CODE_BITS }, (_, picture) =>
		numberOf(bytes.subarray(picture * CODE_BITS, (picture + 1) * CODE_BITS)),
	);
}

function numberOf(blocks: Uint8Array): number {
	return blocks.reduce((sum, level, bit) => sum + (level > 127 ? 2 ** bit : 0), 0);
}

async function phraseOnsets(path: string) {
	const filter = 'aresample=async=1:first_pts=0';
	const samples = await decoded([...inputOf(path), '-map', '0:a:0', '-af', filter]);
	const onsetsSeconds: number[] = [];
	let lastLoudFrame = -STILL_FRAMES;
	for (const [frame, sample] of samples.entries()) {
		if (Math.abs(sample) < ONSET_LEVEL) continue;
		if (frame - lastLoudFrame >= STILL_FRAMES) onsetsSeconds.push(frame / RATE_HZ);
		lastLoudFrame = frame;
	}
	return { onsetsSeconds, soundSeconds: samples.length / RATE_HZ };
}

const inputOf = (path: string) => ['-i', fileArgument(path)];
