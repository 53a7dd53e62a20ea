import { readFile, writeFile } from 'node:fs/promises';

import { mediaTypeOf, type Chapter, type Cover, type Metadata } from './metadata.mts';

/**
 * Writes metadata in ffmpeg's own format, which it reads from a file: it has no argument for chapters, and
 * none long enough for a cover, which is stored in base64, as in Ogg files.
 */
export async function writeFfmetadata(
	path: string,
	{ chapters, cover }: Pick<Metadata, 'chapters' | 'cover'>,
): Promise<void> {
	const picture = cover ? [line('METADATA_BLOCK_PICTURE', await pictureBlock(cover))] : [];
	const lines = [';FFMETADATA1', ...picture, ...chapters.map(chapterLines)];
	await writeFile(path, lines.join('\n'));
}

function chapterLines({ startSeconds, endSeconds, title }: Chapter): string {
	const [start, end] = [startSeconds, endSeconds].map((seconds) => Math.round(seconds * 1_000));
	return `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\n${line('title', title)}`;
}

function line(name: string, value: string): string {
	return `${name}=${value.replace(/[=;#\\\n]/g, '\\$&')}`;
}

/** The picture as FLAC and Ogg store it: type 3 (front cover), media type, no description, size. */
async function pictureBlock(cover: Cover): Promise<string> {
	const picture = await readFile(cover.path);
	const mediaType = Buffer.from(mediaTypeOf(cover));
	const number = (value: number) => {
		const bytes = Buffer.alloc(4);
		bytes.writeUInt32BE(value);
		return bytes;
	};
	const head = [number(3), number(mediaType.length), mediaType, number(0)];
	const size = [cover.width, cover.height, 24, 0, picture.length].map(number);
	return Buffer.concat([...head, ...size, picture]).toString('base64');
}
