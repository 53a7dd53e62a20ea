import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { fileItem } from '../../../testkit/service/recordingService';
import { runOne, useService } from '../../../testkit/service/useService';
import { chain, type NodeSpec, runChain } from '../../../testkit/n8n/workflows';

const service = useService();

describe('an item without json, as some nodes output it', () => {
	const errorOf = async (type: string, item: object) =>
		(await runOne(service, type, {}, [item as INodeExecutionData])).error?.message;

	it('still has a file to upload', async () => {
		const { binary } = await fileItem('a.wav');
		expect(await errorOf('upload', { binary })).toBeUndefined();
	});

	it.each([
		['createEdit', "'File URLs' is empty [item 0]"],
		['waitForEdit', "'Edit ID' is empty [item 0]"],
		['getResult', "'Edit ID' is empty [item 0]"],
		['delete', "'Edit ID' is empty [item 0]"],
	])('%s says what is missing', async (type, message) => {
		expect(await errorOf(type, {})).toContain(message);
	});
});

describe('is refused before any request:', () => {
	const IDS = ['={{ "" }}', 'a/b', '../account', 'a?b=1', 'a%2Fb', '={{ undefined }}', '={{ {} }}'];

	it.each(
		['waitForEdit', 'getResult', 'delete'].flatMap((type) => IDS.map((editId) => [type, editId])),
	)('%s for the invalid edit ID %j', async (type, editId) => {
		const { said } = await runOne(service, type, { editId }, [await fileItem('a.wav')]);
		expect(said).toMatch(/'Edit ID' (is empty|is not a text|contains characters)/);
		expect(service.seen).toEqual([]);
	});

	it.each(['audio', 'constructor', '={{ "" }}', '__proto__', '={{ null }}'])(
		'Upload from the field %j, which has no file',
		async (binaryPropertyName) => {
			const items = [await fileItem('a.wav')];
			const { said } = await runOne(service, 'upload', { binaryPropertyName }, items);
			expect(said).toMatch(/no file in the field|not a string or binary data object/);
			expect(service.seen).toEqual([]);
		},
	);
});

describe('an item that fails', () => {
	/** Runs the nodes on three items, of which the middle one is bad. */
	async function run(...specs: NodeSpec[]) {
		const items = await Promise.all(
			['e1', 'e2', 'e3'].map(
				async (editId) =>
					await fileItem('a.wav', { editId, bad: editId === 'e2', fileUrl: 'https://f/a' }),
			),
		);
		return await runChain(service, chain(...specs), items);
	}

	const settings = { onError: 'continueErrorOutput' } as const;

	it('because its ID cannot be read fails alone, and Delete deletes nothing that was not fetched', async () => {
		const editId = "={{ $json.bad ? $('Missing').item.json.x : $json.editId }}";
		const result = await run(
			{ type: 'getResult', parameters: { editId }, settings },
			{ type: 'delete' },
		);
		expect(itemsOf(result, 'getResult', 0).map(({ json }) => json.editId)).toEqual(['e1', 'e3']);
		const [failed, ...more] = itemsOf(result, 'getResult', 1);
		expect(failed.pairedItem).toEqual({ item: 1 });
		expect(more).toEqual([]);
		const deleted = service.seen.filter(({ method }) => method === 'DELETE');
		expect(deleted.map(({ path }) => path)).toEqual(['/v2/edits/e1', '/v2/edits/e3']);
	});

	it.each<[string, INodeParameters]>([
		['getResult', { advanced: { transfersAtOnce: '={{ $json.nothing }}' } }],
		['upload', { advanced: { transfersAtOnce: '={{ "two" }}' } }],
		['waitForEdit', { maximumWaitMinutes: '={{ "soon" }}' }],
	])(
		'like all others, since %s cannot work with %j, is not passed on',
		async (type, parameters) => {
			const result = await run({ type, parameters, settings }, { type: 'delete' });
			expect(itemsOf(result, type, 0)).toEqual([]);
			expect(itemsOf(result, type, 1)).toHaveLength(3);
			expect(service.seen).toEqual([]);
		},
	);
});

const CREATE_EDIT = { type: 'createEdit', parameters: { fileUrls: '={{ $json.fileUrl }}' } };

/** Returns everything a node leaves after a run with a file in the field `data`. */
async function leftBehind(spec: NodeSpec, fileUrl = 'https://f.example.com/a.wav') {
	const run = await runChain(service, chain(spec), [await fileItem('a.wav', { fileUrl })]);
	const { error, runData } = run.data.resultData;
	// The test itself created the input.
	delete runData.Input;
	const { messages } = { messages: undefined, ...error };
	const details = JSON.stringify(messages);
	return `${JSON.stringify(runData)} ${details} ${error?.message} ${error?.description}`;
}

