import * as fc from 'fast-check';

import type { EditResult } from '../../api/contract';
import { measureWords, setLines } from '../../formats/transcript/cueLines';
import { endsSentence } from '../../formats/transcript/phrases';
import { subtitleCues, toSrt, toWebVtt } from '../../formats/transcript/subtitles';
import {
	TALK,
	anyResultBody,
	resultOf,
	sayWords,
	transcribed,
} from '../../testkit/service/results';

/** Words or paragraphs. */
const timed = (...said: Array<[start: number, end: number, text: string]>) =>
	said.map(([start, end, text]) => ({ start, end, text }));

const TURNS = [
	{ id: 0, start: 0, end: 15.9, speaker: 'Speaker 1' },
	{ id: 1, start: 16, end: 90, speaker: 'Speaker <2> & Co' },
];

function linesOf(result: unknown): string[] {
	return subtitleCues(resultOf(result)).map(({ lines }) => lines.join(' | '));
}

/** Checks what holds for all subtitles, whatever their source. */
function expectSoundCues(result: EditResult | undefined) {
	const cues = subtitleCues(result);
	cues.forEach(({ startMs, endMs, lines }, index) => {
		expect(Number.isSafeInteger(startMs) && Number.isSafeInteger(endMs)).toBe(true);
		expect(startMs).toBeGreaterThanOrEqual(index === 0 ? 0 : cues[index - 1].endMs);
		// Shorter only where the next one would be more than a second late otherwise.
		const makesWay = cues.at(index + 1)?.startMs === endMs;
		expect(endMs - startMs).toBeGreaterThanOrEqual(makesWay ? 1 : 1_000);
		expect(endMs - startMs).toBeLessThanOrEqual(7_000);
		expect([1, 2]).toContain(lines.length);
		for (const line of lines) {
			expect(line.length).toBeLessThanOrEqual(42);
			expect(line).toBe(line.trim());
			expect(line).not.toBe('');
		}
	});
	return cues;
}

const words = sayWords(TALK, 0.4);

describe('a division into cues', () => {
	it('breaks at the ends of sentences and phrases, never after an article', () => {
		expect(linesOf(transcribed(words, TURNS))).toEqual([
			'Welcome back to the Slow Kitchen, | the show about cooking without hurry.',
			'Today we talk to Maria Jones,',
			'who has run a bakery in Porto | for twenty years, and she brought bread!',
			'"What is the secret," | I asked, "of a good sourdough?"',
			'Well, it is mostly patience | and the quality of the flour,',
			'but also the temperature of the room | because yeast is alive. Yes. I see.',
			'So how long do you let the dough rest | before you put it into the oven?',
		]);
	});

	it('leaves time to read 20 characters a second', () => {
		for (const { startMs, endMs, lines } of subtitleCues(resultOf(transcribed(words)))) {
			expect((lines.join(' ').length / (endMs - startMs)) * 1_000).toBeLessThanOrEqual(20);
		}
	});

	it('holds a quickly spoken cue until it can be read', () => {
		const said = timed(
			[1, 1.6, 'Supercalifragilistic'],
			[1.6, 2, 'expialidocious!'],
			[20, 21, 'Well.'],
		);
		const [{ startMs, endMs }] = subtitleCues(resultOf(transcribed(said)));
		expect(endMs - startMs).toBe((36 / 20) * 1_000);
	});

	it.each([
		'nobody had really thought about the temperature of the room where all of our bread was resting overnight',
		'Unfortunately, nobody had told the others where the keys were and we waited for hours.',
	])('leaves no word or two of a sentence alone in a cue: %s', (text) => {
		for (const { lines } of subtitleCues(resultOf(transcribed(sayWords(text))))) {
			expect(lines.join(' ').split(' ').length).toBeGreaterThan(2);
		}
	});

	it('leaves no word or two of a sentence alone on a line', () => {
		const text = 'We are going to put the dough into the oven for about an hour or so';
		const [{ lines }, ...others] = subtitleCues(resultOf(transcribed(sayWords(text))));
		expect(others).toEqual([]);
		for (const line of lines) expect(line.split(' ').length).toBeGreaterThan(2);
	});

	it('gives a short sentence its own cue rather than the beginning of the next one', () => {
		const text = 'He came home. The others had already left for the harbour in the morning';
		expect(linesOf(transcribed(sayWords(text)))).toEqual([
			'He came home.',
			'The others had already left | for the harbour in the morning',
		]);
	});

	it('breaks a line anywhere rather than before a lone short word', () => {
		const row = measureWords('Children walk slowly behind yellow houses. Yes'.split(' '));
		expect(setLines(row, 0, 6)?.secondLineAt).toBeLessThan(6);
	});
});

