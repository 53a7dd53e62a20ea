/** `npm run eval -- recorded --url` judges any service of the API by what it sends back. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { engineIn } from '../../bench/eval/editors/editor.mts';
import { siSdrDb } from '../../bench/eval/enhancement.mts';
import { joinsOf } from '../../bench/eval/joins.mts';
import { serviceAt } from '../../bench/eval/editors/serviceEditor.mts';
import { SyntheticTalk } from './support/syntheticTalk.mts';
import { temporaryFolder } from './support/temporaryFolder.mts';
import { ANNS_KEY, startService } from './support/testService.mts';

/** A muted part fades at both ends. */
const FADE_SECONDS = 0.03;

await using folder = await temporaryFolder();
await using service = await startService();
const editor = serviceAt(service.url, ANNS_KEY, folder.path);
const talk = new SyntheticTalk().sentence().pause(1.5).sentence().pause(0.3);
talk.filler(0.5).pause(0.3).sentence().pause(0.5).sentence();

await test('finds where a service cuts, and deletes the edit', async () => {
	const path = join(folder.path, 'talk.wav');
	await writeFile(path, talk.wav());
	const expected = await engineIn(folder.path).cut(path);
	const found = await editor.cut(path);
	assert.ok(expected.cuts.length >= 2);
	assert.equal(found.cuts.length, expected.cuts.length);
	for (const [index, { startSeconds, endSeconds }] of found.cuts.entries()) {
		assert.ok(Math.abs(startSeconds - expected.cuts[index].startSeconds) < FADE_SECONDS);
		assert.ok(Math.abs(endSeconds - expected.cuts[index].endSeconds) < FADE_SECONDS);
	}
	const [own, sent] = [await expected.edited(), await found.edited()];
	assert.ok(Math.abs(own.length - sent.length) <= 1);
	const joins = found.cuts.length;
	assert.deepEqual(joinsOf(talk.samples(), sent, found.cuts), { joins, clicks: 0 });
	assert.deepEqual(await service.folder('edits'), []);
});

await test('returns what a service denoised as long as before and in step', async () => {
	const samples = talk.samples();
	const denoised = await editor.denoise(samples);
	assert.equal(denoised.length, samples.length);
	assert.ok(siSdrDb(samples, denoised) > 15);
	assert.match(editor.charge, /^3 edits, /);
});

await test('hears a click at a join', async () => {
	const path = join(folder.path, 'clicks.wav');
	await writeFile(path, talk.wav());
	const { cuts, edited } = await engineIn(folder.path).cut(path);
	const sound = await edited();
	sound[Math.round(cuts[0].startSeconds * 48_000)] += 0.1;
	assert.equal(joinsOf(talk.samples(), sound, cuts).clicks, 1);
});
