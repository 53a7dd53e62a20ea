import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { parseFile } from 'music-metadata';
import NodeID3 from 'node-id3';

import { chaptersAfter, editTagged, TRIALS } from '../eval/metadata/keptMetadata.mts';
import { CHAPTERS, TAGS, taggedSource } from '../eval/metadata/taggedSources.mts';
import { exportSound } from '../engine/export/exportTracks.mts';
import { metadataAfter, metadataOfMix } from '../engine/export/keptMetadata.mts';
import { editRecording } from '../engine/editRecording.mts';
import { processedTrack, readRecordingTrack } from '../engine/recordingTrack.mts';
import { pcmSourceOf } from '../media/pcmFile.mts';
import { NO_METADATA, readMetadata } from '../media/tags/metadata.mts';
import { type EditConfig, resolveEditConfig } from '../shared/contract.mts';
import { makeRecording } from '../../testkit/media/recording.ts';
import { assertNear } from './support/assertNear.mts';
import { casesOf } from './support/casesOf.mts';
import { convertedTo } from '../../testkit/service/media.mts';
import { shortRecording } from '../../testkit/service/recordings.mts';
import { SyntheticTalk } from './support/syntheticTalk.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { unzipped } from '../../testkit/service/zip.mts';

await using temporary = await temporaryFolder();
const folder = temporary.path;

async function edit(paths: readonly string[], config: EditConfig) {
	const [workFolder, resultFolder] = await Promise.all(
		['work', 'result'].map((name) => mkdtemp(join(folder, name))),
	);
	const request = {
		sources: paths.map((path, index) => ({ path, name: `track${index + 1}.mp3` })),
		config: resolveEditConfig({ remove_noise: false, ...config }),
		maxSourceSeconds: 3_600,
		workFolder,
		resultFolder,
	};
	const { fileName, notes } = await editRecording(request, () => undefined);
	return { path: join(resultFolder, fileName), notes };
}

const untagged = (wav: Buffer) => convertedTo(wav, 'mp3', '-id3v2_version', '0');
const plainMp3 = await untagged(shortRecording);
let names = 0;

async function mp3With(tags: NodeID3.Tags, sound = plainMp3): Promise<string> {
	const path = join(folder, `source${++names}.mp3`);
	await writeFile(path, Buffer.concat([NodeID3.create(tags), sound]));
	return path;
}

/** The metadata that the service would read from a file. */
async function metadataIn(path: string) {
	return (await readMetadata(path, await mkdtemp(join(folder, 'read')))).metadata;
}

const cover = (imageBuffer: Buffer, mime = 'image/jpeg') => ({
	image: { mime, type: { id: 3 }, description: '', imageBuffer },
});

const tagged = await taggedSource('talk.mp3', await mkdtemp(join(folder, 'cover')));
const jpeg = await readFile(join(tagged, '../cover.jpg'));

await test('keeps the samples and length of an MP3 in parts, with cover and tags', async () => {
	const longMp3 = await untagged(makeRecording({ partsSeconds: [70] }));
	const tagged = await mp3With({ title: 'Long', ...cover(jpeg) }, longMp3);
	const bare = await mp3With({}, longMp3);
	const [withTags, without] = [await edit([tagged], {}), await edit([bare], {})];
	const [long, short] = [await readFile(withTags.path), await readFile(without.path)];
	assert.ok(long.length > short.length + jpeg.length);
	assert.ok(long.subarray(-short.length).equals(short), 'the sound or its Info frame differs');
	assert.equal((await metadataIn(withTags.path)).tags.get('title'), 'Long');
});

