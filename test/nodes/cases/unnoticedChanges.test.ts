/* Changes that no test noticed: each test passes on the code of 2026-11-28 and fails with the change that it names. */
import { editSchema } from '../../../api/contract';
import { statusFailure } from '../../../api/responseBody';
import { chapterList } from '../../../formats/notes/chapters';
import { retagMp3 } from '../../../formats/tags/id3/retagMp3';
import { frame, id3Tag, tagFrames } from '../../../formats/tags/id3/frames';
import { readId3Frames } from '../../../formats/tags/id3/readTag';
import { timedWords } from '../../../formats/transcript/timedWords';
import { box, words } from '../../../formats/tags/mp4/boxes';
import { retagMp4 } from '../../../formats/tags/mp4/retagMp4';
import { firstMp3Frame, mp3Duration } from '../../../formats/tags/mp3/duration';
import { encodedSound } from '../../../testkit/media/mediaFiles';
import { systemTime } from '../../../testkit/time/leapingTime';
import { resultOf } from '../../../testkit/service/results';
import { useScriptedEdits } from '../../../testkit/service/scriptedEdits';
const edits = useScriptedEdits();
it('T07 a merged file named by a text is not lost', () => {
	expect(
		editSchema.parse({
			task_id: 'a',
			status: 'SUCCESS',
			result: { filename: 'a', merged_audio_url: 'https://x/m' },
		}).result?.merged_audio_url,
	).toEqual(['https://x/m']);
});
it('T09 Retry-After as a date counts from the system clock', async () => {
	systemTime.timeOfDayAheadMs = 3_600_000;
	const headers = { 'retry-after': new Date(systemTime.timeOfDay() + 30_000).toUTCString() };
	const { retryAfterMs } = await statusFailure({ request: 'x' }, {
		statusCode: 503,
		headers,
		body: '',
	} as never);
	systemTime.timeOfDayAheadMs = 0;
	expect(retryAfterMs).toBeLessThanOrEqual(30_000);
});
it('T25 a second item of an edit whose deletion failed is not deleted', async () => {
	edits.script = { '/v2/edits/a': [{ status: 403 }] };
	const { run } = await edits.run('delete', ['a', 'a'], {}, { onError: 'continueErrorOutput' });
	expect(run.data.resultData.runData.delete[0].data!.main[0]).toEqual([]);
});
it('T28 a word over a change of speakers belongs to who speaks in its middle', () => {
	const result = resultOf({
		filename: 'a',
		transcription: {
			paragraphs: [],
			transcription: {
				words: [{ id: 0, start: 0.9, end: 2, text: 'x' }],
				paragraphs: [
					{ start: 0, end: 1, speaker: 'A' },
					{ start: 1, end: 3, speaker: 'B' },
				],
			},
		},
	});
	expect(timedWords(result?.transcription)[0].speaker).toBe('B');
});
it('T29/T38 an unnamed comment in UTF-16 is replaced, in the language of the episode', () => {
	const old = id3Tag([
		frame(
			'COMM',
			Buffer.concat([
				Buffer.from('\x01eng', 'latin1'),
				Buffer.from('fffe0000fffe', 'hex'),
				Buffer.from('old', 'utf16le'),
			]),
		),
	]);
	const { head } = retagMp3(old, {
		tags: { description: 'new', language: 'deu' },
		existing: 'keep',
	});
	const comments = readId3Frames(head)!.frames.filter(({ id }) => id === 'COMM');
	expect(comments.map(({ body }) => body.toString('latin1'))).toEqual(['\x03deu\0new']);
	void tagFrames;
});
it('T31 writing tags keeps the chapters of Nero', () => {
	const chpl = box('chpl', words(0x0100_0000, 0), Buffer.from([0]));
	const mvhd = box('mvhd', Buffer.alloc(96), words(2));
	const file = Buffer.concat([
		box('ftyp', Buffer.from('M4A \0\0\0\0')),
		box('moov', mvhd, box('udta', chpl)),
		box('mdat', Buffer.alloc(8)),
	]);
	expect(retagMp4(file, { tags: { title: 't' }, existing: 'keep' }).head.includes('chpl')).toBe(
		true,
	);
});
it('T32 tags are no sound', () => {
	const sound = encodedSound(
		4,
		['-c:a', 'libmp3lame', '-b:a', '96k', '-write_xing', '0', '-id3v2_version', '0'],
		'mp3',
	);
	const tag = id3Tag([frame('APIC', Buffer.alloc(200_000))]);
	const file = Buffer.concat([tag, sound]);
	expect(mp3Duration(file, firstMp3Frame(file, tag.length)!, file.length)).toBeCloseTo(4, 0);
});
it('T37 a chapter 10 s after another is listed', () => {
	expect(
		chapterList(
			resultOf({
				filename: 'a',
				summarization: {
					chapters: [
						{ start: 0, title: 'A' },
						{ start: 10, title: 'B' },
					],
				},
			}),
		),
	).toBe('00:00 A\n00:10 B\n');
});
