import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { inMemory } from '../../../testkit/n8n/inMemory';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { OUR_NODES } from '../../../testkit/n8n/ourNodes';
import { chain, credentialFor, runChain } from '../../../testkit/n8n/workflows';
import { FakeService } from '../../../testkit/service/fake/fakeService';
import { useService } from '../../../testkit/service/useService';
import { systemTime } from '../../../testkit/time/leapingTime';

const service = useService();

const NODES = [
	'upload',
	'createEdit',
	'waitForEdit',
	'getResult',
	'delete',
	'account',
	'audioEditing',
];

describe('without items', () => {
	it.each(NODES)('%s does nothing', async (type) => {
		const run = await runChain(service, chain({ type }), []);
		expect(run.data.resultData.error).toBeUndefined();
		expect(itemsOf(run, type)).toEqual([]);
		expect(service.seen).toEqual([]);
	});
});

const COUNT = 10_000;

const name = (type: string) => `n8n-nodes-audio-editing.${type}`;

/** Runs a node on items, against a service that edits each recording in a minute and answers in memory. */
async function runMany(
	type: string,
	items: INodeExecutionData[],
	parameters: INodeParameters = {},
) {
	const fake = new FakeService(systemTime, {
		knowsAllIds: true,
		lifeOf: () => [
			[0, 'EDITING'],
			[60, 'SUCCESS'],
		],
	});
	const nodeTypes = { ...OUR_NODES, [name(type)]: inMemory(OUR_NODES[name(type)], fake) };
	// Each wait for the key's limit would take the clock some milliseconds; other tests look at the limit.
	const plan = { plan: 'custom', submissionsPerMinute: 60 * COUNT };
	const credentials = { audioEditingApi: { ...credentialFor(service), ...plan } };
	const more = { nodeTypes, credentials };
	const run = await runChain(service, chain({ type, parameters }), items, more);
	expect(run.data.resultData.error).toBeUndefined();
	const out = itemsOf(run, type);
	expect(out).toHaveLength(COUNT);
	expect(out.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_item, item) => ({ item })));
	return { out, fake };
}

const EDITS = Array.from({ length: COUNT }, (_, index) => ({ json: { editId: `e-${index}` } }));

const RECORDINGS = Array.from({ length: COUNT }, (_, index) => ({
	json: { fileUrl: `https://files.example.com/${index}.wav` },
}));

const editIds = (items: readonly INodeExecutionData[]) => items.map(({ json }) => json.editId);

describe(`with ${COUNT} items`, () => {
	it('Create Edit charges each once', async () => {
		const { out, fake } = await runMany('createEdit', RECORDINGS);
		expect(new Set(fake.charged).size).toBe(COUNT);
		expect(new Set(editIds(out)).size).toBe(COUNT);
	});

	it('Wait For Edit waits for all of them', async () => {
		const { out } = await runMany('waitForEdit', EDITS);
		expect(editIds(out)).toEqual(editIds(EDITS));
		expect(out.every(({ json }) => json.finished)).toBe(true);
	});

	it('Get Result reads each', async () => {
		const { out } = await runMany('getResult', EDITS, { download: [] });
		expect(editIds(out)).toEqual(editIds(EDITS));
	});

	it('Delete deletes each once', async () => {
		const { out, fake } = await runMany('delete', EDITS);
		expect(fake.deleted).toEqual(editIds(EDITS));
		expect(out.every(({ json }) => json.deleted)).toBe(true);
	});
});
