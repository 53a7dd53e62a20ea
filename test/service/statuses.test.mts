import assert from 'node:assert/strict';
import { test } from 'node:test';

import { eventually } from '../support/eventually.mts';
import { faithfulEdit } from './support/faithful.mts';
import { shortRecording } from './support/recordings.mts';
import { readAndPass, TestClock } from './support/testClock.mts';
import { QUICK, startServiceOn } from './support/testService.mts';

const STATE_SECONDS = 25;

// Every status lasts until the test has seen it.
const clock = new TestClock('until advanced');
await using service = await startServiceOn(
	clock,
	...QUICK,
	'--minimum-state-seconds',
	String(STATE_SECONDS),
);
const { ann, bob } = service;

const ORDER = [
	...['PENDING', 'PREPROCESSING', 'CLASSIFICATION', 'EDITING', 'POSTPROCESSING', 'EXPORT'],
	'SUCCESS',
];

/** Reads an edit, whose status may end afterwards. */
async function read(id: string): Promise<unknown> {
	const { json } = await readAndPass(clock, STATE_SECONDS, () =>
		ann.call('GET', `/v2/edits/${id}`),
	);
	return json;
}

/** Follows an edit to its end and returns the first body of each status. */
async function follow(id: string): Promise<unknown[]> {
	const bodies: unknown[] = [];
	let last = '';
	await eventually(`edit ${id} is over`, async () => {
		const body = await read(id);
		const { status } = faithfulEdit(body);
		if (status !== last) bodies.push(body);
		last = status;
		return status === 'SUCCESS' || status === 'FAILURE' ? true : undefined;
	});
	return bodies;
}

await test('an edit passes through the statuses in order, without a result until SUCCESS', async () => {
	const files = [await ann.upload(shortRecording)];
	const id = await ann.create({ files, config: { remove_noise: false } });
	const bodies = await follow(id);
	const before = ORDER.slice(0, -1).map((status) => ({ task_id: id, status }));
	assert.deepEqual(bodies.slice(0, -1), before);
	const last = faithfulEdit(bodies.at(-1));
	assert.equal(last.status, 'SUCCESS');
	assert.notEqual(last.result, undefined);
});

await test('the body on FAILURE contains the reason', async () => {
	const files = [await ann.upload(Buffer.from('no recording'))];
	const id = await ann.create({ files, config: null });
	const bodies = await follow(id);
	assert.deepEqual(bodies.slice(0, -1), [
		{ task_id: id, status: 'PENDING' },
		{ task_id: id, status: 'PREPROCESSING' },
	]);
	const message = 'The file is not an audio or video file that can be read.';
	assert.deepEqual(await read(id), { task_id: id, status: 'FAILURE', result: { message } });
});

await test("reports PENDING for unknown, deleted and other keys' edits", async () => {
	const files = [await ann.upload(shortRecording)];
	const id = await ann.create({ files, config: { remove_noise: false } });
	await eventually('the edit is running', async () =>
		faithfulEdit(await read(id)).status === 'EDITING' ? true : undefined,
	);
	const pending = { task_id: id, status: 'PENDING' };
	assert.deepEqual((await bob.call('GET', `/v2/edits/${id}`)).json, pending);
	await follow(id);
	assert.deepEqual((await bob.call('GET', `/v2/edits/${id}`)).json, pending);
	await ann.call('DELETE', `/v2/edits/${id}`);
	assert.deepEqual((await ann.call('GET', `/v2/edits/${id}`)).json, pending);
	for (const unknown of ['unknown', '00000000-0000-0000-0000-000000000000', 'ä%20b', "';--"]) {
		const { status, json } = await ann.call('GET', `/v2/edits/${unknown}`);
		assert.equal(status, 200);
		assert.deepEqual(json, { task_id: decodeURIComponent(unknown), status: 'PENDING' });
	}
});
