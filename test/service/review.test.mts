import assert from 'node:assert/strict';
import { test } from 'node:test';

import { z } from 'zod';

import { cutSchema } from '../../service/shared/cuts.mts';
import { eventually } from '../support/eventually.mts';
import { send, type Client } from './support/client.mts';
import { talk } from './support/recordings.mts';
import { QUICK, startService } from './support/testService.mts';

const stateSchema = z.object({
	state: z.enum(['waiting', 'approved', 'finished', 'failed']),
	revision: z.number(),
	cuts: z.array(cutSchema),
	samples: z.number(),
	sample_rate: z.number(),
});

await using service = await startService(...QUICK, '--review');
const { ann } = service;

const config = { long_silences: true, remove_noise: false } as const;

/** Creates an edit and returns it once it waits. */
async function waiting(client: Client, bytes = talk, name = 'talk.wav') {
	const files = [await client.upload(bytes, name)];
	const created = await client.call('POST', '/v2/edits', { body: { input: { files, config } } });
	const { id } = z.object({ id: z.string(), review_url: z.string().url() }).parse(created.json);
	const link = await eventually(`edit ${id} waits`, async () => {
		const { json } = await client.call('GET', `/v2/edits/${id}`);
		const { status, review_url: url } = z
			.object({ status: z.string(), review_url: z.string().optional() })
			.parse(json);
		assert.notEqual(status, 'FAILURE', service.logOf(id).join('\n'));
		return url;
	});
	const [path, query] = link.split('?');
	return { id, at: (below: string) => `${path}${below}?${query}` };
}

await test('waits with its cuts, plays them, and goes on when somebody approves', async () => {
	const { id, at } = await waiting(ann);
	const state = await send('GET', at('/state'));
	const found = stateSchema.parse(state.json);
	assert.equal(found.state, 'waiting');
	assert.ok(found.cuts.length > 0);
	const sound = await send('GET', `${at('/sound/0')}&from=0&to=${found.sample_rate}`);
	assert.equal(sound.status, 200, sound.text);
	const cut = found.cuts[0];
	const body = {
		from: cut.start - 10_000,
		to: cut.end + 10_000,
		cuts: [cut].map(({ start, end }) => ({ start, end })),
	};
	const after = await send('POST', at('/sound/0'), { body });
	assert.equal(after.status, 200, after.text);
	assert.equal(after.bytes.length, 44 + 20_000 * 2);
	const approved = await send('PUT', at('/cuts'), {
		body: {
			revision: 0,
			cuts: found.cuts.map((one, i) => ({ ...one, keep: i === 0 })),
			approve: true,
			name: 'Ann',
		},
	});
	const edit = await ann.ended(id);
	assert.equal(edit.status, 'SUCCESS');
});
