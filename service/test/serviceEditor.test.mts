/** `npm run eval -w service -- recorded --url` judges any service of the API by what it sends back. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { engineIn } from '../eval/editors/editor.mts';
import { siSdrDb } from '../eval/enhancement.mts';
import { joinsOf } from '../eval/joins.mts';
import { inStep, serviceAt } from '../eval/editors/serviceEditor.mts';
import { assertNear } from './support/assertNear.mts';
import { reply, startOutsideServer, type Visit } from '../../testkit/service/servers.mts';
import { SyntheticTalk } from './support/syntheticTalk.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { ANNS_KEY, startService } from '../../testkit/service/testService.mts';

/** A muted part fades at both ends. */
const FADE_SECONDS = 0.03;

await using folder = await temporaryFolder();
await using service = await startService();
const QUICK_WAITS = { pollMs: 100, problemMs: 1 };
const editor = serviceAt(service.url, ANNS_KEY, folder.path, QUICK_WAITS);
const talk = new SyntheticTalk().sentence().pause(1.5).sentence().pause(0.3);
talk.filler(0.5).pause(0.3).sentence().pause(0.5).sentence();
const path = join(folder.path, 'talk.wav');
await writeFile(path, talk.wav());

await test('finds where a service cuts, and deletes the edit', async () => {
	const expected = await engineIn(folder.path).cut(path);
	const found = await editor.cut(path);
	assert.ok(expected.cuts.length >= 2);
	assert.equal(found.cuts.length, expected.cuts.length);
	for (const [index, { startSeconds, endSeconds }] of found.cuts.entries()) {
		assertNear(startSeconds, expected.cuts[index].startSeconds, FADE_SECONDS, 'start');
		assertNear(endSeconds, expected.cuts[index].endSeconds, FADE_SECONDS, 'end');
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
	assert.equal(editor.edits, 3);
	const late = Float32Array.from({ length: samples.length }, (_, i) => samples[i - 1_200] ?? 0);
	assert.ok(siSdrDb(samples, inStep(samples, late)) > 20);
});

await test('hears a click at a join', async () => {
	const { cuts, edited } = await engineIn(folder.path).cut(path);
	const sound = await edited();
	sound[Math.round(cuts[0].startSeconds * 48_000)] += 0.1;
	assert.equal(joinsOf(talk.samples(), sound, cuts).clicks, 1);
});

await test('sends an edit once, whatever the answer, but polls again after a problem', async () => {
	const callOf = ({ method, url }: Visit) => `${method} ${url.split('?')[0]}`;
	await using server = await startOutsideServer((visit, response, before) => {
		const isRefused = before === 0 || callOf(visit) === 'POST /v2/edits';
		const signedUrl = `http://${visit.headers.host}/upload?signature=1`;
		response.setHeader('Content-Type', 'application/json');
		reply(response, isRefused ? 502 : 200, JSON.stringify({ signedUrl }));
	});
	const broken = serviceAt(server.url, 'key', folder.path, QUICK_WAITS);
	await assert.rejects(broken.denoise(talk.samples()), /POST \/v2\/edits: 502/);
	const calls = ['POST /v2/upload', 'POST /v2/upload', 'PUT /upload', 'POST /v2/edits'];
	assert.deepEqual(server.visits.map(callOf), calls);
});
