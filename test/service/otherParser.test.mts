import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseFile } from 'music-metadata';

import { chaptersAfter, editTagged, TRIALS } from '../../bench/eval/metadata/keptMetadata.mts';
import { TAGS } from '../../bench/eval/metadata/taggedSources.mts';
import { assertNear } from './support/assertNear.mts';
import { casesOf } from './support/casesOf.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';

await using temporary = await temporaryFolder();

/** Formats that music-metadata reads, with what it does not find in them. */
const UNREAD = {
	...{ mp3: [], aac: [], aiff: [], wav: [], m4a: ['language'], mp4: ['language'] },
	...{ flac: ['chapters'], opus: ['chapters'], ogg: ['chapters'] },
} satisfies Readonly<Record<string, readonly string[]>>;

/** Asserts that music-metadata reads tags, cover and moved chapters of an edited file. */
async function assertIsRead(format: keyof typeof UNREAD): Promise<void> {
	const unread: readonly string[] = UNREAD[format];
	const { path, edits } = await editTagged(TRIALS[format], temporary.path);
	const { common, format: technical } = await parseFile(path, { includeChapters: true });
	const { title, artist, album, albumartist, track, disk, date, genre, composer } = common;
	assert.deepEqual([title, artist, album], [TAGS.title, TAGS.artist, TAGS.album]);
	assert.deepEqual([albumartist, date, genre], [TAGS.album_artist, TAGS.date, [TAGS.genre]]);
	assert.deepEqual(
		[track, disk].map(({ no, of }) => `${no}/${of}`),
		[TAGS.track, TAGS.disc],
	);
	assert.deepEqual([composer, common.copyright], [[TAGS.composer], TAGS.copyright]);
	const [comment] = [...(common.comment ?? []), ...(common.description ?? [])];
	assert.equal(typeof comment === 'string' ? comment : comment.text, TAGS.comment);
	if (!unread.includes('language')) assert.equal(common.language, TAGS.language);
	const picture = common.picture?.at(0);
	assert.equal(picture?.format, 'image/jpeg');
	assert.equal(picture.data.subarray(0, 3).toString(), '255,216,255');
	if (unread.includes('chapters')) return;
	const found = technical.chapters ?? [];
	const isMp4 = format === 'm4a' || format === 'mp4';
	for (const [index, { startSeconds, title: name }] of chaptersAfter(edits).entries()) {
		assert.equal(found[index].title, name);
		const start = found[index].start / (isMp4 ? (found[index].timeScale ?? 1) : 1);
		assertNear(start, startSeconds, 0.02, `seconds of ${name}`);
	}
	assert.equal(found.length, 3);
}

for (const format of casesOf(
	['mp3', 'm4a'],
	['aac', 'aiff', 'wav', 'mp4', 'flac', 'opus', 'ogg'],
)) {
	await test(`another parser reads tags, cover and moved chapters of ${format}`, async () => {
		await assertIsRead(format);
	});
}
