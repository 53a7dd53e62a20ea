import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';

import { eventually } from '../support/eventually.mts';
import { config, linesOf, others, startFleetOn, workerIn } from './support/fleet.mts';
import { shortRecording } from './support/recordings.mts';
import { redisServer } from '../support/redisServer.mts';
import { reply, startOutsideServer } from './support/servers.mts';

await using redis = await redisServer();
await redis.start();

await test('a worker that stalls while delivering leaves its edit to the one that took over', async () => {
	const held: ServerResponse[] = [];
	await using storage = await startOutsideServer((_visit, response, before) => {
		if (before === 0) held.push(response);
		else reply(response, 200);
	});
	const flags = ['--minimum-state-seconds', '0.6', '--lease-seconds', '1'];
	await using fleet = await startFleetOn(redis.url, 2, ...flags);
	const files = [await fleet.client.upload(shortRecording)];
	const signed_url = `${storage.url}/edited.wav?signature=1`;
	const id = await fleet.client.create({ files, config: { ...config, signed_url } });
	const answer = await eventually('the file arrives', () => held.at(0));
	const halted = await workerIn(fleet, id, 'EXPORT');
	halted.signal('SIGSTOP');
	// The resumed worker receives the response before it checks its claim.
	reply(answer, 200);
	const [other] = others(fleet, halted);
	assert.ok(other);
	await eventually('the other worker runs the edit', () =>
		linesOf(other, id).find((line) => / (CLASSIFICATION|EDITING) /.test(line)),
	);
	halted.signal('SIGCONT');
	assert.equal((await fleet.client.ended(id)).status, 'SUCCESS', linesOf(other, id).join('\n'));
	assert.equal(storage.visits.length, 2);
	assert.ok(!linesOf(halted, id).some((line) => /SUCCESS|FAILURE/.test(line)));
});
