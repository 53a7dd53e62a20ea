import fc from 'fast-check';

import { editSchema } from '../../api/contract';
import { type PassportDetails, passportOf } from '../../formats/passport/passport';
import { fullResult } from '../../testkit/service/fullResult';

const result = (fields: object) =>
	editSchema.parse({ task_id: 'a', status: 'SUCCESS', result: fields }).result;

const passport = (fields: object, details: Partial<PassportDetails> = {}) =>
	passportOf(result(fields), { namesApprover: false, ...details });

const LOCAL = {
	filename: 'a.mp3',
	statistics: { DEADAIR: 88, FILLER_SOUND: 43, BREATH: 0, STUTTERING: 1, MOUTH_SOUND: 0 },
	duration_before_seconds: 3_785,
	duration_after_seconds: 3_012.25,
	silences_saved_seconds: 720.4,
	noise_reduction_db: 20,
	loudness_before_lufs: -23.46,
	loudness_after_lufs: -16,
	approved_by: 'Ann\nLee',
	edited_by: 'local',
};

describe('the passport of an edit of the local service', () => {
	it('says all that its result states', () => {
		expect(passport(LOCAL)).toEqual({
			sentence:
				'12 min of pauses, 43 fillers and 1 stutter removed, noise reduced by up to 20 dB, loudness leveled from −23.5 to −16 LUFS. Shortened from 1:03:05 to 50:12. Nothing was generated.',
			durationBeforeSeconds: 3_785,
			durationAfterSeconds: 3_012.25,
			pausesSeconds: 720.4,
			cuts: { longSilences: 88, fillers: 43, breaths: 0, stutters: 1, mouthSounds: 0 },
			noiseReducedByUpToDb: 20,
			loudnessBeforeLufs: -23.46,
			loudnessAfterLufs: -16,
			nothingGenerated: true,
		});
	});

	it('names who approved the cuts only if it is asked to', () => {
		expect(JSON.stringify(passport(LOCAL))).not.toContain('Ann');
		const named = passport(LOCAL, { namesApprover: true });
		expect(named?.approvedBy).toBe('Ann Lee');
		expect(named?.sentence).toMatch(/ Cuts approved by Ann Lee\.$/);
		const unattended = { ...LOCAL, approved_by: null };
		expect(passport(unattended, { namesApprover: true })).toEqual(passport(LOCAL));
	});

	it('does not say that nothing was generated where notes or posts were written', () => {
		const texts = fullResult('https://service.example.com');
		const { transcription, summarization, social_content } = texts;
		const transcribed = passport({ ...LOCAL, transcription });
		expect(transcribed?.nothingGenerated).toBe(true);
		expect(transcribed?.sentence).toMatch(/ Transcript written automatically\. Nothing was/);
		for (const more of [{ summarization }, { social_content }]) {
			const written = passport({ ...LOCAL, transcription, ...more });
			expect(written).not.toHaveProperty('nothingGenerated');
			expect(written?.sentence).toMatch(
				/ Transcript and (show notes|posts) written automatically\.$/,
			);
		}
	});

	it.each<[object, string | undefined]>([
		// Less than a twentieth is nothing.
		[{ silences_saved_seconds: 0.04 }, undefined],
		[{ noise_reduction_db: 0.9 }, undefined],
		[{ silences_saved_seconds: 0.06 }, '0.1 s of pauses removed.'],
		[{ silences_saved_seconds: 119.7 }, '2 min of pauses removed.'],
		[{ statistics: { FILLER_SOUND: -2 } }, undefined],
		[{ loudness_before_lufs: -16.04, loudness_after_lufs: -16 }, 'Loudness leveled to −16 LUFS.'],
	])('says of %j: %s', (fields, sentence) => {
		const made = passport({ filename: 'a.mp3', ...fields });
		expect(made?.sentence).toBe(sentence);
	});
});

describe('what a service returns empty', () => {
	it.each<object>([
		{ transcription: { paragraphs: [] }, summarization: {}, social_content: {} },
		{
			transcription: { paragraphs: [], language: 'en' },
			summarization: { title: '', chapters: [], summaries: [], key_learnings: ' ' },
			social_content: { newsletter: '', twitter_thread: null, linkedin: '\n' },
		},
	])('was not written: %j', (fields) => {
		expect(passport({ filename: 'a.mp3', ...fields })).toBeUndefined();
		const local = passport({ filename: 'a.mp3', edited_by: 'local', ...fields });
		expect(local).toEqual({ sentence: 'Nothing was generated.', nothingGenerated: true });
	});
});

describe('the passport of an edit of another service', () => {
	it('leaves out what nobody states, and says of nothing that it was not generated', () => {
		const { statistics } = LOCAL;
		expect(passport({ statistics, filename: 'a.mp3' })).toEqual({
			sentence: '88 long silences, 43 fillers and 1 stutter removed or muted.',
			cuts: { longSilences: 88, fillers: 43, breaths: 0, stutters: 1, mouthSounds: 0 },
		});
	});

	it('says removed where the files are known to be shorter', () => {
		const lengths = { beforeSeconds: 100, afterSeconds: 90 };
		expect(passport({ statistics: { FILLER_SOUND: 1 } }, lengths)?.sentence).toBe(
			'1 filler removed. Shortened from 01:40 to 01:30.',
		);
		const same = { beforeSeconds: 100, afterSeconds: 100.05 };
		expect(passport({ statistics: { FILLER_SOUND: 1 } }, same)?.sentence).toBe(
			'1 filler removed or muted.',
		);
	});

	it('is missing where nothing is stated', () => {
		expect(passportOf(undefined, { namesApprover: true })).toBeUndefined();
		for (const fields of [
			{ filename: 'a.mp3' },
			{ filename: 'a.mp3', statistics: {} },
			{ filename: 'a.mp3', statistics: { DEADAIR: 0 }, duration_after_seconds: 9 },
			{ filename: 'a.mp3', noise_reduction_db: 0, loudness_after_lufs: -16 },
		]) {
			expect(passport(fields)).toBeUndefined();
		}
	});
});

it('is one line without empty figures, whatever the service sends', () => {
	const anyFields = fc.record(
		{
			statistics: fc.dictionary(
				fc.constantFrom('DEADAIR', 'FILLER_SOUND', 'OTHER'),
				fc.oneof(fc.integer(), fc.double(), fc.string()),
			),
			duration_before_seconds: fc.oneof(fc.double(), fc.string()),
			duration_after_seconds: fc.double(),
			silences_saved_seconds: fc.double(),
			noise_reduction_db: fc.oneof(fc.double(), fc.constant(null)),
			loudness_before_lufs: fc.double(),
			loudness_after_lufs: fc.double(),
			approved_by: fc.string(),
			edited_by: fc.constantFrom('local', 'other', null),
		},
		{ requiredKeys: [] },
	);
	fc.assert(
		fc.property(anyFields, fc.boolean(), (fields, namesApprover) => {
			const made = passport({ filename: 'a.mp3', ...fields }, { namesApprover });
			if (made === undefined) return;
			expect(made.sentence).toMatch(/^\S[^\n]*\.$/u);
			expect(made.sentence).not.toMatch(/NaN|undefined|Infinity|null/);
			expect(JSON.parse(JSON.stringify(made))).toEqual(made);
		}),
		{ examples: [[{ statistics: { FILLER_SOUND: 1, DEADAIR: -0 } }, false]] },
	);
});
