import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { z } from 'zod';

import { makeCodedVideo, type CodedVideoPlan } from '../../../bench/eval/codedVideo.mts';
import { readCodedVideo, type CodedReading } from '../../../bench/eval/readCodedVideo.mts';
import { findFfmpeg } from '../../../service/media/ffmpeg/ffmpeg.mts';
import { convertedTo, withFile } from './media.mts';
import { temporaryFolder } from './temporaryFolder.mts';

const execute = promisify(execFile);

/** Options for a small H.264 picture with B-frames and AAC. */
export const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-c:a', 'aac'];

const reportSchema = z.object({
	streams: z.array(
		z.object({
			codec_type: z.string(),
			codec_name: z.string(),
			width: z.number().optional(),
			height: z.number().optional(),
			avg_frame_rate: z.string(),
			side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
		}),
	),
	format: z.object({ format_name: z.string() }),
});

/** Generates a video whose pictures show their numbers. */
export async function codedVideo(plan: CodedVideoPlan): Promise<Buffer> {
	await using folder = await temporaryFolder();
	return await readFile(await makeCodedVideo(plan, folder.path));
}

/** Reads a video's picture numbers and phrases. */
export async function readingOf(video: Buffer): Promise<CodedReading> {
	return await withFile(video, readCodedVideo);
}

/** Returns container and streams of a video, as reported by ffprobe. */
export async function videoInfo(video: Buffer) {
	return await withFile(video, async (path) => {
		const options = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', path];
		const { stdout } = await execute(findFfmpeg().ffprobePath, options);
		const { streams, format } = reportSchema.parse(JSON.parse(stdout));
		const picture = streams.find(({ codec_type }) => codec_type === 'video');
		const sound = streams.find(({ codec_type }) => codec_type === 'audio');
		assert.ok(picture && sound && streams.length === 2);
		return { container: format.format_name, picture, sound: sound.codec_name };
	});
}

/** Returns a hash of the coded picture stream. */
export async function pictureHash(video: Buffer): Promise<string> {
	return await withFile(video, async (path) => {
		const output = ['-map', '0:v:0', '-c', 'copy', '-f', 'md5', '-'];
		const args = ['-v', 'error', '-nostdin', '-i', path, ...output];
		return (await execute(findFfmpeg().ffmpegPath, args)).stdout;
	});
}

/** Returns the video with metadata to rotate it by 90 degrees. */
export async function turned(video: Buffer): Promise<Buffer> {
	return await convertedTo(video, 'mp4', '-c', 'copy', '-metadata:s:v:0', 'rotate=90');
}
