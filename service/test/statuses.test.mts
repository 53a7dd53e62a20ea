import assert from 'node:assert/strict';
import { test } from 'node:test';

import { editSchema, phaseOf } from '../shared/contract.mts';
import { eventually } from '../../testkit/time/eventually.mts';
import { type Dialect, DIALECTS } from '../../testkit/service/fake/dialects.ts';
import { faithfulEdit } from '../../testkit/service/faithful.mts';
import { PLAIN, shortRecording } from '../../testkit/service/recordings.mts';
import { briefSleeps, sleepsUntilAdvanced } from '../../testkit/time/serviceTime.mts';
import { speaking } from './support/speakingService.mts';
import { QUICK, startServiceOn, type TestService } from '../../testkit/service/testService.mts';

const STATE_SECONDS = 25;

/** With these, every status lasts until it was read. */
const SLOW = [...QUICK, '--min-state-seconds', String(STATE_SECONDS)];

/** Reads an edit. Lets its status end afterwards if the edit waits for that alone, so that no status is missed. */
async function read({ ann, clock }: TestService, id: string): Promise<unknown> {
	// The sweep sleeps, too. An edit that sleeps stays in its status until the clock advances.
	const isHeld = clock.sleeping > 1;
	const { json } = await ann.call('GET', `/v2/edits/${id}`);
	if (isHeld) clock.advance(STATE_SECONDS * 1_000);
	return json;
}

/** Reads an edit until it is over. Returns all bodies that differ. */
async function bodiesOf(service: TestService, id: string): Promise<unknown[]> {
	const bodies: string[] = [];
	await eventually(`edit ${id} is over`, async () => {
		const body = await read(service, id);
		const text = JSON.stringify(body);
		if (bodies.at(-1) !== text) bodies.push(text);
		const { status, result } = editSchema.parse(body);
		return phaseOf(status) === 'failed' || result !== undefined;
	});
	return bodies.map((text): unknown => JSON.parse(text));
}

await using slow = await startServiceOn(sleepsUntilAdvanced(), ...SLOW);
const { ann, bob } = slow;

const CONFIG = { remove_noise: false, export_timestamps: true };

await test('an edit passes through the statuses in order, without a result until SUCCESS', async () => {
	const files = [await ann.upload(shortRecording)];
	const id = await ann.create({ files, config: { remove_noise: false } });
	const bodies = await bodiesOf(slow, id);
	const order = 'PENDING PREPROCESSING CLASSIFICATION EDITING POSTPROCESSING EXPORT'.split(' ');
	const before = order.map((status) => ({ task_id: id, status }));
	assert.deepEqual(bodies.slice(0, -1), before);
	const last = faithfulEdit(bodies.at(-1));
	assert.equal(last.status, 'SUCCESS');
	assert.notEqual(last.result, undefined);
});

await test('the body on FAILURE contains the reason', async () => {
	const files = [await ann.upload(Buffer.from('no recording'))];
	const id = await ann.create({ files, config: null });
	const message = 'The file is not an audio or video file that can be read.';
	assert.deepEqual(await bodiesOf(slow, id), [
		{ task_id: id, status: 'PENDING' },
		{ task_id: id, status: 'PREPROCESSING' },
		{ task_id: id, status: 'FAILURE', result: { message } },
	]);
});

await test("reports PENDING for unknown and other keys' edits", async () => {
	const files = [await ann.upload(shortRecording)];
	const id = await ann.create({ files, config: { remove_noise: false } });
	const isRunning = async () => faithfulEdit(await read(slow, id)).status === 'EDITING';
	await eventually('the edit is running', isRunning);
	const pending = { task_id: id, status: 'PENDING' };
	assert.deepEqual((await bob.call('GET', `/v2/edits/${id}`)).json, pending);
	await bodiesOf(slow, id);
	assert.deepEqual((await bob.call('GET', `/v2/edits/${id}`)).json, pending);
	for (const unknown of ['unknown', '00000000-0000-0000-0000-000000000000', 'ä%20b', "';--"]) {
		const { status, json } = await ann.call('GET', `/v2/edits/${unknown}`);
		assert.equal(status, 200);
		assert.deepEqual(json, { task_id: decodeURIComponent(unknown), status: 'PENDING' });
	}
});

/** Every dialect that some test below has tried, or hosted.test.mts. */
const tried = new Set<string>(['markers-object', 'waveform-object']);

/** Starts a service that speaks these dialects. */
async function startSpeaking(dialects: Dialect[], flags = QUICK, clock = briefSleeps()) {
	dialects.forEach((name) => tried.add(name));
	return await speaking(dialects, await startServiceOn(clock, ...flags));
}

async function edited(service: TestService): Promise<unknown[]> {
	const files = [await service.ann.upload(shortRecording)];
	return await bodiesOf(service, await service.ann.create({ files, config: CONFIG }));
}

