import assert from 'node:assert/strict';
import { test } from 'node:test';

import { combineTracks } from '../engine/detection/combineTracks.mts';
import { wordsAfterEdits } from '../text/wordsAfterEdits.mts';
import { statisticsOf } from '../engine/export/statistics.mts';
import { cutPieces, fadeFrames, mutedPieces, rangesOf } from '../engine/timeline.mts';
import { removedSpans } from '../eval/editors/rivals.mts';
import { Tally, tallyOf } from '../eval/score.mts';
import { assertNear } from './support/assertNear.mts';
import { edit, words } from './support/editsAndWords.mts';
import type { TimelineEdit } from '../shared/timeRanges.mts';

const RATE_HZ = 48_000;

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
