import { test } from 'node:test';

import { assertKeepsFormat, assertWrites } from './support/exportFormats.mts';
import { QUICK, startService } from './support/testService.mts';

await using service = await startService(...QUICK);
const { ann } = service;

for (const format of ['auto', 'mp3'] as const) {
	await test(`writes export_format ${format} with the right codec, length and sound`, async () => {
		await assertWrites(ann, format);
	});
}

for (const format of ['mp3'] as const) {
	await test(`keeps the format of an ${format} source with export_format auto`, async () => {
		await assertKeepsFormat(ann, format);
	});
}
