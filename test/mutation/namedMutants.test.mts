import assert from 'node:assert/strict';
import { test } from 'node:test';

import { lostMutants } from './runNamedMutants.mts';

await test('each named mutant finds its text once', async () => {
	assert.deepEqual(await lostMutants(), []);
});