await test('drops tags that are technical, false after the edit, or private', async () => {
	const dropped = ['REPLAYGAIN_TRACK_GAIN', 'R128_TRACK_GAIN', 'iTunNORM', 'iTunSMPB', 'encoder'];
	const values = [...dropped, 'location', 'CUESHEET', 'Mood'].map((description) => {
		return { description, value: 'x' };
	});
	const source = await mp3With({ title: 'T', encodedBy: 'x', userDefinedText: values });
	for (const export_format of ['mp3', 'flac', 'wav'] as const) {
		const { path } = await edit([source], { export_format });
		const tags = [...(await metadataIn(path)).tags];
		assert.deepEqual(tags.toSorted(), [
			['Mood', 'x'],
			['title', 'T'],
		]);
		const text = (await readFile(path)).toString('latin1').replaceAll('\0', '');
		assert.ok(!/replaygain|r128_|itun|cuesheet|location/i.test(text), export_format);
	}
});

await test("drops the location and the streams' own tags of a phone's video", async () => {
	const source = await taggedSource('talk.mp4', await mkdtemp(join(folder, 'phone')));
	const tags = ['-metadata', 'location=+52.5+013.4/', '-metadata:s:v:0', 'handler_name=Home St 5'];
	const streams = ['-map', '0:v:0', '-map', '0:a'];
	const phone = await convertedTo(await readFile(source), 'mp4', ...streams, ...tags);
	const path = join(folder, 'phone.mp4');
	await writeFile(path, phone);
	assert.ok(['Home St 5', 'loci'].every((text) => phone.includes(text)));
	for (const long_silences of [true, false]) {
		const { path: result } = await edit([path], { video: true, long_silences });
		assert.equal((await metadataIn(result)).tags.get('title'), TAGS.title);
		const video = await readFile(result);
		assert.ok(!['Home St 5', 'loci'].some((text) => video.includes(text)));
	}
});

await test('writes the plain fields of WAV if they hold all tags', async () => {
	const toWav = async (tags: NodeID3.Tags) =>
		await edit([await mp3With(tags)], { export_format: 'wav' });
	const plain = await toWav({ title: 'Plain' });
	assert.ok((await readFile(plain.path)).includes('INFOINAM'));
	const wide = await toWav({ title: 'Wide', composer: 'Bob' });
	assert.ok(!(await readFile(wide.path)).includes('INAM'));
	assert.equal((await metadataIn(wide.path)).tags.get('composer'), 'Bob');
});

await test('takes the metadata of a mix from the first track that has it; tracks in a ZIP keep their own', async () => {
	const first = await mp3With({ title: 'One' });
	const second = await mp3With({ title: 'Two', artist: 'Ann', ...cover(jpeg) });
	const { path: mix } = await edit([first, second], { merge: true, export_format: 'flac' });
	const mixed = await metadataIn(mix);
	assert.deepEqual([...mixed.tags].toSorted(), [
		['artist', 'Ann'],
		['title', 'One'],
	]);
	assert.equal(mixed.cover?.width, 300);
	const { path: zip } = await edit([first, second], {});
	const tracks = [...(await unzipped(await readFile(zip))).values()];
	const titles = tracks.map((track) => {
		const { title, artist, image } = NodeID3.read(track);
		return [title, artist, image !== undefined];
	});
	assert.deepEqual(titles, [
		['One', undefined, false],
		['Two', 'Ann', true],
	]);
});

const chapter = Array.from({ length: 10_000 }, (_, index) => ({
	elementID: `c${index}`,
	startTimeMs: 0,
	endTimeMs: 900,
	tags: { title: `Chapter ${index}` },
}));
const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(500)]);
const lyrics = { language: 'eng', text: 'la'.repeat(80_000) };

for (const [tags, note] of casesOf<readonly [NodeID3.Tags, RegExp]>(
	[[cover(png, 'image/png'), /left out the cover/]],
	[
		[cover(Buffer.concat([jpeg, Buffer.alloc(50_000_000)])), /left out the cover/],
		[cover(Buffer.from('no picture '.repeat(99))), /left out the cover/],
		[{ chapter }, /left out the chapters/],
		[{ chapter: chapter.slice(0, 1_000) }, /kept the first 255 of 1000 chapters/],
		[{ unsynchronisedLyrics: lyrics }, /left out tags of the source for their length: 1/],
	],
)) {
	await test(`keeps an edit and notes metadata that it cannot keep: ${note.source}`, async () => {
		for (const export_format of casesOf(['m4a'], ['mp3', 'opus'])) {
			const source = await mp3With({ title: 'Kept', ...tags });
			const { path, notes } = await edit([source], { export_format });
			assert.match(notes.join('\n'), note);
			assert.equal(notes.length, 1);
			assert.equal((await metadataIn(path)).tags.get('title'), 'Kept');
		}
	});
}

