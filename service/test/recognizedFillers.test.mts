import assert from 'node:assert/strict';
import { test } from 'node:test';

import { resolveEditConfig, type LocalSettings } from '../shared/contract.mts';
import { findEdits } from '../engine/findEdits.mts';
import { assertNear } from './support/assertNear.mts';
import { START_SECONDS, type SyntheticTalk, talkWith } from './support/syntheticTalk.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

await using folder = await temporaryFolder();

/** Nothing is denoised but for the search. */
const CONFIG = resolveEditConfig({ remove_noise: false, fillers: true });

await test('a sound that moves too far for a filler is one where a recognizer heard "um"', async () => {
	const talk = talkWith((it) => it.slowGlide(0.6, 'a', 'schwa'));
	const tracks = [await talk.track(folder.path)];
	const recognizedAs = async (text: string) => {
		const word = { text, startSeconds: START_SECONDS - 0.1, endSeconds: START_SECONDS + 0.5 };
		const recognized = { words: [word], language: 'en', areTimesExact: false };
		return await findEdits(CONFIG, tracks, { recognized, local: { filler_words: true } });
	};
	assert.deepEqual(await findEdits(CONFIG, tracks), []);
	assert.deepEqual(await recognizedAs('whoa'), []);
	const [filler] = await recognizedAs('um,');
	assertNear(filler.startSeconds, START_SECONDS, 0.06, 'start');
	assertNear(filler.endSeconds, START_SECONDS + 0.6, 0.06, 'end');
});

await test('an "um" that was moved to its sound is cut, unless only words are checked or it may be an answer', async () => {
	const cutsWith = async (
		talk: SyntheticTalk,
		text: string,
		local: LocalSettings = { filler_words: true },
		seconds = 0.6,
	) => {
		const words = [
			{ text: 'Well,', startSeconds: 0.4, endSeconds: 0.8 },
			{ text, startSeconds: START_SECONDS, endSeconds: START_SECONDS + seconds },
			{ text: 'no.', startSeconds: START_SECONDS + 1.5, endSeconds: START_SECONDS + 1.9 },
		];
		const recognized = { words, language: 'en', areTimesExact: false, arePlaced: true };
		const tracks = [await talk.track(folder.path)];
		const found = await findEdits(CONFIG, tracks, { recognized, local });
		return found.map(({ kind }) => kind);
	};
	const glide = talkWith((it) => it.slowGlide(0.6, 'a', 'schwa'));
	assert.deepEqual(await cutsWith(glide, 'um,'), ['filler']);
	assert.deepEqual(await cutsWith(glide, 'um,', { word_check: true }), []);
	const found = talkWith((it) => it.filler(0.6, 'schwa'));
	assert.deepEqual(await cutsWith(found, 'um,'), ['filler']);
	// Too short to show whose voice it is.
	assert.deepEqual(await cutsWith(found, '(um)', { filler_words: true }, 0.1), []);
});
