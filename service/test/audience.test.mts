import assert from 'node:assert/strict';
import { test } from 'node:test';

import { audienceIn, usualIn } from '../engine/music/audience.mts';
import { newHeardMusic, STEP_SECONDS } from '../engine/music/heardMusic.mts';

const STEPS = 40;
const levels = {
	noise: new Float32Array(STEPS).fill(1e-6),
	speech: new Float32Array(STEPS).fill(1e-3),
};

/** What is found when so much is taken away, and this is heard, in some steps. */
function foundWith(
	taken: number,
	[first, end]: readonly [number, number],
	likely: { laughter?: number; applause?: number; typing?: number; steadily?: number } = {},
) {
	const heard = newHeardMusic(STEPS * STEP_SECONDS);
	heard.taken.fill(1e-6).fill(taken, first, end);
	heard.steadilyTaken.fill(1e-6).fill(likely.steadily ?? taken, first, end);
	heard.laughter.fill(likely.laughter ?? -10, first, end);
	heard.applause.fill(likely.applause ?? -10, first, end);
	heard.typing.fill(likely.typing ?? -15, first, end);
	return audienceIn(heard, levels).map(({ startSeconds, endSeconds }) => [
		Math.round(startSeconds / STEP_SECONDS),
		Math.round(endSeconds / STEP_SECONDS),
	]);
}

await test('laughter and applause are found where they stand out from the noise, however short', () => {
	for (const likely of [{ laughter: -3 }, { applause: -4 }]) {
		assert.deepEqual(foundWith(1e-5, [10, 12], likely), [[10, 12]]);
		assert.deepEqual(foundWith(2e-6, [10, 12], likely), [], 'as soft as the noise');
	}
	assert.deepEqual(
		foundWith(1e-5, [10, 12], { laughter: -5.5 }),
		[[10, 12]],
		'one who laughs softly',
	);
	assert.deepEqual(foundWith(1e-5, [10, 12], { laughter: -7 }), [], 'somebody who speaks');
});

await test('keys that are hit fast are not laughter', () => {
	const strokes = { laughter: -4, typing: -7, steadily: 1e-7 };
	assert.deepEqual(foundWith(1e-5, [10, 12], strokes), []);
	assert.deepEqual(foundWith(1e-5, [10, 12], { ...strokes, typing: -3, steadily: 5e-6 }), []);
	assert.deepEqual(foundWith(1e-5, [10, 12], { ...strokes, typing: -14 }), [[10, 12]], 'a giggle');
	assert.deepEqual(foundWith(1e-5, [10, 12], { ...strokes, steadily: 5e-6 }), [[10, 12]]);
});

await test('what lasts for three seconds and is nearly as loud as the speech is no noise', () => {
	assert.deepEqual(foundWith(1e-4, [10, 17]), [[10, 17]]);
	assert.deepEqual(foundWith(1e-4, [10, 15]), [], 'a burst');
	assert.deepEqual(foundWith(3e-5, [10, 17]), [], 'too soft beside the speech');
	assert.deepEqual(
		foundWith(1e-4, [10, 17], { steadily: 2e-6 }),
		[],
		'one stroke of a key after the other',
	);
	const loud = { noise: new Float32Array(STEPS).fill(3e-5), speech: levels.speech };
	const heard = newHeardMusic(STEPS * STEP_SECONDS);
	heard.taken.fill(1e-4, 10, 17);
	heard.steadilyTaken.fill(1e-4, 10, 17);
	assert.deepEqual(audienceIn(heard, loud), [], 'the noise itself');
});

await test('four times as much as the noise is listened to in any case', () => {
	const [usual] = usualIn(levels);
	assert.ok(usual > 3.9e-6 && usual < 4.1e-6, String(usual));
});
