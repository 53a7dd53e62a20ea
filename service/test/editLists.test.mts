import assert from 'node:assert/strict';
import { test } from 'node:test';

import { combineTracks } from '../engine/detection/combineTracks.mts';
import { refineByWords, spokenFillers } from '../engine/detection/spokenWords.mts';
import type { WordSound } from '../engine/detection/wordSound.mts';
import { languageCodeOf } from '../text/languages.mts';
import { wordsAfterEdits } from '../text/wordsAfterEdits.mts';
import { statisticsOf } from '../engine/export/statistics.mts';
import { cutPieces, fadeFrames, mutedPieces, rangesOf } from '../engine/timeline.mts';
import { removedSpans } from '../eval/editors/rivals.mts';
import { Tally, tallyOf } from '../eval/score.mts';
import { assertNear } from './support/assertNear.mts';
import type {
	EditKind,
	RecognizedSpeech,
	SpokenWord,
	TimelineEdit,
} from '../shared/timeRanges.mts';

const RATE_HZ = 48_000;

function edit(kind: EditKind, startSeconds: number, endSeconds: number): TimelineEdit {
	return { kind, startSeconds, endSeconds, sure: 0.8 };
}

function framesAfter(edits: readonly TimelineEdit[], pieces: typeof cutPieces): number {
	const ranges = rangesOf(edits, RATE_HZ, 10 * RATE_HZ);
	const left = [...pieces(ranges, 10 * RATE_HZ, fadeFrames(RATE_HZ))];
	return left.reduce((sum, { frames }) => sum + frames, 0);
}

await test('cuts and mutes a click shorter than its fades to the frame', () => {
	for (const milliseconds of [1, 10, 12, 15, 16, 30, 70]) {
		const edits = [edit('mouth_sound', 3, 3 + milliseconds / 1_000), edit('breath', 6, 6.5)];
		const removed = (milliseconds / 1_000 + 0.5) * RATE_HZ;
		assert.equal(framesAfter(edits, cutPieces), 10 * RATE_HZ - removed, `${milliseconds} ms`);
		assert.equal(framesAfter(edits, mutedPieces), 10 * RATE_HZ, `${milliseconds} ms`);
	}
});

await test('counts each of several joined edits, but not one too short to cut', () => {
	const edits = [
		edit('breath', 1, 1.4),
		edit('long_silence', 1.3, 3),
		edit('hesitation', 5, 5.2),
		edit('filler', 7, 7.5),
		edit('mouth_sound', 8, 8.00004),
	];
	assert.deepEqual(statisticsOf(edits, RATE_HZ, 10 * RATE_HZ), {
		BREATH: 1,
		DEADAIR: 1,
		FILLER_SOUND: 2,
	});
});

function activity(...spans: readonly (readonly [number, number])[]): Uint8Array {
	const marks = new Uint8Array(1_000);
	for (const [start, end] of spans) marks.fill(1, start * 100, end * 100);
	return marks;
}

await test('cuts a long silence once, where no track has speech', () => {
	const silences = [[edit('long_silence', 1, 9)], [edit('long_silence', 6, 9.5)]];
	const found = combineTracks(silences, [activity([0, 0.5]), activity([3, 5])]);
	assert.deepEqual(found, [edit('long_silence', 1, 2.95), edit('long_silence', 5.05, 9.5)]);
});

await test('is as sure of joined edits as of the least sure of them', () => {
	const [sure, doubtful] = [edit('long_silence', 1, 4), edit('long_silence', 3, 9)];
	const tracks = [[sure], [{ ...doubtful, sure: 0.3 }]];
	const joined = combineTracks(tracks, [activity(), activity()]);
	assert.deepEqual(joined, [{ ...edit('long_silence', 1, 9), sure: 0.3 }]);
});

await test('keeps a breath while another track speaks', () => {
	const edits = [[edit('breath', 1, 1.5), edit('breath', 4, 4.5)], []];
	const found = combineTracks(edits, [activity(), activity([1.4, 2])]);
	assert.deepEqual(found, [edit('breath', 4, 4.5)]);
});

function words(...entries: readonly [number, number, string][]): SpokenWord[] {
	return entries.map(([startSeconds, endSeconds, text]) => ({ startSeconds, endSeconds, text }));
}

/** Everywhere, what is heard is what the recognizer says. */
const AGREEING = { isOneSound: () => true, isPause: () => true };

/** Refines edits by all fillers within the sentences of a transcript. */
function refined(found: readonly TimelineEdit[], heard: RecognizedSpeech, sound: WordSound) {
	const { within } = spokenFillers(heard);
	return refineByWords(found, heard, sound, { fillers: within, answers: [] });
}

function said(recognized: readonly SpokenWord[], language?: string) {
	return { words: recognized, language, areTimesExact: true };
}

