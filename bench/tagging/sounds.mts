/** Tags files of many encodings as a node does, and compares what they decode to. */
import { extname } from 'node:path';

import type { TagRequest } from '../../formats/tags/episodeTags.ts';
import { encodedSound, soundHash } from '../../testkit/media/mediaFiles.ts';
import { CHAPTERS, retagged, TAGS } from '../../testkit/media/retagged.ts';

const AAC = ['-c:a', 'aac', '-movflags', '+faststart'];

const OLD = ['-b:a', '96k'];

/** Encoders' arguments by the name of the file. */
const ENCODINGS: Readonly<Record<string, readonly string[]>> = {
	'cbr.mp3': ['-b:a', '128k'],
	'vbr.mp3': ['-q:a', '4'],
	'loud-320.mp3': ['-b:a', '320k', '-ar', '48000'],
	'mono-22k.mp3': ['-b:a', '32k', '-ar', '22050', '-ac', '1'],
	'mono-8k.mp3': ['-b:a', '8k', '-ar', '8000', '-ac', '1'],
	'no-info.mp3': ['-b:a', '96k', '-write_xing', '0', '-id3v2_version', '0'],
	'old-tag-3.mp3': [...OLD, '-id3v2_version', '3', '-metadata', 'title=Old', '-write_id3v1', '1'],
	'old-tag-4.mp3': [...OLD, '-id3v2_version', '4', '-metadata', 'genre=Old'],
	'aac.m4a': AAC,
	'alac.m4a': ['-c:a', 'alac', '-movflags', '+faststart'],
	'old-tag.m4a': [...AAC, '-metadata', 'title=Old', '-metadata', 'genre=Old'],
	'video.mp4': ['-f', 'lavfi', '-i', 'testsrc=d=20:s=64x64', '-shortest', ...AAC],
};

/** Each way to write. */
const REQUESTS: ReadonlyArray<Partial<TagRequest>> = [
	{ tags: TAGS },
	{ chapters: CHAPTERS },
	{ tags: TAGS, existing: 'overwrite', chapters: CHAPTERS },
	{ existing: 'remove' },
];

const LENGTH_SECONDS = 20;

/** How many of all tagged files have new bytes and the same sound as the untagged one. */
export function equalSounds(): { equal: number; all: number } {
	let equal = 0;
	for (const [name, args] of Object.entries(ENCODINGS)) {
		const source = encodedSound(LENGTH_SECONDS, args, extname(name).slice(1));
		const hash = soundHash(source, name);
		for (const [index, request] of REQUESTS.entries()) {
			const { file, note } = retagged(source, request);
			if (note === undefined && soundHash(file, name) === hash) equal += 1;
			else console.log(`${name}, request ${index}: ${note ?? 'another sound'}`);
		}
	}
	return { equal, all: Object.keys(ENCODINGS).length * REQUESTS.length };
}
