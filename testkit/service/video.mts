import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { execa } from 'execa';

import { makeCodedVideo, type CodedVideoPlan } from '../media/codedVideo.mts';
import { readCodedVideo, type CodedReading } from '../media/readCodedVideo.mts';
import { findFfmpeg } from '../../service/media/ffmpeg/ffmpeg.mts';
import { streamsIn, withFile } from './media.mts';
import { temporaryFolder } from '../process/temporaryFolder.mts';

/** Options for a small H.264 picture with B-frames and AAC. */
export const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-c:a', 'aac'];

/** Generates a video whose pictures show their numbers. */
export async function codedVideo(plan: CodedVideoPlan): Promise<Buffer> {
	await using folder = await temporaryFolder();
	return await readFile(await makeCodedVideo(plan, folder.path));
}

export async function readingOf(video: Buffer): Promise<CodedReading> {
	return await withFile(video, readCodedVideo);
}

export async function videoInfo(video: Buffer) {
	const { streams, container } = await streamsIn(video);
	const picture = streams.find(({ codec_type }) => codec_type === 'video');
	const sound = streams.find(({ codec_type }) => codec_type === 'audio');
	assert.ok(picture && sound && streams.length === 2);
	return { container, picture, sound: sound.codec_name };
}

export async function pictureHash(video: Buffer): Promise<string> {
	return await withFile(video, async (path) => {
		const output = ['-map', '0:v:0', '-c', 'copy', '-f', 'md5', '-'];
		const args = ['-v', 'error', '-nostdin', '-i', path, ...output];
		return (await execa(findFfmpeg().ffmpegPath, args)).stdout;
	});
}

/** The number of phrases in each video, each with a silence. */
export const PHRASES = 6;

/** Settings that cut the picture. */
export const CUT = { video: true, long_silences: true, remove_noise: false } as const;

export function planOf(
	fileName: string,
	frameRate: string,
	codecArguments: string[],
): CodedVideoPlan {
	return { fileName, frameRate, codecArguments, phrases: PHRASES };
}

export const MP4 = planOf('talk.mp4', '25', H264);
