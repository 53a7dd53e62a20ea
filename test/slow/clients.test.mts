import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { startImpatientService } from '../service/support/halfUpload.mts';

await test('does not close a slow connection that takes longer than an idle one may', async () => {
	await using closing = await startImpatientService({ longestIdleMs: 10_000 });
	const slow = await closing.beginUpload();
	const answer = once(slow, 'data');
	for (const byte of '67890') {
		await wait(2_500);
		slow.write(byte);
	}
	assert.match(String(await answer), /^HTTP\/1.1 200 /);
	slow.destroy();
});
