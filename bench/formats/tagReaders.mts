import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseBuffer } from 'music-metadata';

import { probed } from '../../test/support/mediaFiles.ts';

/** The tags and chapters that a reader finds in a file; a missing text is empty. */
export interface ReadTags {
	readonly title: string;
	readonly author: string;
	readonly show: string;
	readonly description: string;
	readonly episodeNumber: string;
	readonly season: string;
	readonly date: string;
	/** Missing where the reader does not say the size of the picture. */
	readonly coverBytes?: number;
	readonly chapters: ReadonlyArray<readonly [startMs: number, title: string]>;
}

/** Other people's readers of tags, by name. */
export const TAG_READERS: Readonly<
	Record<string, (file: Buffer, name: string) => ReadTags | Promise<ReadTags>>
> = { ffprobe: readWithFfprobe, musicMetadata: readWithMusicMetadata, mutagen: readWithMutagen };

function readWithFfprobe(file: Buffer, name: string): ReadTags {
	const { format, chapters } = probed(file, name);
	const { title = '', artist = '', album = '', track = '', disc = '' } = format.tags ?? {};
	const { comment = '', date = '' } = format.tags ?? {};
	return {
		...{ title, author: artist, show: album, description: comment },
		...{ episodeNumber: track, season: disc, date },
		chapters: chapters.map(({ start_time, tags }) => [
			Math.round(Number(start_time) * 1_000),
			tags?.title ?? '',
		]),
	};
}

async function readWithMusicMetadata(file: Buffer): Promise<ReadTags> {
	const { common, format } = await parseBuffer(file, undefined, { includeChapters: true });
	const { title = '', artist = '', album = '', track, disk, date = '', comment } = common;
	return {
		...{ title, author: artist, show: album, description: comment?.[0].text ?? '' },
		...{ episodeNumber: String(track.no), season: String(disk.no), date },
		coverBytes: common.picture?.[0].data.length,
		chapters: (format.chapters ?? []).map((chapter) => [
			Math.round((chapter.start * 1_000) / (chapter.timeScale ?? 1)),
			chapter.title,
		]),
	};
}

function readWithMutagen(file: Buffer, name: string): ReadTags {
	const folder = mkdtempSync(join(tmpdir(), 'audio-editing-formats-'));
	try {
		const path = join(folder, name);
		writeFileSync(path, file);
		const script = new URL('readTags.py', import.meta.url).pathname;
		// Debian's Python has Debian's mutagen.
		const output = execFileSync('/usr/bin/python3', [script, path], { encoding: 'utf8' });
		return JSON.parse(output) as ReadTags;
	} finally {
		rmSync(folder, { recursive: true });
	}
}
