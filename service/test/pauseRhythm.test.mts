/** How much goes of which pause. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { inRhythm } from '../engine/detection/pauseRhythm.mts';
import { silencesSavedSeconds } from '../engine/export/statistics.mts';
import { DEFAULT_EDIT_LIMITS, guardSecondsOf } from '../shared/editLimits.mts';
import { assertNear } from './support/assertNear.mts';
import type { EditKind, TimelineEdit } from '../shared/timeRanges.mts';

const SECONDS = 100;

function edit(kind: EditKind, startSeconds: number, endSeconds: number): TimelineEdit {
	return { kind, startSeconds, endSeconds, sure: 1 };
}

/** What may go of a pause: all but 0.2 s on each side. */
function silence(startSeconds: number, endSeconds: number): TimelineEdit {
	return edit('long_silence', startSeconds + 0.2, endSeconds - 0.2);
}

/** How long a pause in the middle of a talk is afterwards. */
function afterwards(pauseSeconds: number, limits = DEFAULT_EDIT_LIMITS): number {
	const guard = guardSecondsOf(limits);
	const whole = edit('long_silence', 10 + guard, 10 + pauseSeconds - guard);
	const cuts = inRhythm([whole], SECONDS, limits);
	return pauseSeconds - silencesSavedSeconds(cuts, false);
}

await test('a longer pause stays the longer one, and no cut is shorter than 0.15 s', () => {
	for (const [before, after] of [
		[0.9, 0.9],
		[0.93, 0.93],
		[1, 0.8],
		[1.5, 0.865],
		[3, 0.976],
		[10, 1.168],
		[60, 1.455],
	]) {
		assertNear(afterwards(before), after, 0.002, `${before} s`);
	}
	const pauses = Array.from({ length: 60 }, (_, i) => 1 + i / 2);
	const lengths = pauses.map((seconds) => afterwards(seconds));
	assert.deepEqual(
		lengths,
		lengths.toSorted((a, b) => a - b),
	);
});

await test('the lengths that somebody asks for count', () => {
	const own = { ...DEFAULT_EDIT_LIMITS, longSilenceSeconds: 0.5, keptPauseSeconds: 0.3 };
	assertNear(afterwards(1, own), 0.3, 0.002, 's');
	assertNear(afterwards(0.6, own), 0.3, 0.002, 's');
	const slow = { ...DEFAULT_EDIT_LIMITS, longSilenceSeconds: 5, keptPauseSeconds: 3 };
	assertNear(afterwards(5, slow), 3, 0.002, 's');
});

await test('cuts the middle, before the first word the beginning, and after the last the end', () => {
	const cutsOf = (one: TimelineEdit) =>
		inRhythm([one], SECONDS, DEFAULT_EDIT_LIMITS).map(({ startSeconds, endSeconds }) =>
			[startSeconds, endSeconds].map((it) => Number(it.toFixed(2))),
		);
	assert.deepEqual(cutsOf(silence(10, 13)), [[10.49, 12.51]]);
	assert.deepEqual(cutsOf(edit('long_silence', 0, 2.8)), [[0, 2.51]]);
	assert.deepEqual(cutsOf(edit('long_silence', 97.4, 100)), [[97.98, 100]]);
});

await test('a breath that goes lies within its pause, and a word ends it', () => {
	const limits = DEFAULT_EDIT_LIMITS;
	const breath = edit('breath', 12, 12.5);
	const left = (...edits: TimelineEdit[]) =>
		4.5 - silencesSavedSeconds(inRhythm(edits, SECONDS, limits), false);
	// 2 s, a breath, and 2 s more: as much stays as of 4 s.
	const parts = [silence(10, 12), breath, silence(12.5, 14.5)];
	assertNear(left(...parts), 0.5 + 0.8 + 0.16 * Math.log(4), 0.002, 's');
	// The same with a word.
	const apart = [silence(10, 12), silence(12.5, 14.5)];
	assertNear(left(...apart), 0.5 + 2 * (0.8 + 0.16 * Math.log(2)), 0.002, 's');
});

await test('states what pauses save, and nothing where they are muted', () => {
	const edits = [silence(10, 13), edit('breath', 20, 21)];
	assert.equal(silencesSavedSeconds(edits, false), 2.6);
	assert.equal(silencesSavedSeconds(edits, true), 0);
});
