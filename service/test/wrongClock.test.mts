import assert from 'node:assert/strict';
import { test } from 'node:test';

import { eventually } from '../../testkit/time/eventually.mts';
import { send } from '../../testkit/service/client.mts';
import { PLAIN, shortRecording, SILENCES, talk } from '../../testkit/service/recordings.mts';
import { reviewed } from '../../testkit/service/reviews.mts';
import { sleepsUntilAdvanced } from '../../testkit/time/serviceTime.mts';
import { QUICK, startServiceOn } from '../../testkit/service/testService.mts';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

const REVIEWED = ['--review', '--review-ends', 'fail', '--review-hours', '24'];

for (const aheadMs of [30 * HOUR_MS, -30 * HOUR_MS, 10 * YEAR_MS, -10 * YEAR_MS]) {
	const hours = aheadMs / HOUR_MS;
	await test(`a clock that jumps by ${hours} h ends no review and deletes nothing`, async () => {
		const clock = sleepsUntilAdvanced();
		await using service = await startServiceOn(clock, ...QUICK, ...REVIEWED);
		const { ann } = service;
		const files = [await ann.upload(talk)];
		const review = await reviewed(ann, { files, config: SILENCES });
		clock.timeOfDayAheadMs = aheadMs;
		for (let hour = 0; hour < 3; hour += 1) {
			clock.advance(HOUR_MS + 1_000);
			await eventually('it has swept', () => clock.sleeping > 0);
		}
		assert.equal((await ann.edit(review.id)).status, 'POSTPROCESSING');
		assert.deepEqual(await service.folder('edits'), [review.id]);
		assert.equal((await service.folder('uploads')).length, 1);
		assert.equal((await send('GET', `${service.url}/health`)).status, 200);
		// It ends after its own time nonetheless.
		clock.advance(24 * HOUR_MS);
		const ended = await ann.ended(review.id);
		assert.match(ended.failureReason ?? '', /Nobody approved the cuts within 24 hours/);
	});
}

await test('a clock that is set back during an edit does not hold it up', async () => {
	const clock = sleepsUntilAdvanced();
	await using service = await startServiceOn(clock, ...QUICK);
	const id = await service.ann.create({
		files: [await service.ann.upload(shortRecording)],
		config: PLAIN,
	});
	clock.timeOfDayAheadMs = -30 * HOUR_MS;
	assert.equal((await service.ann.ended(id)).status, 'SUCCESS');
});

await test('a clock that is set back does not hold up who has reached a rate limit', async () => {
	const clock = sleepsUntilAdvanced();
	await using service = await startServiceOn(clock, '--status-calls-per-minute', '1');
	const call = async () => (await service.ann.call('GET', '/v2/edits/any')).status;
	assert.deepEqual([await call(), await call()], [200, 429]);
	clock.timeOfDayAheadMs = -30 * HOUR_MS;
	clock.advance(61_000);
	assert.equal(await call(), 200);
});
