import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EditKind, SpokenWord, TimeRange } from '../shared/timeRanges.mts';
import { alignedWith, heardWordsOf } from '../text/wordCheck/alignWords.mts';
import { lostWords } from '../text/wordCheck/lostWords.mts';
import { timeAfterCuts } from '../text/wordCheck/timeAfterCuts.mts';
import { cutsOfSpeech, windowsAround } from '../text/wordCheck/windows.mts';

const WORD_SECONDS = 0.4;

/** Words of 0.4 s each, one right after the other. */
function said(text: string, startSeconds = 0): SpokenWord[] {
	return text.split(' ').map((word, at) => {
		const start = startSeconds + at * WORD_SECONDS;
		return { text: word, startSeconds: start, endSeconds: start + WORD_SECONDS };
	});
}

const speech = (words: readonly SpokenWord[], language?: string) => ({
	words,
	language,
	areTimesExact: false,
});

/** Where there is sound of speech, in 30 s. */
function soundsIn(...ranges: readonly TimeRange[]): Uint8Array {
	const sounds = new Uint8Array(3_000);
	for (const { startSeconds, endSeconds } of ranges) {
		sounds.fill(1, Math.round(100 * startSeconds), Math.round(100 * endSeconds));
	}
	return sounds;
}

const EVERYWHERE = soundsIn({ startSeconds: 0, endSeconds: 30 });

interface Trial {
	source: string;
	result: string;
	/** The cut, in words of the source: from, to. */
	cut: readonly [number, number];
	kind?: EditKind;
	languages?: readonly [string, string];
	sounds?: Uint8Array;
}

/** What is lost for certain, and what may be, where what is left of the result follows in the same time. */
function lostIn({ source, result, cut, kind = 'breath', languages, sounds = EVERYWHERE }: Trial) {
	const [startSeconds, endSeconds] = cut.map((words) => words * WORD_SECONDS);
	const range = { startSeconds, endSeconds };
	const kept = result.split(' ');
	const before = kept.slice(0, Math.floor(cut[0])).join(' ');
	const after = kept.slice(Math.floor(cut[0])).join(' ');
	const words = [
		...(before === '' ? [] : said(before)),
		...(after === '' ? [] : said(after, startSeconds)),
	];
	const found = lostWords(
		{
			range,
			edits: [{ kind, sure: 1, ...range }],
			before: speech(said(source), languages?.[0]),
			after: speech(words, languages?.[1]),
		},
		{ sounds, timeAfter: timeAfterCuts([range]) },
	);
	const textsOf = (isCertain: boolean) =>
		found.filter((one) => one.isCertain === isCertain).map(({ text }) => text);
	return [textsOf(true), textsOf(false)];
}

const source = 'we never said that the house was sold';

await test('finds a word that is missing, wherever it was, and half a word', () => {
	assert.deepEqual(lostIn({ source, result: 'we never said that house was sold', cut: [4, 5] }), [
		['the'],
		[],
	]);
	assert.deepEqual(lostIn({ source, result: 'never said that the house was sold', cut: [0, 1] }), [
		['we'],
		[],
	]);
	assert.deepEqual(lostIn({ source, result: 'we never said that the house was', cut: [7, 8] }), [
		['sold'],
		[],
	]);
	const half = 'we never said that the use was sold';
	assert.deepEqual(lostIn({ source, result: half, cut: [5, 5.5] }), [['house'], []]);
	const both = 'we never said house was sold';
	assert.deepEqual(lostIn({ source, result: both, cut: [3, 5] }), [['that', 'the'], []]);
	const other = 'we never said that house was cold';
	assert.deepEqual(lostIn({ source, result: other, cut: [4, 5] }), [['the'], []]);
});

await test('takes no word for lost that the cut did not take', () => {
	// The recognizer writes another word, or none, beside the cut.
	const beside = 'we ever said that the was sold';
	assert.deepEqual(lostIn({ source, result: beside, cut: [3, 3.1] }), [[], []]);
	// Half of it is still understood.
	assert.deepEqual(lostIn({ source, result: source, cut: [5, 5.5] }), [[], []]);
	// No speech lies where the word is said to be.
	const sounds = soundsIn(
		{ startSeconds: 0, endSeconds: 1.6 },
		{ startSeconds: 2, endSeconds: 30 },
	);
	const without = 'we never said that house was sold';
	assert.deepEqual(lostIn({ source, result: without, cut: [4, 5], sounds }), [[], []]);
});

