import { retag } from '../../formats/tags/retag';
import { encodedSound } from '../../testkit/media/mediaFiles';
import { CHAPTERS, TAGS } from '../../testkit/media/retagged';

it.each([
	['wav', ['-c:a', 'pcm_s16le']],
	['flac', []],
	['ogg', ['-c:a', 'libvorbis']],
	['aac', ['-c:a', 'aac', '-f', 'adts']],
	['aiff', []],
])('leaves a file in %s as it is and says why', (format, args) => {
	const file = encodedSound(2, args, format);
	const made = retag(file, { tags: TAGS, chapters: CHAPTERS, existing: 'overwrite' });
	expect(made.head).toBe(file);
	expect(made).toMatchObject({ isTagged: false, note: expect.stringContaining('neither an MP3') });
});

it.each(['RIFF', 'RF64', 'fLaC', 'OggS', 'FORM', '\x1aE\xdf\xa3'])(
	'leaves a file that begins with %j as it is, though its sound looks like frames of an MP3',
	(start) => {
		const plain = encodedSound(2, ['-b:a', '96k', '-id3v2_version', '0'], 'mp3');
		const file = Buffer.concat([Buffer.from(`${start}\0\0\0\0`, 'latin1'), plain]);
		const made = retag(file, { tags: TAGS, existing: 'keep' });
		expect(made).toMatchObject({
			isTagged: false,
			note: expect.stringContaining('neither an MP3'),
		});
		expect(made.head).toBe(file);
	},
);
