import assert from 'node:assert/strict';
import { test } from 'node:test';

import { eventually } from '../support/eventually.mts';
import { faithfulEdit } from './support/faithful.mts';
import { shortRecording } from './support/recordings.mts';
import { QUICK, startService } from './support/testService.mts';

// Every status lasts at least 0.25 real seconds.
await using service = await startService(...QUICK, '--minimum-state-seconds', '25');
const { ann, bob } = service;

const ORDER = [
	...['PENDING', 'PREPROCESSING', 'CLASSIFICATION', 'EDITING', 'POSTPROCESSING', 'EXPORT'],
	'SUCCESS',
];

/** Follows an edit to its end and returns the first body of each status. */
async function follow(id: string): Promise<unknown[]> {
	const bodies: unknown[] = [];
	let last = '';
	await eventually(`edit ${id} is over`, async () => {
		const { json } = await ann.call('GET', `/v2/edits/${id}`);
		const { status } = faithfulEdit(json);
		if (status !== last) bodies.push(json);
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

await test('the body on FAILURE contains only task_id and status', async () => {
	const files = [await ann.upload(Buffer.from('no recording'))];
	const id = await ann.create({ files, config: null });
	const bodies = await follow(id);
	assert.deepEqual(bodies, [
		{ task_id: id, status: 'PENDING' },
		{ task_id: id, status: 'PREPROCESSING' },
		{ task_id: id, status: 'FAILURE' },
	]);
});

await test("reports PENDING for unknown, deleted and other keys' edits", async () => {
	const files = [await ann.upload(shortRecording)];
	const id = await ann.create({ files, config: { remove_noise: false } });
	await eventually('the edit is running', async () =>
		(await ann.edit(id)).status === 'EDITING' ? true : undefined,
	);
	const pending = { task_id: id, status: 'PENDING' };
	assert.deepEqual((await bob.call('GET', `/v2/edits/${id}`)).json, pending);
	assert.equal((await ann.ended(id)).status, 'SUCCESS');
	assert.deepEqual((await bob.call('GET', `/v2/edits/${id}`)).json, pending);
	await ann.call('DELETE', `/v2/edits/${id}`);
	assert.deepEqual((await ann.call('GET', `/v2/edits/${id}`)).json, pending);
	for (const unknown of ['unknown', '00000000-0000-0000-0000-000000000000', 'ä%20b', "';--"]) {
		const { status, json } = await ann.call('GET', `/v2/edits/${unknown}`);
		assert.equal(status, 200);
		assert.deepEqual(json, { task_id: decodeURIComponent(unknown), status: 'PENDING' });
	}
});
