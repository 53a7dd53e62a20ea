import type { INodeParameters } from 'n8n-workflow';

import { itemsOf, storeFile } from '../support/n8nEngine';
import { type UsedService, useService } from '../support/useService';
import { type NodeSpec, chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const service: UsedService = useService(({ method, path }) => {
	const id = path.split('/').at(-1) ?? '';
	if (path.startsWith('/v2/upload')) return { body: { signedUrl: `${service.url}/file/x?s=1` } };
	if (method === 'POST') return { body: { id: 'new' } };
	if (path.startsWith('/file/')) return { body: 'RIFF', headers: { 'Content-Type': 'audio/wav' } };
	const result = { filename: `${id}.wav`, download_url: `${service.url}/file/${id}` };
	return { body: { task_id: id, status: 'SUCCESS', result, credit: { total: 1 } } };
});

/** An expression that n8n cannot evaluate for the middle item. */
const BROKEN = "={{ $json.bad ? $('Missing').item.json.x : $json.editId }}";

async function run(specs: NodeSpec[], url = service.url) {
	const items = await Promise.all(
		['e1', 'e2', 'e3'].map(async (editId) => ({
			json: { editId, bad: editId === 'e2', fileUrl: 'https://files.example/a.wav' },
			binary: { data: await storeFile(Buffer.from('RIFF'), `${editId}.wav`, 'audio/wav') },
		})),
	);
	return await runChain({ ...service, url }, chain(...specs), items);
}

const onError = { onError: 'continueErrorOutput' } as const;

it('an unreadable ID fails only its item, and Delete deletes nothing that was not fetched', async () => {
	const getResult = { type: 'getResult', parameters: { editId: BROKEN }, settings: onError };
	const result = await run([getResult, { type: 'delete' }]);
	expect(itemsOf(result, 'getResult', 0).map(({ json }) => json.editId)).toEqual(['e1', 'e3']);
	expect(itemsOf(result, 'getResult', 1)).toHaveLength(1);
	const deleted = service.seen.filter(({ method }) => method === 'DELETE');
	expect(deleted.map(({ path }) => path)).toEqual(['/v2/edits/e1', '/v2/edits/e3']);
});

it.each<[string, INodeParameters]>([
	['delete', { editId: BROKEN }],
	['waitForEdit', { editId: BROKEN }],
	['upload', { binaryPropertyName: "={{ $json.bad ? $('Missing').item.json.x : 'data' }}" }],
	['createEdit', { fileUrls: "={{ $json.bad ? $('Missing').item.json.x : $json.fileUrl }}" }],
])('%s: an expression that fails for one item fails only that item', async (type, parameters) => {
	const result = await run([{ type, parameters, settings: onError }]);
	expect(itemsOf(result, type, 0)).toHaveLength(2);
	const [failed] = itemsOf(result, type, 1);
	expect(failed.pairedItem).toEqual({ item: 1 });
});

describe('what stops a node from working fails each item and passes nothing on', () => {
	it.each<[string, INodeParameters]>([
		['getResult', { options: { transfersAtOnce: '={{ $json.nothing }}' } }],
		['upload', { options: { transfersAtOnce: '={{ "two" }}' } }],
		['waitForEdit', { maximumWaitMinutes: '={{ "soon" }}' }],
		['waitForEdit', { whileWaiting: 'park' }],
	])('%s %j', async (type, parameters) => {
		const result = await run([{ type, parameters, settings: onError }, { type: 'delete' }]);
		expect(itemsOf(result, type, 0)).toEqual([]);
		expect(itemsOf(result, type, 1)).toHaveLength(3);
		expect(service.seen).toEqual([]);
	});

	it.each(['upload', 'createEdit', 'waitForEdit', 'getResult', 'delete', 'account'])(
		'%s with an invalid base URL',
		async (type) => {
			const result = await run([{ type, settings: onError }], 'not a url');
			expect(itemsOf(result, type, 0)).toEqual([]);
			expect(itemsOf(result, type, 1)).toHaveLength(3);
		},
	);
});