for (const [dialect, reason] of [
	['failure-error', /missing\.wav|404/],
	['failure-detail', /missing\.wav|404/],
	['failure-code', /^code E2001$/],
	['failure-state', /missing\.wav|404/],
	['failure-job', /missing\.wav|404/],
	['failure-bare', /^undefined$/],
] as const) {
	await test(`${dialect}: the contract reads the reason of a FAILURE, if it has one`, async () => {
		await using service = await startSpeaking([dialect]);
		const files = [`${service.url}/uploads/missing.wav`];
		const id = await service.ann.create({ files, config: CONFIG });
		const { status, failureReason } = editSchema.parse((await bodiesOf(service, id)).at(-1));
		assert.equal(status, 'FAILURE');
		assert.match(String(failureReason), reason);
	});
}

await test('progress, queued, late-result, poll-after: an edit is read from start to end', async () => {
	const dialects: Dialect[] = ['progress', 'queued', 'late-result', 'poll-after'];
	await using service = await startSpeaking(dialects, SLOW, sleepsUntilAdvanced());
	const edits = (await edited(service)).map((body) => editSchema.parse(body));
	const [first] = edits;
	assert.equal(first.status, 'QUEUED');
	assert.equal(first.pollAfterSeconds, 15);
	assert.match(first.editProgress?.text ?? '', /^0 of 7, running, phase 0, step 1/);
	const late = edits.filter(({ status, result }) => status === 'SUCCESS' && result === undefined);
	assert.equal(late.length, 1, 'both early reads are alike');
	assert.ok(edits.at(-1)?.result?.download_url);
	assert.deepEqual(await read(service, 'unknown'), { task_id: 'unknown', status: 'PENDING' });
});

for (const dialect of ['late-object', 'late-list', 'late-text', 'late-null'] as const) {
	await test(`${dialect}: SUCCESS is there before the result`, async () => {
		await using service = await startSpeaking([dialect]);
		const bodies = await edited(service);
		const [early, last] = bodies.slice(-2).map((body) => editSchema.parse(body));
		assert.deepEqual([early.status, early.result], ['SUCCESS', undefined]);
		assert.ok(last.result?.download_url);
	});
}

await test('processing: one status for all work', async () => {
	await using service = await startSpeaking(['processing'], SLOW, sleepsUntilAdvanced());
	const statuses = (await edited(service)).map((body) => editSchema.parse(body).status);
	assert.deepEqual([...new Set(statuses)].slice(-2), ['PROCESSING', 'SUCCESS']);
});

await test('markers-text and merged-text: one link each', async () => {
	await using service = await startSpeaking(['markers-text', 'merged-text']);
	const files = [
		await service.ann.upload(shortRecording),
		await service.ann.upload(shortRecording),
	];
	const id = await service.ann.create({ files, config: { ...CONFIG, merge: true } });
	const last = (await bodiesOf(service, id)).at(-1) as { result: Record<string, unknown> };
	for (const key of ['timestamps_markers_urls', 'merged_audio_url'] as const) {
		assert.equal(typeof last.result[key], 'string');
		assert.equal(editSchema.parse(last).result?.[key].length, 1);
	}
});

await test('no-credit and few-formats: refusals', async () => {
	await using service = await startSpeaking(['no-credit', 'few-formats']);
	const { ann } = service;
	const body = { input: { files: ['https://files.example.com/a.wav'], config: {} } };
	const refused = await ann.call('POST', '/v2/edits', { body });
	assert.deepEqual([refused.status, refused.json], [403, { detail: 'Insufficient credits' }]);
	assert.equal((await ann.call('POST', '/v2/upload?filename=a.ogg')).status, 400);
	assert.equal((await ann.call('POST', '/v2/upload?filename=a.MP3')).status, 200);
	assert.equal((await ann.call('POST', '/v2/upload')).status, 422);
});

await test('limit-detail: a 429 without a code', async () => {
	await using service = await startSpeaking(['limit-detail'], ['--submissions-per-minute', '1']);
	await service.ann.call('POST', '/v2/upload?filename=a.wav');
	const refused = await service.ann.call('POST', '/v2/upload?filename=a.wav');
	assert.equal(refused.status, 429);
	assert.deepEqual(Object.keys(refused.json as object), ['detail']);
});

await test('more-keys: unknown keys are accepted, wrong values of known ones are not', async () => {
	await using service = await startSpeaking(['more-keys']);
	const files = [await service.ann.upload(shortRecording)];
	const create = async (config: object) =>
		(await service.ann.call('POST', '/v2/edits', { body: { input: { files, config } } })).status;
	assert.equal(await create({ automix: true, breath: 'muted', remove_noise: false }), 200);
	assert.equal(await create({ normalize: 'loud' }), 422);
});

for (const [dialect, status] of [
	['local-ignored', 200],
	['local-refused', 422],
] as const) {
	await test(`${dialect}: a service that is not the local one, and does nothing of input.local`, async () => {
		await using service = await startSpeaking([dialect]);
		const { json: account } = await service.ann.call('GET', '/v1/account');
		assert.deepEqual(Object.keys(account as object), ['credit']);
		const files = [await service.ann.upload(shortRecording)];
		const input = { files, config: PLAIN, local: { review: true } };
		const created = await service.ann.call('POST', '/v2/edits', { body: { input } });
		assert.equal(created.status, status);
		if (status !== 200) return;
		const { id } = created.json as { id: string };
		assert.equal((await service.ann.ended(id)).local, undefined);
	});
}

await test('each dialect was tried', () => {
	assert.deepEqual([...tried].sort(), Object.keys(DIALECTS).sort());
});
