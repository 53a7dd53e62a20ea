import { randomUUID } from 'crypto';
import { systemTime } from '../../../testkit/time/leapingTime';
import { FakeService } from '../../../testkit/service/fake/fakeService';
import {
	type ScriptedService,
	startScriptedService,
} from '../../../testkit/service/fake/scriptedService';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { chain, credentialFor, runChain } from '../../../testkit/n8n/workflows';
import { useService } from '../../../testkit/service/useService';

const service = useService();

const items = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		json: { fileUrl: `https://files.example.com/${index}.wav` },
	}));

/** Runs Create Edit with a credential, and returns when it ended, in seconds from its start. */
async function create(count: number, credential: Parameters<typeof credentialFor>[0], more = {}) {
	const beganAtMs = systemTime.now();
	const credentials = { audioEditingApi: { ...credentialFor(credential), ...more } };
	const run = await runChain(service, chain({ type: 'createEdit' }), items(count), { credentials });
	expect(run.data.resultData.error).toBeUndefined();
	expect(itemsOf(run, 'createEdit')).toHaveLength(count);
	return (systemTime.now() - beganAtMs) / 1_000;
}

const keysSeen = (seen: ScriptedService['seen']) => seen.map(({ headers }) => headers['x-api-key']);

describe('a credential that changes between two executions', () => {
	it('sends the new key', async () => {
		const { url } = service;
		const keys = [randomUUID(), randomUUID()];
		for (const apiKey of keys) await create(1, { url, apiKey });
		expect(keysSeen(service.seen)).toEqual(keys);
	});

	it('sends nothing more to the old address', async () => {
		const fake = new FakeService(systemTime);
		const other = await startScriptedService(({ ...request }) => fake.answer(request));
		try {
			const apiKey = randomUUID();
			await create(1, { url: service.url, apiKey });
			await create(1, { url: other.url, apiKey });
			expect(keysSeen(service.seen)).toHaveLength(1);
			expect(keysSeen(other.seen)).toEqual([apiKey]);
		} finally {
			await other.stop();
		}
	});

	it('counts a new key on its own, and a longer plan from the next execution on', async () => {
		const { url } = service;
		const access = { url, apiKey: randomUUID() };
		await create(30, access);
		expect(await create(1, { url, apiKey: randomUUID() })).toBe(0);
		const waited = await create(30, access);
		expect(waited).toBeGreaterThan(55);
		expect(await create(60, access, { plan: 'enterprise' })).toBeLessThan(50);
	});
});
