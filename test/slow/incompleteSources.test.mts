import { test } from 'node:test';

import { assertSaysNothing, assertSaysTruncated } from '../service/support/incompleteSources.mts';
import { QUICK, startService } from '../service/support/testService.mts';

await using service = await startService(...QUICK);

/** Formats whose files do not say how long they are. */
const WITHOUT_LENGTH = ['no-header.mp3', 'talk.ogg', 'talk.aac'];

const WITH_LENGTH = ['constant.mp3', 'talk.flac', 'talk.m4a', 'talk.aiff', 'talk.mkv'];

for (const name of [...WITH_LENGTH, ...WITHOUT_LENGTH]) {
	await test(`says nothing about a complete ${name}, with and without resampling`, async () => {
		await assertSaysNothing(service, name);
	});
}

for (const name of WITH_LENGTH) {
	await test(`says that ${name} is truncated, in the log and on the page`, async () => {
		await assertSaysTruncated(service, name);
	});
}
