import { join } from 'node:path';

import { findFfmpeg } from '../ffmpeg/ffmpeg.mts';
import { writeFfmetadata } from './ffmetadata.mts';
import { fileArgument } from '../ffmpeg/guardedInput.mts';
import { id3Of } from './id3.mts';
import { mediaTypeOf, type Chapter, type Cover, type Metadata } from './metadata.mts';
import type { OutputFormat } from '../outputFormat.mts';
import type { VideoContainer } from '../picture.mts';

/** How one output gets its metadata. */
export interface CarriedMetadata {
	/** ffmpeg's inputs, after those of the sound and the picture. */
	inputs: readonly string[];
	/** ffmpeg's output options. */
	outputs: readonly string[];
	/** The ID3 tag to add to the file; empty for formats without ID3. */
	id3: Buffer;
}

type Container = OutputFormat | VideoContainer;
type Tags = Metadata['tags'];

/** What one container holds besides tags, and how. */
interface Carrier {
	/** `tags`: as tags named CHAPTER001 and so on. */
	chapters?: 'native' | 'tags';
	/** `stream`: as a video of one frame. `tag`: in base64. */
	cover?: 'stream' | 'tag' | 'attachment';
	/** The language is a property of the audio stream, not a tag. */
	hasStreamLanguage?: true;
	/** Inputs and video streams before those of the metadata. */
	before: { inputs: number; pictures: number };
	/** Tags that the oldest players read. ffmpeg writes and reads either these or all. */
	oldTags?: readonly string[];
}

const SOUND = { before: { inputs: 1, pictures: 0 } };
const VIDEO = { before: { inputs: 2, pictures: 1 } };
const MP4 = { chapters: 'native', cover: 'stream', hasStreamLanguage: true } as const;
const OGG = { ...SOUND, chapters: 'tags', cover: 'tag' } as const;
const OLD_TAGS = 'title artist album date genre comment copyright language'.split(' ');

/** In MP3, AAC, WAV and AIFF, ID3 holds everything. */
const CARRIERS: Readonly<Record<Container, Carrier | 'id3'>> = {
	mp3: 'id3',
	aac: 'id3',
	wav: 'id3',
	aiff: 'id3',
	opus: OGG,
	ogg: OGG,
	flac: { ...SOUND, chapters: 'tags', cover: 'stream' },
	m4a: { ...SOUND, ...MP4 },
	mp4: { ...VIDEO, ...MP4 },
	mov: { ...VIDEO, chapters: 'native', hasStreamLanguage: true, oldTags: OLD_TAGS },
	webm: { ...VIDEO, chapters: 'native', hasStreamLanguage: true },
	mkv: { ...VIDEO, chapters: 'native', hasStreamLanguage: true, cover: 'attachment' },
	avi: VIDEO,
};

/** INFO fields that old players read. They are written only if they hold all tags: ffmpeg would hide ID3. */
const WAV_TAGS = [...OLD_TAGS, 'track'];

/** A file without metadata. */
export const NOTHING_CARRIED: CarriedMetadata = {
	inputs: [],
	outputs: ['-map_metadata', '-1', '-map_chapters', '-1'],
	id3: Buffer.alloc(0),
};

/**
 * Prepares all the metadata that an output's format can hold.
 *
 * @param workFolder gets a file for ffmpeg.
 */
export async function carryMetadata(
	container: Container,
	metadata: Metadata,
	workFolder: string,
): Promise<CarriedMetadata> {
	const carrier = CARRIERS[container];
	const { tags, chapters, cover } = metadata;
	if (carrier === 'id3') {
		const isOld = container === 'wav' && areAllIn(WAV_TAGS, tags);
		const outputs = [...NOTHING_CARRIED.outputs, ...(isOld ? tagOptions(tags) : [])];
		return { inputs: [], outputs, id3: await id3Of(metadata) };
	}
	const path = join(workFolder, 'metadata.txt');
	// The build of 2018 cannot read lines as long as a cover.
	const holdsCover = carrier.cover === 'tag' && findFfmpeg().source === 'PATH';
	await writeFfmetadata(path, {
		chapters: carrier.chapters === 'native' ? chapters : [],
		cover: holdsCover ? cover : null,
	});
	const input = String(carrier.before.inputs);
	const demuxer = cover?.codec === 'png' ? 'png_pipe' : 'jpeg_pipe';
	const hasStream = cover !== null && carrier.cover === 'stream';
	const pictureInput = hasStream ? ['-f', demuxer, '-i', fileArgument(cover.path)] : [];
	return {
		inputs: ['-f', 'ffmetadata', '-i', fileArgument(path), ...pictureInput],
		outputs: [
			// Drops the tags of the source's streams.
			'-map_metadata:s',
			'-1',
			'-map_metadata',
			input,
			'-map_chapters',
			input,
			...tagsFor(carrier, metadata),
			...(cover ? coverOptions(carrier, cover) : []),
		],
		id3: Buffer.alloc(0),
	};
}

function areAllIn(names: readonly string[], tags: Tags): boolean {
	return [...tags.keys()].every((name) => names.includes(name));
}

function tagOptions(tags: Tags): string[] {
	return [...tags].flatMap(([name, value]) => ['-metadata', `${name}=${value}`]);
}

function tagsFor(carrier: Carrier, { tags, chapters }: Metadata): string[] {
	if (carrier.chapters === 'tags') return tagOptions(vorbisTags(tags, chapters));
	if (!carrier.hasStreamLanguage) return tagOptions(tags);
	const others = new Map(tags);
	others.delete('language');
	const language = tags.get('language');
	const spoken = language === undefined ? [] : ['-metadata:s:a:0', `language=${language}`];
	const { oldTags } = carrier;
	const wide = oldTags && !areAllIn(oldTags, tags) ? ['-movflags', '+use_metadata_tags'] : [];
	return [...tagOptions(others), ...spoken, ...wide];
}

function vorbisTags(tags: Tags, chapters: readonly Chapter[]): Tags {
	const all = new Map(tags);
	// ffmpeg writes both comment and description as DESCRIPTION, and one would be lost.
	const [comment, description] = [tags.get('comment'), tags.get('description')];
	if (comment !== undefined && description !== undefined && comment !== description) {
		all.delete('description');
		all.set('comment', `${comment}\n\n${description}`);
	}
	for (const [index, { startSeconds, title }] of chapters.entries()) {
		const name = `CHAPTER${String(index + 1).padStart(3, '0')}`;
		const time = new Date(Math.round(startSeconds * 1_000)).toISOString().slice(11, 23);
		all.set(name, time).set(`${name}NAME`, title);
	}
	return all;
}

function coverOptions({ cover: way, before }: Carrier, cover: Cover): string[] {
	if (way === 'attachment') {
		const name = `filename=cover.${cover.codec === 'png' ? 'png' : 'jpg'}`;
		const fields = [`mimetype=${mediaTypeOf(cover)}`, name];
		return ['-attach', cover.path, ...fields.flatMap((field) => ['-metadata:s:t:0', field])];
	}
	if (way !== 'stream') return [];
	const stream = `v:${before.pictures}`;
	return [
		'-map',
		`${before.inputs + 1}:v`,
		`-c:${stream}`,
		'copy',
		`-disposition:${stream}`,
		'attached_pic',
		`-metadata:s:${stream}`,
		'comment=Cover (front)',
	];
}
