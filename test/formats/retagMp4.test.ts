/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they read files */
import { readFileSync, writeFileSync } from 'fs';
import { type Box, box, boxesIn, words } from '../../formats/tags/mp4/boxes';

import { moveSound } from '../../formats/tags/mp4/tracks';
import {
	encodedSound,
	ffmpeg,
	probed,
	probedChapters,
	soundHash,
	withFile,
} from '../../testkit/media/mediaFiles';
import { readWithMusicMetadata } from '../../testkit/media/musicMetadata';
import {
	CHAPTERS,
	TAGS,
	manyChapters,
	redCover,
	retagged,
	startsOf,
} from '../../testkit/media/retagged';

const AAC = ['-c:a', 'aac', '-b:a', '64k', '-metadata', 'genre=Podcast'];

/** The units of the movie are not those of our track of chapters. */
const FAST_START = [...AAC, '-movflags', '+faststart', '-movie_timescale', '600'];

let plain: Buffer;

beforeAll(() => {
	plain = encodedSound(10, FAST_START, 'm4a');
});

it('music-metadata and ffprobe read every field from the start of a file', async () => {
	const cover = redCover();
	const picture = { mimeType: 'image/jpeg', bytes: cover } as const;
	const made = retagged(plain, { tags: { ...TAGS, cover: picture } });
	expect(made).toMatchObject({ isTagged: true });
	expect(made).not.toHaveProperty('note');
	expect(made.headBytes).toBeLessThan(plain.length / 2);
	const { common } = await readWithMusicMetadata(made.file);
	expect(common).toMatchObject({
		title: TAGS.title,
		artist: TAGS.author,
		album: TAGS.show,
		track: { no: 12 },
		picture: [{ format: 'image/jpeg', bytes: cover.length }],
		description: [TAGS.description],
		longDescription: TAGS.description,
		comment: [{ text: TAGS.description }],
		date: TAGS.date,
	});
	const { format } = probed(made.file, 'a.m4a');
	expect(format.tags).toMatchObject({ title: TAGS.title, genre: 'Podcast', season_number: '3' });
	expect(soundHash(made.file, 'a.m4a')).toBe(soundHash(plain, 'a.m4a'));
});

it('ffprobe reads the chapters; old ones go, and stay if none are given', () => {
	const first = retagged(plain, { chapters: [{ startSeconds: 2, title: 'Old' }] }).file;
	expect(probedChapters(first, 'a.m4a').map(([, title]) => title)).toEqual(['Old']);
	const { file } = retagged(first, { chapters: CHAPTERS });
	expect(probedChapters(file, 'a.m4a')).toEqual(startsOf(CHAPTERS));
	const kept = retagged(file, { tags: { title: 'New' } }).file;
	expect(probed(kept, 'a.m4a')).toMatchObject({ format: { tags: { title: 'New' } } });
	expect(probedChapters(kept, 'a.m4a')).toEqual(startsOf(CHAPTERS));
	expect(soundHash(kept, 'a.m4a')).toBe(soundHash(plain, 'a.m4a'));
});

it('writes all chapters as a track of texts, too, for the players of Apple', async () => {
	const chapters = manyChapters(300, 50);
	const { file } = retagged(plain, { chapters });
	const withTrackOnly = Buffer.from(file);
	withTrackOnly.write('free', file.indexOf('chpl', 0, 'latin1'), 'latin1');
	expect(probedChapters(withTrackOnly, 'a.m4a')).toEqual(startsOf(chapters));
	const { streams, chapters: found } = probed(withTrackOnly, 'a.m4a');
	expect(streams.map(({ tags }) => tags?.language)).toEqual(['und', 'und']);
	const { end_time } = found.at(-1)!;
	expect(Math.abs(Number(end_time) - 10)).toBeLessThan(0.1);
	const { chapters: own } = await readWithMusicMetadata(withTrackOnly);
	expect(own.map(({ title }) => title)).toEqual(chapters.map(({ title }) => title));
	expect(soundHash(withTrackOnly, 'a.m4a')).toBe(soundHash(plain, 'a.m4a'));
});

it('begins the track of chapters at 0, so that the others begin in time', () => {
	const chapters = [3, 6].map((startSeconds) => ({ startSeconds, title: `at ${startSeconds}` }));
	const { file } = retagged(plain, { chapters });
	file.write('free', file.indexOf('chpl', 0, 'latin1'), 'latin1');
	expect(probedChapters(file, 'a.m4a')).toEqual([
		[0, 'at 3'],
		[6, 'at 6'],
	]);
});

it('replaces the chapters that ffmpeg writes as a track of texts', () => {
	const chapters =
		';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=3\ntitle=Old\n[CHAPTER]\nTIMEBASE=1/1\nSTART=3\nEND=9\ntitle=Older\n';
	const source = encodedSound(10, FAST_START, 'm4a');
	const file = withFile(source, 'a.m4a', (path) => {
		const [list, output] = [`${path}.txt`, `${path}.m4a`];
		writeFileSync(list, chapters);
		const copied = ['-map_metadata', '1', '-c', 'copy', '-movflags', '+faststart', output];
		ffmpeg(['-i', path, '-i', list, ...copied]);
		return readFileSync(output);
	});
	expect(probed(file, 'a.m4a').chapters).toHaveLength(2);
	const made = retagged(file, { chapters: CHAPTERS.concat({ startSeconds: 9, title: 'End' }) });
	const titles = probed(made.file, 'a.m4a').chapters.map(({ tags }) => tags?.title);
	expect(titles).toEqual(['Welcome', 'Patience ⏳', 'Bye', 'End']);
	expect(soundHash(made.file, 'a.m4a')).toBe(soundHash(source, 'a.m4a'));
});