await test('adds fillers and repetitions from a transcript and keeps real words', () => {
	const recognized = words(
		[0, 0.3, 'So,'],
		[0.4, 0.9, 'uhhh'],
		[1, 1.2, 'b-'],
		[1.3, 1.6, 'but'],
		[2, 2.1, 'the'],
		[2.2, 2.3, 'the'],
		[2.4, 2.9, 'answer'],
		[3, 3.2, 'no'],
		[3.3, 3.5, 'no'],
	);
	const found = [edit('filler', 2.45, 2.85), edit('breath', 3.6, 4), edit('filler', 0.45, 0.8)];
	const edits = refined(found, said(recognized), AGREEING).map((one) => ({
		...one,
		sure: 0.8,
	}));
	assert.deepEqual(edits, [
		edit('filler', 0.4, 0.9),
		edit('stutter', 1, 1.3),
		edit('stutter', 2, 2.2),
		edit('breath', 3.6, 4),
	]);
});

await test('treats "um" as a filler in English and as a word in German', () => {
	const recognized = words([0, 0.2, 'um'], [0.3, 0.6, 'acht']);
	assert.equal(refined([], said(recognized, 'de'), AGREEING).length, 0);
	assert.equal(refined([], said(recognized), AGREEING).length, 0);
	assert.equal(refined([], said(recognized, 'en'), AGREEING).length, 1);
});

await test('by rough times, cuts nothing that touches a word, and nothing by the times themselves', () => {
	const recognized = words([0, 0.3, 'So,'], [0.4, 0.9, 'um'], [1.5, 1.9, 'the'], [2, 2.3, 'the']);
	const found = [
		edit('filler', 0.45, 0.95),
		edit('stutter', 1.2, 1.6),
		edit('hesitation', 2.2, 2.5),
		edit('breath', 1.6, 1.8),
	];
	const rough = { words: recognized, language: 'en', areTimesExact: false };
	assert.deepEqual(refined(found, rough, AGREEING), [found[0], found[3]]);
	assert.deepEqual(refined([], rough, AGREEING), []);
	// The recognizer gives some words no length, and may hear "um" and a word at the same time.
	const short = words([1.2, 1.2, 'no']);
	const both = words([1, 1.02, 'um'], [1, 1.4, 'no']);
	for (const some of [short, both]) {
		assert.deepEqual(refined([edit('filler', 0.9, 1.5)], { ...rough, words: some }, AGREEING), []);
	}
});

await test('cuts a filler that was moved to its sound, and no answer', () => {
	const recognized = words(
		[0, 0.3, 'So,'],
		[0.5, 0.9, 'um,'],
		[1.1, 1.4, 'yes.'],
		[2, 2.4, 'Mm.'],
		[3, 3.35, 'Then'],
		[3.25, 3.6, 'uh'],
		[3.6, 3.7, 'no.'],
		[3.8, 4.1, '(hm)'],
		[4.2, 4.25, '-'],
		[4.3, 4.6, 'Hm'],
		[4.6, 4.7, '!'],
		[4.7, 5, 'No.'],
	);
	const placed = { words: recognized, language: 'en', areTimesExact: false, arePlaced: true };
	const cutFrom = (sound: WordSound, ...found: TimelineEdit[]) =>
		refined(found, placed, sound).map(({ kind, startSeconds }) => [kind, startSeconds]);
	assert.deepEqual(cutFrom(AGREEING), [['filler', 0.5]]);
	assert.deepEqual(cutFrom(AGREEING, edit('hesitation', 0.55, 0.85)), [['hesitation', 0.55]]);
	assert.deepEqual(cutFrom({ ...AGREEING, isOneSound: () => false }), []);
	const { alone } = spokenFillers(placed);
	const places = alone.map(({ startSeconds }) => startSeconds);
	assert.deepEqual(places, [2, 3.8, 4.3]);
	const answers = { fillers: [], answers: alone };
	const found = [edit('filler', 2.05, 2.35), edit('hesitation', 0.55, 0.85)];
	assert.deepEqual(refineByWords(found, placed, AGREEING, answers), [found[1]]);
	const exact = { ...placed, areTimesExact: true };
	assert.deepEqual(refineByWords(found, exact, AGREEING, answers), [found[1]]);
	const longer = edit('filler', 2, 2.9);
	assert.deepEqual(refineByWords([longer], exact, AGREEING, answers), []);
});

await test('knows which fillers are sentences of their own', () => {
	const isAlone = (text: string) => {
		const spoken = text.split(' ').map((word, at) => {
			return { text: word, startSeconds: at, endSeconds: at + 0.4 };
		});
		return spokenFillers(said(spoken, 'en')).alone.length > 0;
	};
	const alone = [
		'Hm. And then',
		'I went. Hm. Then',
		'- Hm ! And then',
		'She left. (hm) He stayed.',
		'Yes. Hm. (laughs) Then',
		'And so it was… Hm… Then',
	];
	const within = [
		'How many? Um, 20. I think.',
		'How many? 20 um. I think.',
		'No. Um, 3. Then',
		'I was... um... going home.',
		'Yes. Um ... I think',
		'Well, Dr. uh... Smith',
		'went to [Paris], um. Then',
	];
	for (const text of alone) assert.ok(isAlone(text), text);
	for (const text of within) assert.ok(!isAlone(text), text);
});

