import { createReadStream } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';

import { crc16 } from 'crc';
import { frameBytes, mp3FrameStarts } from './mp3Frames.mts';

/** A part of an MP3 as ffmpeg writes it: an ID3 tag, an Info frame, audio frames. */
export interface Mp3Part {
	path: string;
	/** Audio frames to drop at its beginning. */
	skippedFrames: number;
	/** Audio frames to keep after those; undefined: all the rest. */
	frames?: number;
}

/** What precedes the audio in a file. */
interface Head {
	id3: Buffer;
	info: Buffer;
}

/** Totals of the audio frames kept so far. */
interface Kept {
	frames: number;
	bytes: number;
	crc: number;
}

/** More than the ID3 tag and Info frame that ffmpeg writes for us. */
const HEAD_BYTES = 8_192;

const ID3_HEADER_BYTES = 10;

/** Offsets in an Info frame, counted from its name. */
const INFO = {
	...{ frames: 8, bytes: 12, contents: 16, contentsLength: 100, delayAndPadding: 141 },
	...{ musicBytes: 148, musicCrc: 152, tagCrc: 154 },
};

/** The checksum of an Info frame covers its first 190 bytes. */
const INFO_CHECKED_BYTES = 190;

/**
 * Joins parts of an MP3 at frame boundaries into one file, and deletes the parts' files. The parts
 * have a constant bit rate and no bit reservoir, so no frame needs bytes from another. Rewrites the
 * Info frame, from which players skip the encoder's delay and padding, for the whole.
 *
 * @throws Error when a part is not an MP3 of ours, the signal's reason when aborted.
 */
export async function joinMp3(
	parts: readonly Mp3Part[],
	outputPath: string,
	signal?: AbortSignal,
): Promise<void> {
	const heads = await Promise.all(parts.map(({ path }) => readHead(path)));
	const [{ id3, info }] = heads;
	const kept: Kept = { frames: 0, bytes: 0, crc: 0 };
	{
		await using output = await open(outputPath, 'w');
		await output.writeFile(Buffer.concat([id3, info]));
		for (const [index, part] of parts.entries()) {
			const soundStart = heads[index].id3.length + heads[index].info.length;
			await copyFrames(part, soundStart, output, kept, signal);
		}
		completeInfo(info, heads[heads.length - 1].info, kept);
		await output.write(info, 0, info.length, id3.length);
	}
	for (const { path } of parts) await rm(path);
}

async function readHead(path: string): Promise<Head> {
	await using file = await open(path, 'r');
	const bytes = Buffer.alloc(HEAD_BYTES);
	await file.read(bytes, 0, HEAD_BYTES, 0);
	const id3Bytes = bytes.toString('latin1', 0, 3) === 'ID3' ? id3Length(bytes) : 0;
	const infoBytes = frameBytes(bytes, id3Bytes);
	const info = bytes.subarray(id3Bytes, id3Bytes + infoBytes);
	infoOffset(info);
	return { id3: bytes.subarray(0, id3Bytes), info };
}

/** Each byte of the size carries seven bits. */
function id3Length(bytes: Buffer): number {
	const size = [...bytes.subarray(6, 10)].reduce((sum, byte) => sum * 128 + byte, 0);
	return ID3_HEADER_BYTES + size;
}

/** Offset of the name in an Info frame; it depends on the number of channels. */
function infoOffset(info: Buffer): number {
	const offset = info.indexOf('Info', 0, 'latin1');
	if (offset < 0) throw new Error('The encoder wrote no Info frame');
	return offset;
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
		kept.frames += last - first;
		kept.bytes += wanted.length;
		kept.crc = crc16(wanted, kept.crc);
		frame += complete;
		rest = bytes.subarray(starts[complete]);
	}
}

/** Makes the first part's Info frame describe the whole. The padding is that of the last part. */
function completeInfo(info: Buffer, lastInfo: Buffer, { frames, bytes, crc }: Kept): void {
	const offset = infoOffset(info);
	const totalBytes = info.length + bytes;
	info.writeUInt32BE(frames, offset + INFO.frames);
	info.writeUInt32BE(totalBytes, offset + INFO.bytes);
	for (let percent = 0; percent < INFO.contentsLength; percent++) {
		info[offset + INFO.contents + percent] = Math.floor((256 * percent) / INFO.contentsLength);
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
