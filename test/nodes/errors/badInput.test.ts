import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { itemsOf, storeFile } from '../../support/n8nEngine';
import { type UsedService, useService } from '../../support/useService';
import { chain, type NodeSpec, runChain } from '../../support/workflows';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

const service: UsedService = useService(({ method }) =>
	method === 'POST' ? { body: { signedUrl: `${service.url}/store/1?signature=x` } } : {},
);

async function run(
	type: string,
	parameters: INodeParameters,
	more: { url?: string; name?: string } = {},
) {
	const { url = service.url, name = 'a.wav' } = more;
	const data = await storeFile(Buffer.from('RIFF'), name, 'audio/wav');
	const items = [{ json: {}, binary: { data } }];
	const result = await runChain({ ...service, url }, chain({ type, parameters }), items);
	const { error } = result.data.resultData;
	return {
		out: itemsOf(result, type)[0]?.json,
		error,
		said: `${error?.message} ${error?.description}`,
	};
}

describe('an item without json, as some nodes output it', () => {
	const without = async (type: string, item: object, parameters: INodeParameters = {}) => {
		const items = [item as INodeExecutionData];
		const { data } = await runChain(service, chain({ type, parameters }), items);
		return data.resultData.error?.message;
	};

	it('still has a file to upload', async () => {
		const data = await storeFile(Buffer.from('RIFF'), 'a.wav', 'audio/wav');
		expect(await without('upload', { binary: { data } })).toBeUndefined();
	});

	it.each([
		['createEdit', "'File URLs' is empty [item 0]"],
		['waitForEdit', "'Edit ID' is empty"],
		['getResult', "'Edit ID' is empty [item 0]"],
		['delete', "'Edit ID' is empty [item 0]"],
	])('%s says what is missing', async (type, message) => {
		expect(await without(type, {})).toContain(message);
	});
});

describe('an invalid edit ID is refused before any request', () => {
	const ids = [
		'={{ "" }}',
		'a/b',
		'../account',
		'a?b=1',
		'a%2Fb',
		'={{ undefined }}',
		'={{ [] }}',
		'={{ {} }}',
	];
	const types = ['waitForEdit', 'getResult', 'delete'];
	it.each(types.flatMap((type) => ids.map((editId) => [type, editId])))(
		'%s %j',
		async (type, editId) => {
			const { said } = await run(type, { editId });
			expect(said).toMatch(/'Edit ID' (is empty|contains characters)/);
			expect(service.seen).toEqual([]);
		},
	);
});

describe('a field without a file is named before any request', () => {
	it.each(['audio', 'constructor', '={{ "" }}', '__proto__', '={{ null }}'])(
		'%j',
		async (binaryPropertyName) => {
			const { said } = await run('upload', { binaryPropertyName });
			expect(said).toMatch(/no file in the field|not a string or binary data object/);
			expect(service.seen).toEqual([]);
		},
	);
});

describe('an item that fails', () => {
	const service: UsedService = useService(({ method, path }) => {
		const id = path.split('/').at(-1) ?? '';
		if (path.startsWith('/v2/upload')) return { body: { signedUrl: `${service.url}/file/x?s=1` } };
		if (method === 'POST') return { body: { id: 'new' } };
		if (path.startsWith('/file/'))
			return { body: 'RIFF', headers: { 'Content-Type': 'audio/wav' } };
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
	});
});