await test('knows what was to go: fillers, and what is said again after a stutter', () => {
	const um = 'we never um said it';
	const gone = 'we never said it';
	assert.deepEqual(lostIn({ source: um, result: gone, cut: [2, 3], kind: 'filler' }), [['um'], []]);
	const languages = ['en', 'en'] as const;
	const filler = { source: um, result: gone, cut: [2, 3], languages } as const;
	assert.deepEqual(lostIn({ ...filler, kind: 'filler' }), [[], []]);
	assert.deepEqual(lostIn({ ...filler, kind: 'breath' }), [['um'], []]);
	const stutter = { result: 'we never said it', kind: 'stutter' } as const;
	for (const [text, cut] of [
		['we never never said it', [1, 2]],
		['we ne- never said it', [1, 2]],
		['we never said never said it', [1, 3]],
	] as const) {
		assert.deepEqual(lostIn({ ...stutter, source: text, cut }), [[], []], text);
	}
	const other = {
		source: 'we never ever said it',
		result: 'we never said it',
		cut: [2, 3],
	} as const;
	assert.deepEqual(lostIn({ ...other, kind: 'stutter' }), [['ever'], []]);
	// A word said twice on purpose, of which a cut for something else took one.
	const twice = { source: 'we said no no to it', result: 'we said no to it', cut: [2, 3] } as const;
	const [certain, doubtful] = lostIn({ ...twice, kind: 'breath' });
	assert.deepEqual([...certain, ...doubtful], ['no']);
});

await test('doubts where nothing can be told', () => {
	const result = 'we never said that house was sold';
	const trial = { source, result, cut: [4, 5] } as const;
	assert.deepEqual(lostIn({ ...trial, languages: ['en', 'cy'] }), [[], ['the']]);
	assert.deepEqual(lostIn({ ...trial, result: 'him clever paid cats shouts for gold' }), [
		[],
		['the'],
	]);
	assert.deepEqual(lostIn({ ...trial, result: source }), [[], ['the']]);
});

await test('pairs words by what they are and where, whatever their case and accents', () => {
	const [words, others] = [said('Née là, the house. ♪'), said('nee la house')].map(heardWordsOf);
	const texts = alignedWith(words, others).map((one) => one?.letters);
	assert.deepEqual(texts, ['nee', 'la', undefined, 'house']);
	const far = heardWordsOf(said('house', 20));
	assert.deepEqual(alignedWith(heardWordsOf(said('house')), far), [undefined]);
});

await test('says where moments are after cuts', () => {
	const after = timeAfterCuts([
		{ startSeconds: 1, endSeconds: 2 },
		{ startSeconds: 5, endSeconds: 5.5 },
	]);
	assert.deepEqual([0, 1, 1.5, 2, 3, 5.25, 6].map(after), [0, 1, 1, 1, 2, 4, 4.5]);
	assert.equal(timeAfterCuts([])(7), 7);
});

await test('hears nothing where no speech is cut, and near cuts together', () => {
	const levels = new Float32Array(3_000).fill(-30);
	const cuts = [1, 3, 20].map((startSeconds) => ({ startSeconds, endSeconds: startSeconds + 0.5 }));
	assert.deepEqual(cutsOfSpeech(cuts, soundsIn(cuts[1])), [cuts[1]]);
	const windows = windowsAround(cuts, levels);
	assert.equal(windows.length, 2);
	assert.equal(windows[0].startSeconds, 0);
	for (const { startSeconds, endSeconds } of cuts) {
		assert.ok(
			windows.some((one) => one.startSeconds <= startSeconds && endSeconds <= one.endSeconds),
		);
	}
	const many = Array.from({ length: 29 }, (_, at) => ({ startSeconds: at, endSeconds: at + 0.5 }));
	assert.deepEqual(windowsAround(many, levels), [{ startSeconds: 0, endSeconds: 30 }]);
});
