/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they write files */
import { scrypt } from 'crypto';
import { open } from 'fs/promises';
import { tmpdir } from 'os';
import { join } from 'path';
import { promisify } from 'util';

import { systemTime } from '../support/leapingTime';

const HOUR_MS = 3_600_000;

/** Keeps all threads for file operations at work, as on a busy machine. */
const occupyThreads = () =>
	Array.from({ length: 8 }, async () => await promisify(scrypt)('a', 'b', 64));

describe('the leaping clock', () => {
	it('leaps when only a sleep is left', async () => {
		const beganAtMs = systemTime.now();
		await systemTime.sleep(HOUR_MS);
		expect(systemTime.now() - beganAtMs).toBe(HOUR_MS);
	});

	it('does not leap while a file is being written or closed', async () => {
		const events: string[] = [];
		const file = await open(join(tmpdir(), 'leaping'), 'w');
		for (const work of [async () => await file.write('a'), async () => await file.close()]) {
			const threads = occupyThreads();
			const working = work().then(() => events.push('done'));
			await systemTime.sleep(HOUR_MS).then(() => events.push('leapt'));
			await Promise.all([...threads, working]);
		}
		expect(events).toEqual(['done', 'leapt', 'done', 'leapt']);
	});
});
