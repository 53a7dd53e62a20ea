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

describe('a file with any name is uploaded under a safe one', () => {
	it.each([
		['../../../etc/passwd.wav', 'passwd.wav'],
		['..\\..\\boot.wav', 'boot.wav'],
		['say "hi".wav', 'say _hi_.wav'],
		["it's & more?.wav", "it's & more_.wav"],
		['Folge 🎙️ Ü.wav', 'Folge 🎙️ Ü.wav'],
		['a\r\nX-Evil: 1.wav', 'a_X-Evil_ 1.wav'],
		[`${'x'.repeat(300)}.wav`, `${'x'.repeat(146)}.wav`],
		['%2e%2e%2fx.wav', '%2e%2e%2fx.wav'],
	])('%j', async (name, sent) => {
		const { out, error } = await run('upload', {}, { name });
		expect(error).toBeUndefined();
		expect(out?.fileName).toBe(sent);
		const asked = new URL(service.seen[0].path, 'http://x');
		expect(asked.pathname).toBe('/v2/upload');
		expect(asked.searchParams.get('filename')).toBe(sent);
		expect(service.seen[0].headers).not.toHaveProperty('x-evil');
	});
});

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

describe('every node refuses an unusable base URL before any request', () => {
	const parameters: Record<string, INodeParameters> = {
		upload: {},
		createEdit: { fileUrls: 'https://files.example/a.wav' },
		waitForEdit: { editId: 'a' },
		getResult: { editId: 'a' },
		delete: { editId: 'a' },
	};
	const cases = Object.keys(parameters).flatMap((type) => [
		[type, (url: string) => `${url}/?token=base-secret`, 'a query'],
		[type, (url: string) => url.replace('//', '//me:base-secret@'), 'a user name or password'],
		[type, (url: string) => `${url}#base-secret`, 'a query or fragment'],
		[type, (url: string) => url.replace('http:', 'ftp:'), 'must begin with https://'],
		[type, () => 'audio.example', 'not a complete URL'],
	]) as [string, (url: string) => string, string][];

	it.each(cases)('%s %#', async (type, spoil, reason) => {
		const { said } = await run(type, parameters[type], { url: spoil(service.url) });
		expect(said).toContain("Could not use the credential: its 'Base URL' ");
		expect(said).toContain(reason);
		expect(said).not.toContain('base-secret');
		expect(service.seen).toEqual([]);
	});

	it('a path before the version is kept', async () => {
		await run('upload', {}, { url: `${service.url}/audio/v2/` });
		expect(service.seen[0].path).toBe('/audio/v2/upload?filename=a.wav');
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

it('a file name that UTF-8 cannot hold is uploaded under one that it can', async () => {
	const { error } = await run('upload', {}, { name: 'talk\ud800.wav' });
	expect(error).toBeUndefined();
	expect(service.seen[0].path).toBe('/v2/upload?filename=talk_.wav');
});

describe('before the first request', () => {
	/** Fields that a mistake in the second item makes unreadable. */
	const NODES: NodeSpec[] = [
		{ type: 'delete', parameters: { editId: '={{ $json.id }}' } },
		{ type: 'getResult', parameters: { editId: '={{ $json.id }}', download: [] } },
	];

	const ITEMS: INodeExecutionData[] = [{ json: { id: 'a' } }, { json: { id: 'b/c' } }];

	const service = useService(() => ({ body: { task_id: 'a', status: 'SUCCESS' } }));

	describe.each(NODES)('$type with a mistake in the second item', (node) => {
		it('sends nothing if it ends on errors', async () => {
			const { data } = await runChain(service, chain(node), ITEMS);
			expect(data.resultData.error?.message).toMatch(
				/'Edit ID' (is empty|contains characters).*\[item 1\]/,
			);
			expect(service.seen).toHaveLength(0);
		});

		it('handles the first item if it continues on errors', async () => {
			const settings = { onError: 'continueRegularOutput' } as const;
			await runChain(service, chain({ ...node, settings }), ITEMS);
			expect(service.seen.map(({ path }) => path)).toContain('/v2/edits/a');
		});
	});
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
	});
});