await test('keeps a filler found by ear at "um" when the language is unknown', () => {
	const recognized = words([0, 0.4, 'um'], [0.5, 0.9, 'word']);
	const found = [edit('filler', 0, 0.4), edit('filler', 0.5, 0.9)];
	assert.deepEqual(refined(found, said(recognized), AGREEING), [found[0]]);
	assert.deepEqual(refined(found, said(recognized, 'pl'), AGREEING), []);
});

await test('knows fillers in each of the twelve languages', () => {
	const fillers = {
		en: 'um',
		de: 'eh',
		ro: 'ă',
		fr: 'hum',
		nl: 'eh',
		bg: 'ъ',
		ar: 'اه',
		tr: 'ı',
		pl: 'y',
		it: 'eh',
		es: 'em',
		pt: 'ã',
	};
	for (const [language, text] of Object.entries(fillers)) {
		const recognized = said(words([0, 0.4, text]), language);
		assert.equal(refined([], recognized, AGREEING).length, 1, language);
	}
	assert.equal(languageCodeOf('German'), 'de');
	assert.equal(languageCodeOf('tr-TR'), 'tr');
	assert.equal(languageCodeOf('klingon'), undefined);
});

await test('moves words by the cuts before them and removes words that were cut', () => {
	const recognized = words(
		[0, 0.5, 'so'],
		[1, 1.6, 'uh'],
		[2, 2.4, 'then'],
		[2.3, 2.7, 'the'],
		[9, 9.5, 'end'],
	);
	const edits = [edit('filler', 1, 1.6), edit('long_silence', 4, 8), edit('breath', 2.35, 2.4)];
	const times = (muted: boolean) => {
		const left = wordsAfterEdits(recognized, edits, muted).map(
			({ text, startSeconds, endSeconds }) => {
				return `${text} ${startSeconds.toFixed(3)}-${endSeconds.toFixed(3)}`;
			},
		);
		return left.join(', ');
	};
	assert.equal(times(false), 'so 0.000-0.500, then 1.400-1.750, the 1.700-2.050, end 4.350-4.850');
	assert.equal(times(true), 'so 0.000-0.500, then 2.000-2.400, the 2.300-2.700, end 9.000-9.500');
});

await test('keeps a word whose time covers a pause or breath that was cut, and drops one whose sound was', () => {
	// A recognizer begins "then" in the pause before it, and puts "the" into it.
	const recognized = words([0, 0.5, 'so'], [1, 2.2, 'then'], [1.2, 1.4, 'the'], [3, 4, 'well']);
	const textsAfter = (...edits: TimelineEdit[]) =>
		wordsAfterEdits(recognized, edits, false).map(({ text }) => text);
	const pause = edit('long_silence', 0.9, 1.9);
	assert.deepEqual(textsAfter(pause), ['so', 'then', 'the', 'well']);
	assert.deepEqual(textsAfter(edit('breath', 3, 3.7)), ['so', 'then', 'the', 'well']);
	// What is left of "then" beside the pause is 0.3 s, of "well" beside the breath 0.4 s.
	assert.deepEqual(textsAfter(pause, edit('added', 1.95, 2.2)), ['so', 'the', 'well']);
	assert.deepEqual(textsAfter(edit('breath', 3, 3.6), edit('filler', 3.7, 4)), [
		'so',
		'then',
		'the',
	]);
	assert.deepEqual(textsAfter(edit('filler', 3.6, 4)), ['so', 'then', 'the', 'well']);
	const [, then, the] = wordsAfterEdits(recognized, [pause], false);
	assert.deepEqual(
		[then.startSeconds, the.endSeconds].map((time) => time.toFixed(3)),
		['0.900', '0.900'],
	);
	assertNear(then.endSeconds, 1.2, 0.001, 'end');
});

await test('tallies found, missed and wrong edits and ignores masked ones', () => {
	const known = [1, 2, 3].map((start) => {
		return { ...edit('breath', start, start + 0.4), isMasked: start === 3 };
	});
	const tally = tallyOf(['breath'], known, [
		edit('breath', 1.02, 1.4),
		edit('breath', 3, 3.4),
		edit('breath', 5, 5.4),
		edit('filler', 2, 2.4),
	]);
	assert.deepEqual([tally.found, tally.missed, tally.wrong], [1, 1, 1]);
	assert.equal(Tally.of([tally, tally]).f1, 0.5);
});

await test('finds to the sample what another tool cut out', () => {
	const before = Int16Array.from({ length: 4 * RATE_HZ }, (_, i) => 9_000 * Math.sin(i * i * 1e-4));
	const after = Int16Array.from([...before.subarray(0, RATE_HZ), ...before.subarray(2 * RATE_HZ)]);
	const [span, ...others] = removedSpans(before, after);
	assert.equal(others.length, 0);
	assert.ok(Math.abs(span.startSeconds - 1) < 0.001 && Math.abs(span.endSeconds - 2) < 0.001);
});
