import type { TagRequest } from '../../formats/episodeTags';
import { neededHeadBytes, retag } from '../../formats/retag';
import {
	changedByMutagen,
	encodedSound,
	ffmpeg,
	probed,
	readWithMutagen,
	soundHash,
} from '../support/mediaFiles';
import { readWithMusicMetadata } from '../support/musicMetadata';

const TAGS = {
	title: 'Bread & Time 🍞',
	author: 'مريم جونز',
	show: "Maria's Kitchen",
	description: 'First line\nSecond line',
	date: '2026-11-22',
	language: 'por',
	episodeNumber: 12,
	season: 3,
};

const CHAPTERS = [
	{ startSeconds: 0, title: 'Welcome' },
	{ startSeconds: 4.5, title: 'Patience ⏳' },
];

const AAC = ['-c:a', 'aac', '-b:a', '64k', '-metadata', 'genre=Podcast'];
const FAST_START = [...AAC, '-movflags', '+faststart'];

let plain: Buffer;
let cover: Buffer;

beforeAll(() => {
	plain = encodedSound(10, FAST_START, 'm4a');
	const picture = ['-frames:v', '1', '-f', 'image2pipe', '-c:v', 'mjpeg', '-'];
	cover = ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=64x64', ...picture]);
});

function retagged(file: Buffer, request: Partial<TagRequest>) {
	let needed = 12;
	while (neededHeadBytes(file.subarray(0, needed)) > needed) {
		needed = neededHeadBytes(file.subarray(0, needed));
	}
	const head = file.subarray(0, needed);
	const made = retag(head, { tags: {}, existing: 'keep', ...request }, file.length);
	return {
		...made,
		file: Buffer.concat([made.head, file.subarray(head.length)]),
		headBytes: needed,
	};
}

it('mutagen, music-metadata and ffprobe read every field from the start of a file', () => {
	const picture = { mimeType: 'image/jpeg', bytes: cover } as const;
	const made = retagged(plain, { tags: { ...TAGS, cover: picture } });
	expect(made).toMatchObject({ isTagged: true });
	expect(made).not.toHaveProperty('note');
	expect(made.headBytes).toBeLessThan(plain.length / 2);
	expect(readWithMutagen(made.file, 'a.m4a').tags).toMatchObject({
		'©nam': [TAGS.title],
		'©ART': [TAGS.author],
		'©alb': [TAGS.show],
		'©day': [TAGS.date],
		'©gen': ['Podcast'],
		desc: [TAGS.description],
		trkn: ['(12, 0)'],
		disk: ['(3, 0)'],
		tves: ['12'],
		tvsn: ['3'],
		covr: [cover.length],
	});
	const { common } = readWithMusicMetadata(made.file);
	expect(common).toMatchObject({
		title: TAGS.title,
		artist: TAGS.author,
		album: TAGS.show,
		track: { no: 12 },
		picture: [{ format: 'image/jpeg', bytes: cover.length }],
	});
	const { format } = probed(made.file, 'a.m4a');
	expect(format.tags).toMatchObject({ title: TAGS.title, genre: 'Podcast', season_number: '3' });
	expect(soundHash(made.file, 'a.m4a')).toBe(soundHash(plain, 'a.m4a'));
});

it('ffprobe and mutagen read the chapters; old ones go, and stay if none are given', () => {
	const first = retagged(plain, { chapters: [{ startSeconds: 2, title: 'Old' }] }).file;
	expect(probed(first, 'a.m4a').chapters.map(({ tags }) => tags?.title)).toEqual(['Old']);
	const { file } = retagged(first, { chapters: CHAPTERS });
	const read = probed(file, 'a.m4a').chapters.map(({ start_time, tags }) => [
		Number(start_time),
		tags?.title,
	]);
	const expected = CHAPTERS.map(({ startSeconds, title }) => [startSeconds, title]);
	expect(read).toEqual(expected);
	expect(readWithMutagen(file, 'a.m4a').chapters).toEqual(expected);
	const kept = retagged(file, { tags: { title: 'New' } }).file;
	expect(readWithMutagen(kept, 'a.m4a')).toMatchObject({
		chapters: expected,
		tags: { '©nam': ['New'] },
	});
	expect(soundHash(kept, 'a.m4a')).toBe(soundHash(plain, 'a.m4a'));
});

it('writes all chapters as a track of texts, too, for the players of Apple', () => {
	const chapters = Array.from({ length: 300 }, (_chapter, index) => ({
		startSeconds: index / 50,
		title: `Chapter ${index} ⏳`,
	}));
	const { file } = retagged(plain, { chapters });
	const withTrackOnly = Buffer.from(file);
	withTrackOnly.write('free', file.indexOf('chpl', 0, 'latin1'), 'latin1');
	const read = probed(withTrackOnly, 'a.m4a').chapters;
	expect(read.map(({ start_time, tags }) => [Number(start_time), tags?.title])).toEqual(
		chapters.map(({ startSeconds, title }) => [startSeconds, title]),
	);
	expect(Math.abs(Number(read.at(-1)?.end_time) - 10)).toBeLessThan(0.1);
	const { chapters: own } = readWithMusicMetadata(withTrackOnly);
	expect(own.map(({ title }) => title)).toEqual(chapters.map(({ title }) => title));
	expect(readWithMutagen(file, 'a.m4a').chapters).toHaveLength(255);
	expect(soundHash(withTrackOnly, 'a.m4a')).toBe(soundHash(plain, 'a.m4a'));
});

it('replaces the chapters that ffmpeg writes as a track of texts', () => {
	const chapters =
		';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=3\ntitle=Old\n[CHAPTER]\nTIMEBASE=1/1\nSTART=3\nEND=9\ntitle=Older\n';
	const source = encodedSound(10, FAST_START, 'm4a');
	const file = changedByMutagen(
		source,
		'a.m4a',
		`
import subprocess
open(path + '.txt', 'w').write('''${chapters}''')
subprocess.run(['ffmpeg', '-v', 'error', '-i', path, '-i', path + '.txt', '-map_metadata', '1', '-c', 'copy', '-movflags', '+faststart', path + '.m4a'], check=True)
open(path, 'wb').write(open(path + '.m4a', 'rb').read())`,
	);
	expect(probed(file, 'a.m4a').chapters).toHaveLength(2);
	const made = retagged(file, { chapters: CHAPTERS.concat({ startSeconds: 8, title: 'End' }) });
	const titles = probed(made.file, 'a.m4a').chapters.map(({ tags }) => tags?.title);
	expect(titles).toEqual(['Welcome', 'Patience ⏳', 'End']);
	expect(soundHash(made.file, 'a.m4a')).toBe(soundHash(source, 'a.m4a'));
});

it('overwrites or removes the tags', () => {
	const overwritten = retagged(plain, { tags: { title: 'New' }, existing: 'overwrite' }).file;
	expect(readWithMutagen(overwritten, 'a.m4a').tags).toEqual({ '©nam': ['New'] });
	const removed = retagged(plain, { existing: 'remove' }).file;
	expect(readWithMutagen(removed, 'a.m4a').tags).toEqual({});
	expect(removed.length).toBeLessThan(plain.length);
	expect(soundHash(removed, 'a.m4a')).toBe(soundHash(plain, 'a.m4a'));
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
