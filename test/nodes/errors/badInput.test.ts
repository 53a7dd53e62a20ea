import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { itemsOf, storeFile } from '../../support/n8nEngine';
import { type UsedService, useService } from '../../support/useService';
import { chain, type NodeSpec, runChain } from '../../support/workflows';
import type { Answer, SeenRequest } from '../../support/scriptedService';

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

describe('secrets', () => {
	let answer: (request: SeenRequest) => Answer;
	const service = useService((request) => answer(request));

	/** Returns everything a node leaves after a run with a file in the field `data`. */
	async function leftBehind(spec: NodeSpec, fileUrl = 'https://f.example.com/a.wav') {
		const binary = { data: await storeFile(Buffer.from('RIFF'), 'a.wav', 'audio/wav') };
		const run = await runChain(service, chain(spec), [{ json: { fileUrl }, binary }]);
		const { error, runData } = run.data.resultData;
		// The test itself created the input.
		delete runData.Input;
		const { messages } = { messages: undefined, ...error };
		const details = JSON.stringify(messages);
		return `${JSON.stringify(runData)} ${details} ${error?.message} ${error?.description}`;
	}

	const CREATE_EDIT = { type: 'createEdit', parameters: { fileUrls: '={{ $json.fileUrl }}' } };

	const account = (resource: string, operation: string, more: INodeParameters = {}) => ({
		type: 'account',
		parameters: { resource, operation, ...more },
	});

	const simplify = false;

	describe('a 200 response that quotes the request headers', () => {
		it('does not show the key in a truncated response', async () => {
			answer = ({ headers }) => ({
				body: `{"reference":"edit-77","x-api-key":"${String(headers['x-api-key'])}"`,
				headers: { 'Content-Type': 'application/json' },
			});
			const text = await leftBehind(CREATE_EDIT);
			expect(text).toMatch(/is incomplete: .*edit-77.*\(hidden\)/);
			expect(text).not.toContain(service.apiKey);
		});
	});

	/** Returns a valid response to each request of the nodes, which quotes the request's headers. */
	function echoIn({ method, path, headers }: SeenRequest): Answer {
		const echo = { seen: headers, line: `X-API-Key: ${String(headers['x-api-key'])}` };
		const task = { id: 't', created_at: '', status: 'SUCCESS', results: echo, length_audio: 1 };
		const configuration = { id: 1, name: 'Podcast', upload_type: 'any', settings: echo };
		const bodies: Record<string, object> = {
			'POST /v2/edits': { id: 'edit-77', ...echo },
			'GET /v1/account': { credit: { total: 1, subscription: 1, payg: 0 }, meta: echo },
			'GET /v2/configurations': { configurations: [{ ...configuration, ...echo }] },
			'GET /v2/configuration/1': configuration,
			'GET /v2/completed_tasks/1': { tasks: [task] },
			'GET /v2/edits/e': {
				task_id: 'e',
				status: 'SUCCESS',
				[String(headers['x-api-key'])]: 1,
				result: { download_url: `${service.url}/file`, filename: 'a.wav', ...echo },
				...echo,
			},
			'POST /v2/upload?filename=a.wav': { signedUrl: `${service.url}/up/a.wav?sig=x`, ...echo },
			'GET /file': {},
		};
		return { body: bodies[`${method} ${path}`] ?? { deleted: true, ...echo } };
	}

	describe('a valid response that quotes the request headers', () => {
		it('does not show a key entered with spaces around it', async () => {
			answer = echoIn;
			const access = { ...service, apiKey: ` ${service.apiKey} ` };
			const parameters = account('account', 'getCredit', { simplify });
			const run = await runChain(access, chain(parameters));
			const text = JSON.stringify(itemsOf(run, 'account'));
			expect(text).toContain('"x-api-key":"(hidden)"');
		});

		it('keeps the words of a transcript, even if a short key is one of them', async () => {
			const word = { id: 0, start: 0, end: 1, text: 'podcasting' };
			const result = { transcription: { paragraphs: [word] }, download_url: 'https://f.example/a' };
			answer = () => ({ body: { task_id: 'e', status: 'SUCCESS', result } });
			const parameters = { editId: 'e', download: [], simplify };
			const access = { ...service, apiKey: 'podcasting' };
			const run = await runChain(access, chain({ type: 'getResult', parameters }));
			expect(itemsOf(run, 'getResult')[0].json.result).toEqual(result);
		});
	});

	it('a key across the cut at 500 characters leaves no part of itself', async () => {
		for (const status of [200, 400]) {
			answer = ({ headers }) => ({
				status,
				body: {
					detail: `${'x'.repeat(status === 200 ? 460 : 475)} ${String(headers['x-api-key'])}`,
				},
			});
			const text = await leftBehind(CREATE_EDIT);
			expect(text).toContain('xxx');
			expect(text).not.toContain(service.apiKey.slice(0, 8));
		}
	});

	describe('a storage that quotes its signed URL', () => {
		it.each([
			['percent-encoded', 'abcdefghijklmnop%2Bqrstuv%3D', 'abcdefghijklmnop%2Bqrstuv%3D'],
			['decoded', 'abcdefghijklmnop%2Bqrstuv%3D', 'abcdefghijklmnop+qrstuv='],
			['with a plus', 'abcdefghijklmnop+qrstuv', 'abcdefghijklmnop+qrstuv'],
			['with a space for it', 'abcdefghijklmnop+qrstuv', 'abcdefghijklmnop qrstuv'],
			['in small letters', 'abcdefghijklmnop%2Bqrstuv', 'abcdefghijklmnop%2bqrstuv'],
			['short', 'topsecret', 'topsecret'],
		])('leaves no signature: %s', async (_name, signature, quoted) => {
			for (const said of [`bad signature in /up/a.wav?sig=${quoted}`, `bad: "${quoted}"`]) {
				answer = ({ method }) =>
					method === 'POST'
						? { body: { signedUrl: `${service.url}/up/a.wav?sig=${signature}` } }
						: { status: 403, body: { detail: said } };
				const text = await leftBehind({ type: 'upload' });
				expect(text).toMatch(/upload link has expired or is not valid.*bad/);
				expect(text).not.toContain(quoted);
			}
		});
	});

	describe('the error for a field whose expression returns a URL', () => {
		const signed = 'https://files.example.com/a.pdf?X-Amz-Signature=hush-hush-1';
		const ftp = 'ftp://anna:hush-hush-1@files.example.com/a.jpg';
		const noUrl = 'https//anna:hush-hush#1@files.example.com/a.wav?sig=hush-hush-1';
		const long = `https://anna:${'hush-hush-1'.repeat(20)}@files.example.com/`;
		const value = '={{ $json.fileUrl }}';
		const getResult = (parameters: INodeParameters) => ({
			type: 'getResult',
			parameters: { editId: 'e', ...parameters },
		});
		const feed = (feedItem: INodeParameters) =>
			getResult({ download: [], alsoReturn: ['feed'], feedItem });
		const upload = (parameters: INodeParameters) => ({ type: 'upload', parameters });
		const fileUrls = 'https://f.example.com/a.wav';
		const json = {
			type: 'createEdit',
			parameters: { fileUrls, configure: 'json', configJson: value },
		};

		it.each<[string, NodeSpec, string]>([
			['Image URL, another scheme', feed({ imageUrl: value }), ftp],
			['Image URL, no URL', feed({ imageUrl: value }), noUrl],
			['Transcript URLs', feed({ transcriptUrls: value }), signed],
			['Transcript URLs, no URL', feed({ transcriptUrls: value }), noUrl],
			['Season Number', feed({ seasonNumber: value }), signed],
			['Duration (Seconds), a long URL', feed({ durationSeconds: value }), long],
			['Download', getResult({ download: value }), ftp],
			['File URLs', CREATE_EDIT, noUrl],
			['Options (JSON), none', json, signed],
			['Options (JSON), cut off', json, '{"a":"hush-hush-1" b'],
			['Options (JSON), an unknown value', json, JSON.stringify({ export_format: signed })],
			['Content Type', upload({ options: { contentType: value } }), signed],
			['Input Data Field Name', upload({ binaryPropertyName: value }), signed],
		])('quotes neither its signature nor its password: %s', async (_name, spec, url) => {
			answer = () => ({ body: { id: 'e' } });
			const text = await leftBehind(spec, url);
			expect(text).toMatch(/Nothing was sent/);
			expect(text).not.toContain('hush');
		});
	});

	it('a 422 that quotes a signed file URL leaves no token', async () => {
		const permission = 'SECRETTOKEN123456789';
		for (const quoted of [`/rest/binary-data/signed?token=${permission}`, `token ${permission}`]) {
			const msg = `cannot fetch ${quoted}`;
			const detail = [{ loc: ['body', 'input', 'files', 0], msg, type: 'x' }];
			answer = () => ({ status: 422, body: { detail } });
			const file = `https://n8n.example.com/rest/binary-data/signed?token=${permission}`;
			const text = await leftBehind(CREATE_EDIT, file);
			expect(text).toMatch(/files\.0: cannot fetch/);
			expect(text).not.toContain(permission);
		}
	});
});
