import assert from 'node:assert/strict';
import { test } from 'node:test';

import { refineByWords, spokenFillers } from '../engine/detection/spokenWords.mts';
import type { WordSound } from '../engine/detection/wordSound.mts';
import { languageCodeOf } from '../text/languages.mts';
import { edit, words } from './support/editsAndWords.mts';
import type { RecognizedSpeech, SpokenWord, TimelineEdit } from '../shared/timeRanges.mts';

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