describe('a break', () => {
	it('breaks before a conjunction rather than in the middle', () => {
		const text = 'Yellow houses stand and green trees grow over there';
		expect(linesOf(transcribed(sayWords(text)))).toEqual([
			'Yellow houses stand | and green trees grow over there',
		]);
	});

	it('breaks at a silence', () => {
		const said = [...sayWords('I was thinking about'), ...sayWords('something else', 4)];
		expect(linesOf(transcribed(said))).toEqual(['I was thinking about', 'something else']);
	});
});

describe('a cue', () => {
	it.each(['我们今天谈面包', 'ごはんです', 'カタカナ'])('adds no spaces to %s', (text) => {
		const said = [...text].map((one, id) => ({ start: id, end: id + 0.5, text: one }));
		expect(linesOf(transcribed(said)).join('')).toBe(text);
	});

	it('adds spaces only between words of scripts that have them', () => {
		expect(linesOf(transcribed(sayWords('ขนมปัง ไทย')))).toEqual(['ขนมปังไทย']);
		expect(linesOf(transcribed(sayWords('我们 say 面包')))).toEqual(['我们 say 面包']);
	});

	it('begins each cue with its first word and holds it until after its last', () => {
		const [first, second] = subtitleCues(resultOf(transcribed(words)));
		expect(first.startMs).toBe(400);
		const today = words.find(({ text }) => text === 'Today');
		expect(second.startMs).toBe(Math.round((today?.start ?? 0) * 1_000));
		expect(first.endMs).toBeLessThanOrEqual(second.startMs);
	});

	it('shows a lone word for a second and nothing during a long silence', () => {
		const cues = subtitleCues(resultOf(transcribed(timed([1, 1.2, 'Yes.'], [20, 20.2, 'No.']))));
		expect(cues).toMatchObject([
			{ startMs: 1_000, endMs: 2_000, lines: ['Yes.'] },
			{ startMs: 20_000, endMs: 21_000 },
		]);
	});

	it('ends a little before the next one where there is time', () => {
		const said = timed([1, 3, 'Well said.'], [3.3, 5, 'Thank you.']);
		const turns = [
			{ start: 0, end: 3.1, speaker: 'A' },
			{ start: 3.2, end: 9, speaker: 'B' },
		];
		expect(subtitleCues(resultOf(transcribed(said, turns)))).toMatchObject([
			{ startMs: 1_000, endMs: 3_220 },
			{ startMs: 3_300, endMs: 5_400 },
		]);
	});
});

describe('the words of a cue', () => {
	it('goes on after a title or an abbreviation, which ends no sentence', () => {
		const ends = (text: string) => text.split(' ').filter(endsSentence);
		expect(ends('I met Dr. Jones and St. Mary, e.g. in Porto.')).toEqual(['Porto.']);
		expect(ends('Yes! "Really?" Well… 好。')).toEqual(['Yes!', '"Really?"', 'Well…', '好。']);
	});

	it('never puts two speakers into one cue', () => {
		const turns = [
			{ start: 0, end: 1, speaker: 'A' },
			{ start: 1, end: 9, speaker: 'B' },
		];
		const said = timed([0.2, 0.8, 'Hello'], [1.1, 1.5, 'hello'], [1.5, 2, 'there.']);
		expect(subtitleCues(resultOf(transcribed(said, turns)))).toMatchObject([
			{ lines: ['Hello'], speaker: 'A' },
			{ lines: ['hello there.'], speaker: 'B' },
		]);
	});

	it("uses the paragraphs' spelling of the words", () => {
		const said = timed([0, 1, 'well'], [1, 2, 'yes']);
		expect(linesOf(transcribed(said, [], [{ start: 0, end: 2, text: 'Well, yes!' }]))).toEqual([
			'Well, yes!',
		]);
		expect(linesOf(transcribed(said, [], [{ start: 0, end: 2, text: 'Something else.' }]))).toEqual(
			['well yes'],
		);
	});

	it('joins separate punctuation marks to the word before', () => {
		const said = timed([0, 1, 'Well'], [1, 1, ','], [1, 2, 'yes']);
		expect(linesOf(transcribed(said))).toEqual(['Well, yes']);
		const cuesOf = (words: unknown[]) => subtitleCues(resultOf(transcribed(words)));
		// The word lasts as long as its mark.
		expect(cuesOf(timed([0, 2, 'Yes'], [2, 5, '!']))).toEqual(cuesOf(timed([0, 5, 'Yes!'])));
	});
});

