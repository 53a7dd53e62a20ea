import { test } from 'node:test';

import { QUICK, startService } from '../service/support/testService.mts';
import {
	assertCopiesPicture,
	assertCuts,
	assertInSync,
	OTHER_CONTAINERS,
	OTHER_HARD_CASES,
} from '../service/support/videoCases.mts';

await using service = await startService(...QUICK);
const { ann } = service;

for (const container of OTHER_CONTAINERS) {
	const { fileName } = container.plan;
	await test(`cuts ${fileName} in its container, with sound and picture of equal length`, async () => {
		await assertCuts(ann, container);
	});

	await test(`copies the picture of ${fileName} bit by bit without cuts and enhances only the sound`, async () => {
		await assertCopiesPicture(ann, container);
	});
}

for (const plan of OTHER_HARD_CASES) {
	await test(`keeps sound and picture of ${plan.fileName} in sync within a frame after cuts`, async () => {
		await assertInSync(plan);
	});
}