it('overwrites or removes the tags', () => {
	const overwritten = retagged(plain, { tags: { title: 'New' }, existing: 'overwrite' }).file;
	const { genre, title } = probed(overwritten, 'a.m4a').format.tags ?? {};
	expect({ genre, title }).toEqual({ genre: undefined, title: 'New' });
	const removed = retagged(plain, { existing: 'remove' }).file;
	expect(probed(removed, 'a.m4a').format.tags).not.toHaveProperty('genre');
	expect(removed.length).toBeLessThan(plain.length);
	expect(soundHash(removed, 'a.m4a')).toBe(soundHash(plain, 'a.m4a'));
});

/** A file with tags for itself, a place in `moov/meta` as cameras write it, and a title in `trak/udta`. */
function withSecrets(): Buffer {
	const named = ['-metadata:s:a:0', 'title=Secret track'];
	const file = encodedSound(3, [...FAST_START, ...named], 'mp4');
	const moov = boxesIn(file, 0, file.length).find(({ type }) => type === 'moov')!;
	const meta = box('meta', words(0), Buffer.from('Secret place +48.8584+002.2945/'));
	const own = box('meta', words(0), Buffer.from('Secret file'));
	const index = Buffer.from(file.subarray(moov.bodyStart, moov.end));
	moveSound(index, { from: moov.end, byBytes: meta.length + own.length });
	const start = file.subarray(0, moov.start);
	return Buffer.concat([start, own, box('moov', meta, index), file.subarray(moov.end)]);
}

it.each(['overwrite', 'remove'] as const)(
	'leaves no tag of the file, the movie or a track, with %s',
	(existing) => {
		const source = withSecrets();
		const secrets = ['Secret place', 'Secret track', 'Secret file'];
		const titled = { tags: { title: 'New' } };
		const kept = retagged(source, titled).file;
		const { file } = retagged(source, { ...titled, existing });
		expect(secrets.map((secret) => kept.includes(secret))).toEqual([true, true, true]);
		expect(secrets.map((secret) => file.includes(secret))).toEqual([false, false, false]);
		expect(soundHash(file, 'a.mp4')).toBe(soundHash(source, 'a.mp4'));
		const { title } = probed(file, 'a.mp4').format.tags ?? {};
		expect(title).toBe(existing === 'overwrite' ? 'New' : undefined);
	},
);

/** The same file with the places of its sound in 64 bits, as encoders write them for long files. */
function withLongPlaces(file: Buffer): Buffer {
	const moov = boxesIn(file, 0, file.length).find(({ type }) => type === 'moov')!;
	const rebuilt = (around: Box, byBytes: number): Buffer =>
		box(
			around.type,
			...boxesIn(file, around.bodyStart, around.end).map((one) => {
				if (['trak', 'mdia', 'minf', 'stbl'].includes(one.type)) return rebuilt(one, byBytes);
				if (one.type !== 'stco') return file.subarray(one.start, one.end);
				const count = file.readUInt32BE(one.bodyStart + 4);
				const places = Array.from({ length: count }, (_place, at) =>
					file.readUInt32BE(one.bodyStart + 8 + 4 * at),
				);
				return box('co64', words(0, count, ...places.flatMap((place) => [0, place + byBytes])));
			}),
		);
	const addedBytes = rebuilt(moov, 0).length - (moov.end - moov.start);
	const start = file.subarray(0, moov.start);
	return Buffer.concat([start, rebuilt(moov, addedBytes), file.subarray(moov.end)]);
}

it('finds the sound again of a file with places of 64 bits', () => {
	const source = withLongPlaces(plain);
	expect(source.includes('co64')).toBe(true);
	expect(soundHash(source, 'a.m4a')).toBe(soundHash(plain, 'a.m4a'));
	const { file } = retagged(source, { tags: TAGS, chapters: CHAPTERS });
	expect(soundHash(file, 'a.m4a')).toBe(soundHash(plain, 'a.m4a'));
});

it('tags a video, and sets the language of its sound', () => {
	const video = encodedSound(3, ['-f', 'lavfi', '-i', 'testsrc=d=3:s=64x64', ...FAST_START], 'mp4');
	const { file } = retagged(video, { tags: TAGS, chapters: CHAPTERS });
	expect(
		probed(file, 'a.mp4')
			.streams.map(({ codec_type }) => codec_type)
			.sort(),
	).toEqual(['audio', 'data', 'video']);
	expect(JSON.stringify(probed(file, 'a.mp4').streams)).toContain('"language":"por"');
	expect(soundHash(file, 'a.mp4')).toBe(soundHash(video, 'a.mp4'));
});

it.each([
	['with the index at the end', AAC, 'm4a', /index comes after the sound/],
	['in fragments', [...AAC, '-movflags', '+frag_keyframe+empty_moov'], 'm4a', /fragmented/],
	['of QuickTime', FAST_START, 'mov', /QuickTime/],
])('leaves a file %s as it is and says why', (_title, args, format, note) => {
	const file = encodedSound(3, args, format);
	const made = retagged(file, { tags: TAGS, chapters: CHAPTERS });
	expect(made.file.equals(file)).toBe(true);
	expect(made).toMatchObject({ isTagged: false, note: expect.stringMatching(note) });
	expect(made.headBytes).toBeLessThan(file.length);
});
