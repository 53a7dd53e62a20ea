import { createReadStream } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';

import { crc16 } from 'crc';
import { frameBytes, mp3FrameStarts } from './mp3Frames.mts';

/** A part of an MP3 as ffmpeg writes it without ID3: an Info frame, audio frames. */
export interface Mp3Part {
	path: string;
	/** Audio frames to drop at its beginning. */
	skippedFrames: number;
	/** Audio frames to keep after those; undefined: all the rest. */
	frames?: number;
}

/** Totals of the audio frames kept so far, and the places of every so many of them, in bytes. */
interface Kept {
	frames: number;
	bytes: number;
	crc: number;
	places: number[];
}

/** Frames from one noted place to the next: 0.1 s at 44.1 kHz, and 4 MB of memory for 12 hours. */
const NOTED_FRAMES = 4;

/** More than an Info frame. */
const HEAD_BYTES = 8_192;

/** Offsets in an Info frame, counted from its name. */
const INFO = {
	frames: 8,
	bytes: 12,
	contents: 16,
	contentsLength: 100,
	delayAndPadding: 141,
	musicBytes: 148,
	musicCrc: 152,
	tagCrc: 154,
};

/** The checksum of an Info frame covers its first 190 bytes. */
const INFO_CHECKED_BYTES = 190;

/**
 * Joins parts of an MP3 at frame boundaries into one file, and deletes the parts' files. The parts
 * have no bit reservoir, so no frame needs bytes from another. Rewrites the Info frame, from which
 * players skip the encoder's delay and padding and find a place in time, for the whole. With a
 * variable bit rate, its name is Xing.
 *
 * @param id3 the tag to begin the file with; may be empty.
 * @throws Error when a part is not an MP3 of ours, the signal's reason when aborted.
 */
export async function joinMp3(
	parts: readonly Mp3Part[],
	outputPath: string,
	id3: Buffer,
	signal?: AbortSignal,
): Promise<void> {
	const infos = await Promise.all(parts.map(({ path }) => readInfo(path)));
	const [info] = infos;
	const kept: Kept = { frames: 0, bytes: 0, crc: 0, places: [] };
	{
		await using output = await open(outputPath, 'w');
		await output.writeFile(Buffer.concat([id3, info]));
		for (const [index, part] of parts.entries()) {
			await copyFrames(part, infos[index].length, output, kept, signal);
		}
		completeInfo(info, infos, kept);
		await output.write(info, 0, info.length, id3.length);
	}
	for (const { path } of parts) await rm(path);
}

async function readInfo(path: string): Promise<Buffer> {
	await using file = await open(path, 'r');
	const bytes = Buffer.alloc(HEAD_BYTES);
	await file.read(bytes, 0, HEAD_BYTES, 0);
	const info = bytes.subarray(0, frameBytes(bytes, 0));
	infoOffset(info);
	return info;
}

const CONSTANT = 'Info';
const VARIABLE = 'Xing';

/** Offset of the name in an Info frame; it depends on the number of channels. */
function infoOffset(info: Buffer): number {
	const offset = Math.max(info.indexOf(CONSTANT, 0, 'latin1'), info.indexOf(VARIABLE, 0, 'latin1'));
	if (offset < 0) throw new Error('The encoder wrote no Info frame');
	return offset;
}

function isVariable(info: Buffer): boolean {
	return info.includes(VARIABLE, 0, 'latin1');
}

/** Appends the frames to keep from one part. */
async function copyFrames(
	{ path, skippedFrames, frames = Infinity }: Mp3Part,
	soundStart: number,
	output: FileHandle,
	kept: Kept,
	signal?: AbortSignal,
): Promise<void> {
	const input = createReadStream(path, { start: soundStart, highWaterMark: 1 << 20 });
	let rest = Buffer.alloc(0);
	let frame = 0;
	for await (const chunk of input) {
		signal?.throwIfAborted();
		if (!Buffer.isBuffer(chunk)) continue;
		const bytes = Buffer.concat([rest, chunk]);
		const starts = mp3FrameStarts(bytes);
		const complete = starts.length - 1;
		const first = Math.min(complete, Math.max(0, skippedFrames - frame));
		const last = Math.max(first, Math.min(complete, skippedFrames + frames - frame));
		const wanted = bytes.subarray(starts[first], starts[last]);
		await output.appendFile(wanted);
		for (let at = first; at < last; at++) {
			if ((kept.frames + at - first) % NOTED_FRAMES !== 0) continue;
			kept.places.push(kept.bytes + starts[at] - starts[first]);
		}
		kept.frames += last - first;
		kept.bytes += wanted.length;
		kept.crc = crc16(wanted, kept.crc);
		frame += complete;
		rest = bytes.subarray(starts[complete]);
	}
}

/** Makes the first part's Info frame describe the whole. The padding is that of the last part. */
function completeInfo(
	info: Buffer,
	infos: readonly Buffer[],
	{ frames, bytes, crc, places }: Kept,
): void {
	const lastInfo = infos[infos.length - 1];
	const offset = infoOffset(info);
	// A part may be all alike, such as silence.
	if (infos.some(isVariable)) info.write(VARIABLE, offset, 'latin1');
	const totalBytes = info.length + bytes;
	info.writeUInt32BE(frames, offset + INFO.frames);
	info.writeUInt32BE(totalBytes, offset + INFO.bytes);
	for (let percent = 0; percent < INFO.contentsLength; percent++) {
		const place = places[Math.floor((frames * percent) / INFO.contentsLength / NOTED_FRAMES)] ?? 0;
		const share = percent === 0 ? 0 : (info.length + place) / totalBytes;
		info[offset + INFO.contents + percent] = Math.min(255, Math.floor(256 * share));
	}
	// 12 bits of delay, 12 of padding.
	const at = offset + INFO.delayAndPadding;
	const delay = info.readUIntBE(at, 3) >> 12;
	const padding = lastInfo.readUIntBE(infoOffset(lastInfo) + INFO.delayAndPadding, 3) & 0xfff;
	info.writeUIntBE((delay << 12) | padding, at, 3);
	info.writeUInt32BE(totalBytes, offset + INFO.musicBytes);
	info.writeUInt16BE(crc, offset + INFO.musicCrc);
	info.writeUInt16BE(crc16(info.subarray(0, INFO_CHECKED_BYTES)), offset + INFO.tagCrc);
}
