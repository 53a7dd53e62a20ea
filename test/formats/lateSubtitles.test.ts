import * as fc from 'fast-check';

import { subtitleCues } from '../../formats/transcript/subtitles';
import { unsayable } from '../../formats/transcript/unsayable';
import { resultOf, transcribed } from '../../testkit/service/results';

interface Word {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

/** Says a text at a number of words a second. */
function said(fromSeconds: number, text: string, wordsPerSecond = 2.6): Word[] {
	return text.split(' ').map((word, index) => ({
		start: fromSeconds + index / wordsPerSecond,
		end: fromSeconds + (index + 0.9) / wordsPerSecond,
		text: word,
	}));
}

const SENTENCES = Array.from(
	{ length: 30 },
	(_, index) => `Sentence number ${index} says what the guest thinks about the soil.`,
);

/** The words of a recognizer that repeats a sentence between two times, in seconds. */
function loop(times: number, from: number, to: number): Word[] {
	const words = Array.from({ length: times }, () => 'Thanks for watching everyone!'.split(' '));
	const all = words.flat();
	const at = (index: number) => from + ((to - from) * index) / all.length;
	return all.map((text, index) => ({ start: at(index), end: at(index + 1), text }));
}

/** How late each sentence is shown, in seconds; NaN for one that is not shown. */
function lateness(before: readonly Word[], spoken: readonly Word[]): number[] {
	const cues = subtitleCues(resultOf(transcribed([...before, ...spoken])));
	const starts = spoken.filter(({ text }) => text === 'Sentence').map(({ start }) => start);
	return starts.map((start, index) => {
		const shown = cues.find(({ lines }) =>
			`${lines.join(' ')} `.includes(`Sentence number ${index} `),
		);
		return (shown?.startMs ?? NaN) / 1_000 - start;
	});
}

it.each([
	[39, false],
	[42, true],
])('nobody can say more than 40 characters a second for a second: %d', (speed, isMarked) => {
	const words = Array.from({ length: 20 }, (_word, index) => ({
		text: 'talk!',
		startMs: (5_000 * index) / speed,
		endMs: (5_000 * (index + 1)) / speed,
	}));
	expect(unsayable(words)).toEqual(words.map(() => isMarked));
	// Some words in a row have inexact times.
	expect(unsayable(words.slice(0, 5))).toEqual(Array(5).fill(false));
});

it.each([
	['nothing', []],
	['a sentence 20 times in 2 s', loop(20, 0.5, 2.5)],
	['a sentence 60 times in 2 s', loop(60, 0.5, 2.5)],
	['a sentence 60 times at one moment', loop(60, 2, 2)],
	['a paragraph without times, at its end', loop(15, 2.9, 2.9)],
])('no sentence is late after %s', (_what, before) => {
	const late = lateness(before, said(3, SENTENCES.join(' ')));
	expect(late).toHaveLength(SENTENCES.length);
	for (const seconds of late) expect(seconds).toBeLessThanOrEqual(1);
});

it('keeps a loop where nothing else is said', () => {
	const cues = subtitleCues(
		resultOf(transcribed([...loop(3, 1, 1.1), ...said(60, 'Good night.')])),
	);
	expect(cues[0].lines.join(' ')).toContain('Thanks for watching');
	expect(cues.at(-1)).toMatchObject({ startMs: 60_000, lines: ['Good night.'] });
});

it('shows speakers who interrupt each other at most a second late, and leaves none out', () => {
	const turns = Array.from({ length: 40 }, (_, id) => ({
		id,
		start: id * 0.4,
		end: id * 0.4 + 0.4,
		speaker: `Speaker ${1 + (id % 2)}`,
	}));
	const words = turns.map(({ start, id }) => ({ start, end: start + 0.35, text: `no${id}.` }));
	const cues = subtitleCues(resultOf(transcribed(words, turns)));
	expect(cues.map(({ lines }) => lines.join(' '))).toEqual(words.map(({ text }) => text));
	cues.forEach(({ startMs, endMs }, index) => {
		expect(startMs).toBeLessThanOrEqual(words[index].start * 1_000 + 1_000);
		expect(endMs).toBeGreaterThan(startMs);
	});
});

it('shows no sayable sentence late, whatever a recognizer repeats between sentences', () => {
	const anyLoop = fc.record({
		times: fc.integer({ min: 1, max: 60 }),
		seconds: fc.double({ min: 0, max: 0.5, noNaN: true }),
	});
	fc.assert(
		fc.property(fc.array(anyLoop, { minLength: 1, maxLength: 6 }), (loops) => {
			const words: Word[] = [];
			const spoken: Word[] = [];
			let at = 1;
			loops.forEach(({ times, seconds }, index) => {
				words.push(...loop(times, at, at + seconds));
				const sentence = said(at + seconds + 0.6, SENTENCES[index]);
				spoken.push(...sentence);
				words.push(...sentence);
				at = words[words.length - 1].end + 0.1;
			});
			const cues = subtitleCues(resultOf(transcribed(words)));
			for (const { startMs, lines } of cues) {
				const [, number] = /^Sentence number (\d+) /.exec(lines.join(' ')) ?? [];
				if (number === undefined) continue;
				const start = spoken.filter(({ text }) => text === 'Sentence')[Number(number)].start;
				expect(startMs / 1_000 - start).toBeLessThanOrEqual(1.001);
			}
		}),
		{ numRuns: 200 },
	);
});
