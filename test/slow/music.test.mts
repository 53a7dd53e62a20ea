import { test } from 'node:test';

import { assertKeepsMusic } from '../service/support/keptMusic.mts';
import { QUICK, startService } from '../service/support/testService.mts';

await test('leaves music untouched with keep_music and Studio Sound, but reduces noise', async () => {
	await using service = await startService(...QUICK);
	await assertKeepsMusic(service.ann, { studio_sound: true, autoeq: true });
});
