import * as fc from 'fast-check';

import type { EditResult } from '../../api/contract';
import { subtitleCues, toSrt, toWebVtt } from '../../formats/subtitles';
import { convertWithFfmpeg, probeCues, readWithLibrary } from '../support/captionReaders';
import { anyResultBody, resultOf, sayWords, transcribed } from '../support/results';

const TALK =
	'Welcome back to the Slow Kitchen, the show about cooking without hurry. Today we talk to Maria Jones, who has run a bakery in Porto for twenty years, and she brought bread! "What is the secret," I asked, "of a good sourdough?" Well, it is mostly patience and the quality of the flour, but also the temperature of the room because yeast is alive. Yes. I see. So how long do you let the dough rest before you put it into the oven?';

const TURNS = [
	{ id: 0, start: 0, end: 15.9, speaker: 'Speaker 1' },
	{ id: 1, start: 16, end: 90, speaker: 'Speaker <2> & Co' },
];

function linesOf(result: unknown): string[] {
	return subtitleCues(resultOf(result)).map(({ lines }) => lines.join(' | '));
}

/** What holds for all subtitles, whatever they were made of. */
function expectSoundCues(result: EditResult | undefined) {
	const cues = subtitleCues(result);
	cues.forEach(({ startMs, endMs, lines }, index) => {
		expect(Number.isSafeInteger(startMs) && Number.isSafeInteger(endMs)).toBe(true);
		expect(startMs).toBeGreaterThanOrEqual(index === 0 ? 0 : cues[index - 1].endMs);
		expect(endMs - startMs).toBeGreaterThanOrEqual(1_000);
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

describe('a division into cues', () => {
	const words = sayWords(TALK, 0.4);

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

	it('leaves the time to read 20 characters a second', () => {
		for (const { startMs, endMs, lines } of subtitleCues(resultOf(transcribed(words)))) {
			expect((lines.join(' ').length / (endMs - startMs)) * 1_000).toBeLessThanOrEqual(20);
		}
	});

	it('begins each cue with its first word, and holds it until after its last', () => {
		const [first, second] = subtitleCues(resultOf(transcribed(words)));
		expect(first.startMs).toBe(400);
		const today = words.find(({ text }) => text === 'Today');
		expect(second.startMs).toBe(Math.round((today?.start ?? 0) * 1_000));
		expect(first.endMs).toBeLessThanOrEqual(second.startMs);
	});

	it('shows a word alone for a second, and a long silence empty', () => {
		const cues = subtitleCues(
			resultOf(
				transcribed([
					{ start: 1, end: 1.2, text: 'Yes.' },
					{ start: 20, end: 20.2, text: 'No.' },
				]),
			),
		);
		expect(cues).toMatchObject([
			{ startMs: 1_000, endMs: 2_000, lines: ['Yes.'] },
			{ startMs: 20_000, endMs: 21_000 },
		]);
	});

	it('never puts two speakers into one cue', () => {
		const turns = [
			{ start: 0, end: 1, speaker: 'A' },
			{ start: 1, end: 9, speaker: 'B' },
		];
		const said = [
			{ start: 0.2, end: 0.8, text: 'Hello' },
			{ start: 1.1, end: 1.5, text: 'hello' },
			{ start: 1.5, end: 2, text: 'there.' },
		];
		expect(subtitleCues(resultOf(transcribed(said, turns)))).toMatchObject([
			{ lines: ['Hello'], speaker: 'A' },
			{ lines: ['hello there.'], speaker: 'B' },
		]);
	});

	it("takes the paragraphs' spelling for the words it stands for", () => {
		const said = [
			{ start: 0, end: 1, text: 'well' },
			{ start: 1, end: 2, text: 'yes' },
		];
		expect(linesOf(transcribed(said, [], [{ start: 0, end: 2, text: 'Well, yes!' }]))).toEqual([
			'Well, yes!',
		]);
		expect(linesOf(transcribed(said, [], [{ start: 0, end: 2, text: 'Something else.' }]))).toEqual(
			['well yes'],
		);
	});

	it('puts marks that are words of their own to the word before', () => {
		const said = [
			{ start: 0, end: 1, text: 'Well' },
			{ start: 1, end: 1, text: ',' },
			{ start: 1, end: 2, text: 'yes' },
		];
		expect(linesOf(transcribed(said))).toEqual(['Well, yes']);
	});
});

describe('times that are missing or wrong', () => {
	it('come from the paragraphs where the words have none', () => {
		const untimed = [{ text: 'One' }, { text: 'two.' }];
		const paragraphs = [
			{ start: 3, end: 5, text: 'One two.' },
			{ start: 60, end: 63, text: 'And three four five.' },
		];
		expect(subtitleCues(resultOf(transcribed(untimed, [], paragraphs)))).toMatchObject([
			{ startMs: 3_000, lines: ['One two.'] },
			{ startMs: 60_000, lines: ['And three four five.'] },
		]);
	});

	it('put paragraphs in the order of their times', () => {
		const paragraphs = [
			{ start: 60, end: 63, text: 'Later.' },
			{ start: 3, end: 5, text: 'First.' },
		];
		expect(linesOf({ transcription: { paragraphs } })).toEqual(['First.', 'Later.']);
	});

	it('do not move a word from its place in the sentence', () => {
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
	])('make no subtitles of %s', (_name, body) => {
		const cues = subtitleCues(resultOf(body));
		expect([toSrt(cues), toWebVtt(cues)]).toEqual([undefined, undefined]);
	});
});

it('holds the rules whatever the service sends', () => {
	fc.assert(
		fc.property(anyResultBody, (body) => {
			expectSoundCues(resultOf(body));
		}),
		{ numRuns: 1_000 },
	);
});

it('holds the rules for values that only code could pass', () => {
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

it('loses no word of a transcript with good times', () => {
	const word = fc.stringMatching(/^[a-z]{1,60}[.,]?$/);
	fc.assert(
		fc.property(fc.array(word, { minLength: 1, maxLength: 80 }), (texts) => {
			const cues = expectSoundCues(resultOf(transcribed(sayWords(texts.join(' ')))));
			const shown = cues.flatMap(({ lines }) => lines).join('');
			expect(shown.replace(/ /g, '')).toBe(texts.join(''));
		}),
		{ numRuns: 300 },
	);
});

describe('the files', () => {
	const body = transcribed(
		sayWords(`${TALK} That is <b>R&D</b> --> {\\an8} 42 &amp; so on.`, 93_600),
		[
			{ start: 0, end: 93_616, speaker: 'Speaker 1' },
			{ start: 93_616, end: 99_999, speaker: 'Speaker <2> & Co' },
		],
	);
	const cues = subtitleCues(resultOf(body));
	const srt = toSrt(cues) ?? '';
	const vtt = toWebVtt(cues) ?? '';
	const times = cues.map(({ startMs, endMs }) => [startMs / 1_000, (endMs - startMs) / 1_000]);
	const texts = cues.map(({ lines }) => lines.join('\n'));

	it('are written as their formats want it', () => {
		expect(srt).toMatch(
			/^1\n26:00:00,000 --> 26:00:0\d,\d{3}\nWelcome back to the Slow Kitchen,\n/,
		);
		expect(vtt).toMatch(/^WEBVTT\n\n26:00:00\.000 --> 26:00:0\d\.\d{3}\n<v Speaker 1>Welcome back/);
		expect(vtt).toContain('<v Speaker &lt;2&gt; &amp; Co>');
		expect(vtt).toContain('&lt;b&gt;R&amp;D&lt;/b&gt;');
	});

	it('are read by media-captions as they are meant', () => {
		const [fromVtt, fromSrt] = readWithLibrary([
			{ type: 'vtt', text: vtt },
			{ type: 'srt', text: srt },
		]);
		expect([...fromVtt.errors, ...fromSrt.errors]).toEqual([]);
		for (const { cues: read } of [fromVtt, fromSrt]) {
			expect(read.map(({ text }) => text.replace(/\u2060/g, ''))).toEqual(texts);
			expect(read.map(({ startTime }) => startTime)).toEqual(times.map(([start]) => start));
		}
		expect(fromVtt.cues.flatMap(({ speakers }) => speakers)).toEqual(
			cues.map(({ speaker }) => speaker),
		);
	});

	it('are read by ffprobe with the same times', () => {
		for (const read of [
			probeCues({ type: 'srt', text: srt }),
			probeCues({ type: 'vtt', text: vtt }),
		]) {
			expect(read).toHaveLength(cues.length);
			read.forEach(([start, length], index) => {
				expect(start).toBeCloseTo(times[index][0], 3);
				expect(length).toBeCloseTo(times[index][1], 3);
			});
		}
	});

	it('survive a conversion by ffmpeg, texts that look like markup too', () => {
		const converted = convertWithFfmpeg({ type: 'srt', text: srt });
		// ffmpeg writes no escapes; what it wrote is compared as it stands.
		for (const text of texts.flatMap((cue) => cue.split('\n'))) {
			expect(converted.text.replace(/\u2060/g, '')).toContain(text);
		}
		const [{ cues: read }] = readWithLibrary([convertWithFfmpeg({ type: 'vtt', text: vtt })]);
		expect(read.map(({ startTime }) => startTime)).toEqual(times.map(([start]) => start));
	});
});

it('any file is read by foreign readers as it is meant', () => {
	const results = fc.sample(anyResultBody, { numRuns: 300, seed: 7 }).map(resultOf);
	const made = results.map(subtitleCues).filter((cues) => cues.length > 0);
	expect(made.length).toBeGreaterThan(50);
	const vtts = made.map((cues) => ({ type: 'vtt' as const, text: toWebVtt(cues) ?? '' }));
	const srts = made.map((cues) => ({ type: 'srt' as const, text: toSrt(cues) ?? '' }));
	const [fromVtt, fromSrt] = [readWithLibrary(vtts), readWithLibrary(srts)];
	made.forEach((cues, index) => {
		const expected = cues.map(({ startMs, endMs, lines }) => ({
			startTime: startMs / 1_000,
			endTime: endMs / 1_000,
			text: lines.join('\n'),
		}));
		for (const read of [fromVtt[index], fromSrt[index]]) {
			expect(read.errors).toEqual([]);
			const understood = read.cues.map(({ startTime, endTime, text }) => ({
				startTime,
				endTime,
				text: text.replace(/(?<=[<{-])\u2060/g, ''),
			}));
			expect(understood).toEqual(expected);
		}
		const speakers = cues.flatMap(({ speaker }) => speaker ?? []);
		expect(fromVtt[index].cues.flatMap((cue) => cue.speakers)).toEqual(speakers);
	});
	for (const file of [...srts, ...vtts].slice(0, 40)) {
		const cueCount = file.text.split(' --> ').length - 1;
		expect(probeCues(file)).toHaveLength(cueCount);
	}
});
