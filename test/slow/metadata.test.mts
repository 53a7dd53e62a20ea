import assert from 'node:assert/strict';
import { test } from 'node:test';

import type NodeID3 from 'node-id3';

import { assertOtherParserReads } from '../service/support/otherParser.mts';
import { cover, editIn, jpegCover, metadataOf, mp3In } from '../service/support/taggedEdits.mts';
import { temporaryFolder } from '../service/support/temporaryFolder.mts';

await using temporary = await temporaryFolder();
const folder = temporary.path;

for (const format of ['aac', 'aiff', 'wav', 'mp4', 'flac', 'opus', 'ogg'] as const) {
	await test(`another parser reads tags, cover and moved chapters of ${format}`, async () => {
		await assertOtherParserReads(format, folder);
	});
}

const jpeg = await jpegCover(folder);
const chapter = Array.from({ length: 10_000 }, (_, index) => ({
	elementID: `c${index}`,
	...{ startTimeMs: 0, endTimeMs: 900, tags: { title: `Chapter ${index}` } },
}));
const many = chapter.slice(0, 1_000);
const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(500)]);
const lyrics = { language: 'eng', text: 'la'.repeat(80_000) };
const HOSTILE: Array<[NodeID3.Tags, RegExp]> = [
	[cover(Buffer.concat([jpeg, Buffer.alloc(50_000_000)])), /left out the cover/],
	[cover(Buffer.from('no picture '.repeat(99))), /left out the cover/],
	[cover(png, 'image/png'), /left out the cover/],
	[{ chapter }, /left out the chapters/],
	[{ chapter: many }, /kept the first 255 of 1000 chapters/],
	[{ unsynchronisedLyrics: lyrics }, /left out tags of the source for their length: 1/],
];

for (const [tags, note] of HOSTILE) {
	await test(`keeps an edit and notes metadata that it cannot keep: ${note.source}`, async () => {
		for (const export_format of ['mp3', 'm4a', 'opus'] as const) {
			const source = await mp3In(folder, { title: 'Kept', ...tags });
			const { path, notes } = await editIn(folder, [source], { export_format });
			assert.match(notes.join('\n'), note);
			assert.equal(notes.length, 1);
			assert.equal((await metadataOf(folder, path)).tags.get('title'), 'Kept');
		}
	});
}