describe('with missing or wrong times', () => {
	it("a transcript uses the paragraphs' times if the words have none", () => {
		const untimed = [{ text: 'One' }, { text: 'two.' }];
		const paragraphs = timed([3, 5, 'One two.'], [60, 63, 'And three four five.']);
		expect(subtitleCues(resultOf(transcribed(untimed, [], paragraphs)))).toMatchObject([
			{ startMs: 3_000, lines: ['One two.'] },
			{ startMs: 60_000, lines: ['And three four five.'] },
		]);
	});

	it('paragraphs are sorted by time', () => {
		const paragraphs = timed([60, 63, 'Later.'], [3, 5, 'First.']);
		expect(linesOf({ transcription: { paragraphs } })).toEqual(['First.', 'Later.']);
	});

	it('words are sorted by time if hardly any is in order', () => {
		const said = sayWords('This was sent in quite another order.').reverse();
		expect(linesOf(transcribed(said))).toEqual(['This was sent in quite another order.']);
	});

	it('a word without an end lasts as long as it takes to say it', () => {
		const [cue] = subtitleCues(resultOf(transcribed([{ start: 1, text: 'x'.repeat(30) }])));
		// 15 characters a second, and a moment more.
		expect(cue.endMs).toBeGreaterThanOrEqual(3_000);
		expect(cue.endMs).toBeLessThan(4_000);
	});

	it('words before the first time are said right before it', () => {
		const said = [{ text: 'Well,' }, ...timed([10, 11, 'then'], [11, 12, 'go.'])];
		const [{ startMs }] = subtitleCues(resultOf(transcribed(said)));
		expect(startMs).toBeGreaterThan(9_000);
		expect(startMs).toBeLessThan(10_000);
	});

	it('words count if half of them have times', () => {
		const paragraphs = timed([60, 70, 'One two three four.']);
		const two = [{ text: 'One', start: 1, end: 2 }, { text: 'two' }, { text: 'three' }];
		const cuesOf = (words: unknown[]) => subtitleCues(resultOf(transcribed(words, [], paragraphs)));
		expect(cuesOf([...two, { text: 'four.', start: 4, end: 5 }])[0].startMs).toBe(1_000);
		expect(cuesOf([...two, { text: 'four.' }])[0].startMs).toBe(60_000);
	});

	it('a word keeps its place in the sentence', () => {
		const said = sayWords('This is a sentence with one wrong time in it.');
		const broken = said.map((word) => (word.text === 'wrong' ? { ...word, start: 900 } : word));
		const [cue] = subtitleCues(resultOf(transcribed(broken)));
		expect(cue.lines.join(' ')).toBe('This is a sentence with one wrong time in it.');
		expect(cue.endMs).toBeLessThan(6_000);
	});

	it.each<[string, unknown]>([
		['no result', undefined],
		['only title and summary', { summarization: { title: 'T', summary: 'S' } }],
		['an empty list', { transcription: [] }],
		['null', { transcription: null }],
		['texts without any time', { transcription: { paragraphs: [{ text: 'Hello' }] } }],
		['the superseded text', { transcript: 'Hello you' }],
		['empty words', transcribed([{ start: 0, end: 1, text: ' ' }])],
	])('there are no subtitles for %s', (_name, body) => {
		const cues = subtitleCues(resultOf(body));
		expect([toSrt(cues), toWebVtt(cues)]).toEqual([undefined, undefined]);
	});
});

it('follows the rules whatever the service sends', () => {
	fc.assert(
		fc.property(anyResultBody, (body) => {
			expectSoundCues(resultOf(body));
		}),
		{ numRuns: 1_000 },
	);
});

it('follows the rules for values that only code could pass', () => {
	const seconds = fc.oneof(fc.double(), fc.constant(undefined));
	const entry = fc.record({ id: fc.nat(), start: seconds, end: seconds, text: fc.string() });
	fc.assert(
		fc.property(fc.array(entry), fc.array(entry), (words, paragraphs) => {
			const turns = words.map(({ text, ...times }) => ({ ...times, speaker: text }));
			const transcription = { paragraphs, transcription: { words, paragraphs: turns } };
			const nothing = { merged_audio_url: [], timestamps_markers_urls: [], waveform_result: [] };
			expectSoundCues({ ...nothing, transcription });
		}),
		{ numRuns: 500 },
	);
});
