import type { INodeParameters } from 'n8n-workflow';

import { itemsOf, storeFile } from '../../support/n8nEngine';
import type { Answer, SeenRequest } from '../../support/scriptedService';
import { useService } from '../../support/useService';
import { chain, type NodeSpec, runChain } from '../../support/workflows';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

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
			body: { detail: `${'x'.repeat(status === 200 ? 460 : 475)} ${String(headers['x-api-key'])}` },
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
