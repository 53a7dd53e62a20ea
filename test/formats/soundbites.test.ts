import * as fc from 'fast-check';

import { sentencesOf } from '../../formats/transcript/sentences';
import { soundbitesOf } from '../../formats/feed/soundbites';
import { timedWords } from '../../formats/transcript/timedWords';
import { anyResultBody, resultOf, sayWords, transcribed } from '../../testkit/service/results';

const FILLER = 'We talked about the weather and about the train for quite a while today.';
const POINT = 'Patience is the whole secret of sourdough, and the yeast decides when it is ready.';

/** A talk that says the point of it in the middle, with its summary. */
function talk(speakers: unknown[] = []) {
	const sentences = [...Array(60).fill(FILLER), POINT, POINT, POINT, ...Array(60).fill(FILLER)];
	const words = sayWords(sentences.join(' '));
	return resultOf({
		...transcribed(words, speakers),
		summarization: {
			title: 'The secret of sourdough',
			summary: 'Patience and yeast.',
			key_learnings: '- Patience decides',
		},
	});
}

describe('soundbites', () => {
	it('are complete sentences around what the summary says, 15 to 120 s long', () => {
		const result = talk();
		const bites = soundbitesOf(result);
		const sentences = sentencesOf(timedWords(result?.transcription));
		const point = sentences.find(({ text }) => text === POINT)!;
		expect(bites.length).toBeGreaterThan(1);
		const heard = bites.some(
			({ startSeconds, durationSeconds }) =>
				startSeconds * 1_000 <= point.startMs &&
				(startSeconds + durationSeconds) * 1_000 >= point.endMs,
		);
		expect(heard).toBe(true);
		for (const { startSeconds, durationSeconds, title } of bites) {
			expect(durationSeconds).toBeGreaterThanOrEqual(15);
			expect(durationSeconds).toBeLessThanOrEqual(120);
			expect([FILLER, POINT]).toContain(title);
			const from = startSeconds * 1_000;
			const to = from + durationSeconds * 1_000;
			// Each sentence is wholly inside or wholly outside.
			for (const { startMs, endMs } of sentences) {
				expect(endMs <= from || startMs >= to || (startMs >= from && endMs <= to)).toBe(true);
			}
		}
	});

	it('keep to one speaker where one speaks long enough', () => {
		const turns = [
			{ start: 0, end: 300, speaker: 'Anna' },
			{ start: 300, end: 320, speaker: 'Ben' },
			{ start: 320, end: 900, speaker: 'Anna' },
		];
		for (const { startSeconds, durationSeconds } of soundbitesOf(talk(turns))) {
			const end = startSeconds + durationSeconds;
			// A word belongs to the turn that holds its middle.
			const isIn = (turn: { start: number; end: number }) =>
				startSeconds >= turn.start - 0.5 && end <= turn.end + 0.5;
			expect(turns.some(isIn)).toBe(true);
		}
	});

	it('are sentences between pauses where the transcript has no punctuation', () => {
		const words = sayWords('a plain talk without any mark '.repeat(40).trim()).map(
			(word, index) => ({
				...word,
				start: word.start + Math.floor(index / 12),
				end: word.end + Math.floor(index / 12),
			}),
		);
		const [bite] = soundbitesOf(resultOf(transcribed(words)));
		expect(bite.durationSeconds).toBeGreaterThanOrEqual(15);
		expect(bite.title.startsWith('a plain talk')).toBe(true);
	});

	it('have titles of at most 128 characters', () => {
		const long = `${'unendingly '.repeat(40)}long.`;
		const [bite] = soundbitesOf(resultOf(transcribed(sayWords(long))));
		expect([...bite.title].length).toBeLessThanOrEqual(128);
		expect(bite.title.endsWith('unendingly…')).toBe(true);
	});
});

describe('the passages of soundbites', () => {
	it('leave out a sentence that is too long', () => {
		const sentence = (words: number) => `${'patiently '.repeat(words - 1)}on.`;
		const long = sayWords(sentence(200));
		expect(long.at(-1)!.end).toBeGreaterThan(121);
		expect(soundbitesOf(resultOf(transcribed(long)))).toEqual([]);
		const [bite] = soundbitesOf(resultOf(transcribed(sayWords(sentence(190)))));
		expect(bite.durationSeconds).toBeCloseTo(117.74, 2);
	});

	it('do not end where somebody else has begun to speak', () => {
		const long = sayWords(`${'patiently '.repeat(40)}on.`);
		const last = long.at(-1)!;
		const answer = sayWords('Yes.', last.end - 0.1);
		const turns = [
			{ start: 0, end: last.end - 0.1, speaker: 'Anna' },
			{ start: last.end - 0.1, end: 99, speaker: 'Ben' },
		];
		const [bite] = soundbitesOf(resultOf(transcribed([...long, ...answer], turns)));
		expect(bite.startSeconds + bite.durationSeconds).toBeGreaterThanOrEqual(answer[0].end);
	});

	it.each([
		['no transcript', {}],
		['one word', transcribed(sayWords('Hello.'))],
		['no times', transcribed([{ id: 0, text: 'Hello.' }])],
		['less than 15 s', transcribed(sayWords(FILLER))],
	])('do not exist with %s', (_case, body) => {
		expect(soundbitesOf(resultOf(body))).toEqual([]);
	});

	it('never overlap and are the same again, whatever the service sends', () => {
		fc.assert(
			fc.property(anyResultBody, (body) => {
				const bites = soundbitesOf(resultOf(body));
				expect(soundbitesOf(resultOf(body))).toEqual(bites);
				expect(bites.length).toBeLessThanOrEqual(5);
				bites.forEach(({ startSeconds, durationSeconds }, index) => {
					expect(durationSeconds).toBeGreaterThanOrEqual(15);
					expect(durationSeconds).toBeLessThanOrEqual(120);
					const next = bites[index + 1]?.startSeconds ?? Infinity;
					expect(startSeconds + durationSeconds).toBeLessThanOrEqual(next + 1e-9);
				});
			}),
			{ numRuns: 500, seed: 3 },
		);
	});
});