await test('moves chapters with cuts, drops those cut as a whole, and ends them with the sound', () => {
	const source = { ...NO_METADATA, chapters: CHAPTERS };
	const removed = [
		{ startSeconds: 2.5, endSeconds: 3 },
		{ startSeconds: 5.5, endSeconds: 7.6 },
	];
	const moved = metadataAfter(removed, source, 9).chapters.map(
		({ startSeconds, endSeconds }) => `${startSeconds.toFixed(3)} to ${endSeconds.toFixed(3)}`,
	);
	assert.equal(moved.join(), '0.000 to 2.500,2.500 to 5.000,5.000 to 9.000');
	assert.deepEqual(metadataAfter([], source, 12.5), source);
	assert.deepEqual(metadataOfMix([NO_METADATA, source]), source);
});

for (const format of ['flac', 'mp3'] as const) {
	await test(`writes ${format} without tags when they cannot be written, and says so`, async () => {
		const workFolder = await mkdtemp(join(folder, format));
		const resultFolder = await mkdtemp(join(folder, 'result'));
		const path = join(workFolder, 'talk.wav');
		await writeFile(path, new SyntheticTalk().sentence().wav());
		const config = resolveEditConfig({ export_format: format });
		const sources = [{ path, name: 'talk.wav' }];
		const request = { sources, config, maxSourceSeconds: 60, workFolder, resultFolder };
		const read = await readRecordingTrack(request, 0);
		const sound = pcmSourceOf(read.pcm);
		// No command line can hold this title, and no ID3 tag this cover.
		const missing = join(workFolder, 'missing.png');
		const cover = { codec: 'png', path: missing, width: 9, height: 9 } as const;
		const metadata = { ...read.metadata, tags: new Map([['title', 'a\0b']]), cover };
		const track = await processedTrack(read, request);
		const exported = { track, picture: null, info: read.info, sound, metadata };
		const name = await exportSound(
			request,
			{ ...exported, sourceRateFrames: sound.frames },
			{ folder: resultFolder, baseName: 'talk', removed: [] },
		);
		assert.ok((await stat(join(resultFolder, name))).size > 1_000);
		const note = 'talk.wav: left out tags, chapters and cover, which cannot be written';
		assert.deepEqual(track.notes, [note]);
	});
}

/** Formats that music-metadata reads, with what it does not find in them. */
const UNREAD = {
	mp3: [],
	aac: [],
	aiff: [],
	wav: [],
	m4a: ['language'],
	mp4: ['language'],
	flac: ['chapters'],
	opus: ['chapters'],
	ogg: ['chapters'],
} satisfies Readonly<Record<string, readonly string[]>>;

for (const format of casesOf(
	['mp3', 'm4a'],
	['aac', 'aiff', 'wav', 'mp4', 'flac', 'opus', 'ogg'],
)) {
	await test(`another parser reads tags, cover and moved chapters of ${format}`, async () => {
		const unread: readonly string[] = UNREAD[format];
		const { path, edits } = await editTagged(TRIALS[format], folder);
		const { common, format: technical } = await parseFile(path, { includeChapters: true });
		const { title, artist, album, albumartist, track, disk, date, genre, composer } = common;
		assert.deepEqual([title, artist, album], [TAGS.title, TAGS.artist, TAGS.album]);
		assert.deepEqual([albumartist, date, genre], [TAGS.album_artist, TAGS.date, [TAGS.genre]]);
		const places = [track, disk].map(({ no, of }) => `${no}/${of}`);
		assert.deepEqual(places, [TAGS.track, TAGS.disc]);
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
	});
}
