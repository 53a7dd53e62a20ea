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
});

describe('soundbites of odd talks', () => {
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

	it.each([
		[699, 1],
		[700, 2],
	])('end at a pause of 0.7 s there: one of %d ms makes %d', (pauseMs, count) => {
		const words = [
			{ text: 'one', startMs: 0, endMs: 500 },
			{ text: 'two', startMs: 500 + pauseMs, endMs: 2_000 },
		];
		expect(sentencesOf(words)).toHaveLength(count);
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

/** One sentence for each, in seconds; one word may last as long as it likes. */
const sentencesAt = (...said: Array<[start: number, end: number, text: string]>) =>
	said.map(([start, end, text], id) => ({ id, start, end, text }));

const bitesOf = (words: unknown[], summarization: object = {}) =>
	soundbitesOf(resultOf({ ...transcribed(words), summarization }));

describe('the length of a soundbite', () => {
	it.each([
		[14.6, []],
		[14.7, [15]],
		[119.5, [119.8]],
		[120, [120]],
		[120.1, []],
	])('is 15 to 120 s: of a talk of %d s', (end, lengths) => {
		const bites = bitesOf(sentencesAt([0, end, 'Hello.']));
		expect(bites.map(({ durationSeconds }) => durationSeconds)).toEqual(lengths);
	});

	it('has a moment before the first word and after the last, if nothing else is said there', () => {
		const free = sentencesAt([0, 1, 'Hello.'], [10, 30, 'Listen.'], [40, 41, 'Goodbye.']);
		expect(bitesOf(free)).toMatchObject([{ startSeconds: 9.9, durationSeconds: 20.4 }]);
		const close = sentencesAt([0, 9.95, 'Um.'], [10, 70, 'Listen.'], [70.1, 70.2, 'Um.']);
		expect(bitesOf(close, { title: 'Listen' })).toMatchObject([
			{ startSeconds: 9.95, durationSeconds: 60.15 },
		]);
	});
});

describe('the number of soundbites', () => {
	const talkOf = (seconds: number) =>
		sentencesAt(
			...Array.from({ length: Math.ceil(seconds / 20) }, (_, index): [number, number, string] => [
				20 * index,
				Math.min(20 * index + 20, seconds),
				'Listen.',
			]),
		);

	it.each([
		[100, 1],
		[359, 1],
		[360, 2],
		[3_600, 5],
	])('is one for each three minutes, 1 to 5: of %d s', (seconds, count) => {
		expect(bitesOf(talkOf(seconds))).toHaveLength(count);
	});
});

describe('the best passage', () => {
	it('does not begin with a word that goes on from what is left out', () => {
		const said = sentencesAt([0, 24, 'And then.'], [29, 49, 'Bread.'], [54, 55, 'Bye.']);
		expect(bitesOf(said)).toMatchObject([{ title: 'Bread.' }]);
		expect(
			bitesOf(said.map((one) => ({ ...one, text: one.text.replace('And', 'Well') }))),
		).toMatchObject([{ title: 'Well then.' }]);
	});

	it('has words of the title rather than words of the summary', () => {
		const said = sentencesAt([0, 20, 'Porto.'], [25, 45, 'Flour and butter.']);
		expect(bitesOf(said, { title: 'Porto', summary: 'Flour, butter.' })).toMatchObject([
			{ title: 'Porto.' },
		]);
		expect(bitesOf(said, { summary: 'Flour, butter, Porto.' })).toMatchObject([
			{ title: 'Flour and butter.' },
		]);
	});

	it('counts a keyword once, however often it is said', () => {
		const said = sentencesAt(
			[0, 15, 'Porto.'],
			[15, 30, 'Porto.'],
			[30, 45, 'Porto.'],
			[55, 100, 'Porto and flour.'],
		);
		expect(bitesOf(said, { title: 'Porto, flour' })).toMatchObject([{ title: 'Porto and flour.' }]);
	});

	it('does not end in the middle of a sentence, where somebody interrupts it', () => {
		const said = sentencesAt([0, 45, 'Bread and'], [45, 46, 'Yes.']);
		const turns = [
			{ start: 0, end: 45, speaker: 'Anna' },
			{ start: 45, end: 46, speaker: 'Ben' },
		];
		expect(soundbitesOf(resultOf(transcribed(said, turns)))).toMatchObject([
			{ durationSeconds: 46.3 },
		]);
	});
});

it('soundbites are in the order of the talk, though a later one is better', () => {
	const said = Array.from({ length: 30 }, (_, index): [number, number, string] => {
		return [20 * index, 20 * index + 20, index === 20 ? 'Porto.' : 'Listen.'];
	});
	const starts = bitesOf(sentencesAt(...said), { title: 'Porto' }).map((bite) => bite.startSeconds);
	expect(starts).toHaveLength(3);
	expect(starts).toEqual(starts.toSorted((one, other) => one - other));
});
