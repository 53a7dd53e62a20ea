import assert from 'node:assert/strict';
import { test } from 'node:test';

import { changedCuts } from '../../../testkit/service/putBack.mts';
import { finishedFile, send } from '../../../testkit/service/client.mts';
import { linesOf, others, startFleetOn, workerIn } from '../support/fleet.mts';
import { SILENCES as config, talk } from '../../../testkit/service/recordings.mts';
import { onlyFirstKept, reviewed } from '../../../testkit/service/reviews.mts';
import { startS3Server } from '../../../testkit/service/s3Server.mts';
import { redisServer } from '../../../testkit/process/redisServer.mts';

await using redis = await redisServer();
await using s3 = await startS3Server();

await test('workers make drafts and render decisions, after kill -9 and with object storage', async () => {
	const flags = ['--review', '--lease-seconds', '5', '--min-state-seconds', '0.6'];
	await using fleet = await startFleetOn(redis.url, 2, ...flags, '--files', s3.filesFlag('fleet'));
	const { client } = fleet;
	const review = await reviewed(client, { files: [await client.upload(talk)], config });
	const { cuts, samples } = await review.state();
	const sound = await send('POST', review.at('/sound/0'), {
		body: { from: samples - 16_000, to: samples },
	});
	assert.deepEqual([sound.status, sound.bytes.length], [200, 44 + 32_000]);
	const decided = onlyFirstKept(cuts);
	await review.decide({ revision: 0, cuts: decided, approve: true, name: 'Ann' });
	const killed = await workerIn(fleet, review.id, 'EDITING');
	await killed.kill('SIGKILL');
	const { file } = await finishedFile(await client.ended(review.id));
	assert.equal(changedCuts(file, talk, decided), 0);
	const lines = others(fleet, killed).flatMap((worker) => linesOf(worker, review.id));
	assert.match(lines.join('\n'), /RETRY: its worker died[^]*EDITING[^]*SUCCESS/);
	const second = await review.again(client);
	const { cuts: begun } = await second.state();
	assert.deepEqual(begun, [{ ...decided[0], by: 'Ann' }, decided[1]]);
	await client.call('DELETE', `/v2/edits/${review.id}`);
	await second.decide({ revision: 0, cuts: [], approve: true });
	const uncut = await finishedFile(await client.ended(second.id));
	assert.equal(changedCuts(uncut.file, talk, []), 0);
	const third = await second.again(client);
	await client.call('DELETE', `/v2/edits/${third.id}`);
	assert.equal((await send('GET', third.at('/state'))).status, 404);
});
