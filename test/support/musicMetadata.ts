/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests are not a community node: they run programs */
import { execFileSync } from 'child_process';
import { resolve } from 'path';

/** What music-metadata reads of a file. */
export interface MusicMetadata {
	common: Record<string, unknown>;
	/** By the names of the file's format, such as `TIT2`. For a picture, its size in bytes. */
	tags: Record<string, unknown>;
	chapters: Array<{ start: number; title: string }>;
}

const READER = resolve('test/support/readMusicMetadata.mts');

/** Reads a file with the library music-metadata, which is an ES module: jest cannot load it. */
export function readWithMusicMetadata(file: Buffer): MusicMetadata {
	const maxBuffer = 64 * 1024 * 1024;
	const output = execFileSync(process.execPath, [READER], { input: file, maxBuffer });
	return JSON.parse(output.toString()) as MusicMetadata;
}
