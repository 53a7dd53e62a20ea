import { readFile } from 'node:fs/promises';

import NodeID3 from 'node-id3';

import { mediaTypeOf, type Metadata } from './metadata.mts';

/** The ID3 frames of ffmpeg's generic tag names. */
const FRAMES: Readonly<Partial<Record<string, string>>> = {
	album: 'TALB',
	album_artist: 'TPE2',
	artist: 'TPE1',
	compilation: 'TCMP',
	composer: 'TCOM',
	copyright: 'TCOP',
	date: 'TDRC',
	disc: 'TPOS',
	genre: 'TCON',
	grouping: 'TIT1',
	isrc: 'TSRC',
	language: 'TLAN',
	performer: 'TPE3',
	publisher: 'TPUB',
	title: 'TIT2',
	track: 'TRCK',
};

/** A text frame that has no generic name, such as `TMED`. */
const TEXT_FRAME_PATTERN = /^T(?!XXX)[A-Z0-9]{3}$/;

/**
 * Returns an ID3v2.3 tag; empty without metadata. ffmpeg would write comments where most players do
 * not look.
 */
export async function id3Of({ tags, chapters, cover }: Metadata): Promise<Buffer> {
	const texts: Record<string, string> = {};
	const userDefinedText: Array<{ description: string; value: string }> = [];
	const language = /^[a-z]{3}$/.exec(tags.get('language') ?? '')?.[0] ?? 'eng';
	const special: NodeID3.Tags = { userDefinedText };
	for (const [name, value] of tags) {
		const frame = FRAMES[name] ?? TEXT_FRAME_PATTERN.exec(name)?.[0];
		if (frame !== undefined) texts[frame] = value;
		else if (name === 'comment') special.comment = { language, text: value };
		else if (name === 'lyrics') special.unsynchronisedLyrics = { language, text: value };
		else userDefinedText.push({ description: name, value });
	}
	if (cover) {
		const imageBuffer = await readFile(cover.path);
		// Type 3 is the front cover.
		special.image = { mime: mediaTypeOf(cover), type: { id: 3 }, description: '', imageBuffer };
	}
	if (chapters.length > 0) Object.assign(special, chapterFrames(chapters));
	const hasContent = tags.size > 0 || chapters.length > 0 || cover !== null;
	return hasContent ? NodeID3.create(Object.assign(special, texts)) : Buffer.alloc(0);
}

/** Some players show chapters only with a table of contents. */
function chapterFrames(chapters: Metadata['chapters']) {
	const chapter = chapters.map(({ startSeconds, endSeconds, title }, index) => ({
		elementID: `chapter${index + 1}`,
		startTimeMs: Math.round(startSeconds * 1_000),
		endTimeMs: Math.round(endSeconds * 1_000),
		tags: { title },
	}));
	const elements = chapter.map(({ elementID }) => elementID);
	return { chapter, tableOfContents: [{ elementID: 'contents', isOrdered: true, elements }] };
}
