import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';

import { startChildService } from '../../../testkit/service/childService.mts';
import { Client } from '../../../testkit/service/client.mts';
import { attemptsOf, linesOf, others, startFleetOn, submit, workerIn } from '../support/fleet.mts';
import { PLAIN as config, shortRecording } from '../../../testkit/service/recordings.mts';
import { reply, startOutsideServer } from '../../../testkit/service/servers.mts';
import { temporaryFolder } from '../../../testkit/process/temporaryFolder.mts';
import { QUICK } from '../../../testkit/service/testService.mts';
import { eventually } from '../../../testkit/time/eventually.mts';
import { redisServer } from '../../../testkit/process/redisServer.mts';

await using redis = await redisServer();

await test('a worker that stalls while delivering leaves its edit to the one that took over', async () => {
	const held: ServerResponse[] = [];
	await using storage = await startOutsideServer((_visit, response, before) => {
		if (before === 0) held.push(response);
		else reply(response, 200);
	});
	const flags = ['--min-state-seconds', '0.6', '--lease-seconds', '5'];
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

await test('edits of three keys whose sources hang do not hold up another key', async () => {
	await using silent = await startOutsideServer(() => undefined);
	await using folder = await temporaryFolder();
	const names = ['ann', 'cay', 'dan', 'bob'];
	const keys = names.flatMap((name) => ['--api-key', `key-of-${name}`]);
	const flags = ['--queue', redis.url, '--concurrency', '1', ...keys, ...QUICK];
	await using service = await startChildService(folder.path, ...flags);
	const clientOf = (name: string) => new Client(service.client.url, `key-of-${name}`);
	const [ann, bob] = [clientOf('ann'), clientOf('bob')];
	const input = { files: [`${silent.url}/talk.wav`], config };
	const stuck = await Promise.all(Array.from({ length: 40 }, () => ann.create(input)));
	await eventually('many wait', () => silent.visits.length > 8);
	const later = await submit(ann);
	for (const other of [clientOf('cay'), clientOf('dan')]) {
		const before = silent.visits.length;
		await Promise.all(Array.from({ length: 20 }, () => other.create(input)));
		await eventually('some of it wait, too', () => silent.visits.length > before);
	}
	assert.equal((await bob.ended(await submit(bob))).status, 'SUCCESS');

	// The edits that are delayed begin when others end, and do not count as attempts.
	assert.equal((await ann.edit(later)).status, 'PENDING');
	const begun = silent.visits.length;
	assert.ok(begun < stuck.length, String(begun));
	const isBegun = (id: string) => linesOf(service, id).some((l) => l.includes('PREPROCESSING'));
	for (const id of stuck.filter(isBegun)) await ann.call('DELETE', `/v2/edits/${id}`);
	await eventually('others begin', () => silent.visits.length > begun);
	for (const id of stuck) await ann.call('DELETE', `/v2/edits/${id}`);
	assert.equal((await ann.ended(later)).status, 'SUCCESS');
	assert.equal(attemptsOf({ storage: folder.path }, later), 0);
});
