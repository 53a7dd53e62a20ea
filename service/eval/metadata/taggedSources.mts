import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runFfmpeg } from '../../media/ffmpeg/runFfmpeg.mts';
import { writeFfmetadata } from '../../media/tags/ffmetadata.mts';
import { makeRecording } from '../../../testkit/media/recording.ts';

/** The tags of every source, by ffmpeg's names. */
export const TAGS: Readonly<Record<string, string>> = {
	title: 'Über Käse; 100 % = ganz #1 \\ 日本',
	artist: 'Zoë Ångström',
	album: 'Der Käse-Podcast',
	album_artist: 'Käserei',
	track: '3/12',
	disc: '1/2',
	date: '2024-05-06',
	genre: 'Podcast',
	comment: 'Zeile eins\nZeile zwei: ça va?',
	composer: 'Jürgen Größe',
	copyright: '© 2024 Käserei',
	language: 'ger',
	publisher: 'Verlag Łódź',
	mood: 'heiter',
};

/**
 * The chapters of every source. The engine cuts most of 2 to 3.5 s and of 5.5 to 8 s, so the second
 * begins within a cut and the third lies in one.
 */
export const CHAPTERS = [
	{ startSeconds: 0, endSeconds: 2.75, title: 'Eröffnung' },
	{ startSeconds: 2.75, endSeconds: 6, title: 'Zweites = "Kapitel"; #2' },
	{ startSeconds: 6, endSeconds: 7.5, title: 'Pause' },
	{ startSeconds: 7.5, endSeconds: 12.5, title: 'Ende' },
];

/** Speech with two pauses of 1.5 and 2.5 s. */
const TALK = { partsSeconds: [2, 1.5, 2, 2.5, 4.5] };

const VIDEO = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];

/** Options that ffmpeg needs to write one format with all that it can hold. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
	'talk.mp3': ['-b:a', '96k'],
	'talk.aiff': ['-write_id3v2', '1'],
	'talk.ogg': ['-c:a', 'libvorbis'],
	'talk.mp4': VIDEO,
	'talk.mov': [...VIDEO, '-movflags', 'use_metadata_tags'],
	'talk.mkv': VIDEO,
	'talk.webm': ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
	'talk.avi': ['-c:v', 'mpeg4', '-c:a', 'libmp3lame'],
};

/** Where a source gets its cover. */
const COVER: Readonly<Partial<Record<string, 'attachment' | 'stream'>>> = {
	'talk.mp3': 'stream',
	'talk.aiff': 'stream',
	'talk.mp4': 'stream',
	'talk.mkv': 'attachment',
};

/**
 * Writes a source with all tags, four chapters and a cover, as far as ffmpeg writes them in its
 * format; returns its path.
 *
 * @param name one of `talk.mp3`, `.aiff`, `.ogg`, `.mp4`, `.mov`, `.mkv`, `.webm`, `.avi`.
 */
export async function taggedSource(name: string, folder: string): Promise<string> {
	const [sound, cover, text] = ['talk.wav', 'cover.jpg', 'talk.txt'].map((it) => join(folder, it));
	await writeFile(sound, makeRecording(TALK));
	await runFfmpeg(['-f', 'lavfi', '-i', 'testsrc=s=300x200', '-frames:v', '1', cover]);
	const isOgg = name.endsWith('.ogg');
	const picture = { path: cover, codec: 'mjpeg', width: 300, height: 200 } as const;
	await writeFfmetadata(text, {
		chapters: isOgg ? [] : CHAPTERS,
		cover: isOgg ? picture : null,
	});
	const isVideo = OPTIONS[name].includes('-c:v');
	const pictures = isVideo ? ['-f', 'lavfi', '-i', 'testsrc=s=64x64:r=10:d=12.5'] : [];
	const path = join(folder, name);
	await runFfmpeg([
		'-i',
		sound,
		'-i',
		text,
		'-i',
		cover,
		...pictures,
		...(isVideo ? ['-map', '3:v'] : []),
		'-map',
		'0:a',
		'-map_metadata',
		'1',
		'-map_chapters',
		'1',
		...OPTIONS[name],
		...coverOptions(name, cover, isVideo),
		...Object.entries(isOgg ? { ...TAGS, ...chapterTags() } : TAGS).flatMap(optionOf),
		'-metadata:s:a:0',
		`language=${TAGS.language}`,
		path,
	]);
	return path;
}

function optionOf([name, value]: [string, string]): string[] {
	return ['-metadata', `${name}=${value}`];
}

function coverOptions(name: string, cover: string, isVideo: boolean): string[] {
	if (COVER[name] === 'attachment') {
		return ['-attach', cover, '-metadata:s:t:0', 'mimetype=image/jpeg'];
	}
	if (COVER[name] !== 'stream') return [];
	const stream = isVideo ? 'v:1' : 'v:0';
	return ['-map', '2:v', `-c:${stream}`, 'copy', `-disposition:${stream}`, 'attached_pic'];
}

function chapterTags(): Record<string, string> {
	const tags: Record<string, string> = {};
	for (const [index, { startSeconds, title }] of CHAPTERS.entries()) {
		tags[`CHAPTER00${index + 1}`] = `00:00:0${startSeconds.toFixed(3)}`;
		tags[`CHAPTER00${index + 1}NAME`] = title;
	}
	return tags;
}