describe('secrets', () => {
	it('in a truncated response that quotes the key are not shown', async () => {
		service.answer = ({ headers }) => ({
			body: `{"reference":"edit-77","x-api-key":"${String(headers['x-api-key'])}"`,
			headers: { 'Content-Type': 'application/json' },
		});
		const text = await leftBehind(CREATE_EDIT);
		expect(text).toMatch(/is incomplete: .*edit-77.*\(hidden\)/);
		expect(text).not.toContain(service.apiKey);
	});

	it('are not the words of a transcript, even if a short key is one of them', async () => {
		const word = { id: 0, start: 0, end: 1, text: 'podcasting' };
		const result = { transcription: { paragraphs: [word] }, download_url: 'https://f.example/a' };
		service.answer = () => ({ body: { task_id: 'e', status: 'SUCCESS', result } });
		const parameters = { editId: 'e', download: [], simplify: false };
		const access = { ...service, apiKey: 'podcasting' };
		const { out } = await runOne(access, 'getResult', parameters);
		expect(out[0].json.result).toEqual(result);
	});

	it.each([
		[200, 460],
		[400, 475],
	])('across the cut at 500 characters leave no part: %d', async (status, before) => {
		service.answer = ({ headers }) => ({
			status,
			body: { detail: `${'x'.repeat(before)} ${String(headers['x-api-key'])}` },
		});
		const text = await leftBehind(CREATE_EDIT);
		expect(text).toContain('xxx');
		expect(text).not.toContain(service.apiKey.slice(0, 8));
	});

	it('of a signed URL that its storage quotes are not shown', async () => {
		const signature = 'abcdefghijklmnop+qrstuv=';
		for (const said of [`bad signature in /up/a.wav?sig=${signature}`, `bad: "${signature}"`]) {
			service.answer = ({ method }) =>
				method === 'POST'
					? { body: { signedUrl: `${service.url}/up/a.wav?sig=abcdefghijklmnop%2Bqrstuv%3D` } }
					: { status: 403, body: { detail: said } };
			const text = await leftBehind({ type: 'upload' });
			expect(text).toMatch(/upload link has expired or is not valid.*bad/);
			expect(text).not.toContain(signature);
		}
	});

	it('of a file URL that a 422 quotes are not shown', async () => {
		const permission = 'SECRETTOKEN123456789';
		for (const quoted of [`/rest/binary-data/signed?token=${permission}`, `token ${permission}`]) {
			const msg = `cannot fetch ${quoted}`;
			const detail = [{ loc: ['body', 'input', 'files', 0], msg, type: 'x' }];
			service.answer = () => ({ status: 422, body: { detail } });
			const file = `https://n8n.example.com/rest/binary-data/signed?token=${permission}`;
			const text = await leftBehind(CREATE_EDIT, file);
			expect(text).toMatch(/files\.0: cannot fetch/);
			expect(text).not.toContain(permission);
		}
	});
});

describe('secrets that an expression returns', () => {
	describe('of a URL that the expression of another field returns', () => {
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
		const byJson = { fileUrls: 'https://f.example.com/a', configure: 'json', configJson: value };
		const json = { type: 'createEdit', parameters: byJson };

		it.each<[string, NodeSpec, string]>([
			['Image URL, another scheme', feed({ imageUrl: value }), ftp],
			['Image URL, no URL', feed({ imageUrl: value }), noUrl],
			['Transcript URLs', feed({ transcriptUrls: value }), signed],
			['Transcript URLs, no URL', feed({ transcriptUrls: value }), noUrl],
			['Season Number', feed({ seasonNumber: value }), signed],
			['Episode Number, a long URL', feed({ episodeNumber: value }), long],
			['Download', getResult({ download: value }), ftp],
			['File URLs', CREATE_EDIT, noUrl],
			['Options (JSON), none', json, signed],
			['Options (JSON), cut off', json, '{"a":"hush-hush-1" b'],
			['Options (JSON), an unknown value', json, JSON.stringify({ export_format: signed })],
			['Content Type', upload({ advanced: { contentType: value } }), signed],
			['Input Data Field Name', upload({ binaryPropertyName: value }), signed],
		])('are not shown: %s', async (_name, spec, url) => {
			const text = await leftBehind(spec, url);
			expect(text).toMatch(/Nothing was sent/);
			expect(text).not.toContain('hush');
		});
	});
});
