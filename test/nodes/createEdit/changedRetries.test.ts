import type { INode, INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';

import { fingerprintOf } from '../../../nodes/CreateEdit/submission/fingerprint';
import { groupedFormats } from '../../support/grouped';
import { itemsOf, storeFile } from '../../support/n8nEngine';
import { runOf, withFields } from '../../support/nodeContext';
import { useProcessedData } from '../../support/processedData';
import { useRecordingService } from '../../support/recordingService';
import { retry } from '../../support/retry';
import type { SeenRequest } from '../../support/scriptedService';
import { chain, type NodeSpec, runChain } from '../../support/workflows';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

// A retry looks into it.
useProcessedData();

const service = useRecordingService();

const NODE = 'audioEditing';

const isSubmission = ({ method, path }: SeenRequest) => method === 'POST' && path === '/v2/edits';

/** Refuses the submission of a file, by its name. */
const refuse = (name: string, status = 402) => {
	service.fault = (request) =>
		isSubmission(request) && request.body.includes(name) ? { status } : undefined;
};

/** An item with two recordings, in the fields 'raw' and 'mixed'. */
async function itemWithTwo(): Promise<INodeExecutionData> {
	const [raw, mixed] = await Promise.all(
		['raw-with-swearing.wav', 'mixed.wav'].map(
			async (name) => await storeFile(Buffer.from(`RIFF ${name}`), name, 'audio/wav'),
		),
	);
	return { json: {}, binary: { raw, mixed } };
}

let executions = 0;

/** Executions of one workflow, whose form may change between them. */
function workflowOf(type: string, settings: NodeSpec['settings'] = {}) {
	const access = { url: service.url, apiKey: `changed-${++executions}` };
	const workflow = (parameters: INodeParameters, credentials?: INode['credentials']) =>
		chain({ type, parameters, settings: { ...settings, ...(credentials && { credentials }) } });
	return {
		first: async (parameters: INodeParameters, items: INodeExecutionData[]) =>
			await runChain(access, workflow(parameters), items),
		retryWith: async (
			failed: IRun,
			parameters: INodeParameters,
			saved = parameters,
			credentials?: INode['credentials'],
		) => await retry(access, failed, workflow(parameters), { saved: workflow(saved, credentials) }),
	};
}

const RAW = { binaryPropertyName: 'raw' };

const MIXED = { binaryPropertyName: 'mixed' };

describe('a retry with another file', () => {
	it('uploads and edits that file, not the one that was uploaded before', async () => {
		const { first, retryWith } = workflowOf(NODE);
		refuse('raw');
		const failed = await first(RAW, [await itemWithTwo()]);
		expect(failed.data.resultData.error?.message).toContain('asks for a payment');
		service.fault = () => undefined;
		const [made] = itemsOf(await retryWith(failed, MIXED), NODE);
		expect(service.charged).toEqual(['mixed.wav']);
		expect(made.json.sourceFileName).toBe('mixed.wav');
	});

	it('names the edit of the first file, which is charged, if it fails', async () => {
		const { first, retryWith } = workflowOf(NODE);
		service.fault = ({ path }) => (path.startsWith('/files/') ? { status: 404 } : undefined);
		const failed = await first(RAW, [await itemWithTwo()]);
		expect(service.charged).toEqual(['raw-with-swearing.wav']);
		refuse('mixed');
		const { error } = (await retryWith(failed, MIXED)).data.resultData;
		expect(error?.message).toContain('asks for a payment');
		expect(error?.description).toContain('charged: edit-1.');
	});

	it('names the recording whose first submission had no response, too', async () => {
		const { first, retryWith } = workflowOf(NODE);
		service.fault = (request) => (isSubmission(request) ? { cut: true } : undefined);
		const failed = await first(RAW, [await itemWithTwo()]);
		refuse('mixed');
		const { error } = (await retryWith(failed, MIXED)).data.resultData;
		expect(error?.description).toContain('The edits of raw-with-swearing.wav may be charged');
	});
});

describe('a retry with the same file', () => {
	it('fetches what the charged edit has, also if the form asks for a text that it cannot give', async () => {
		const { first, retryWith } = workflowOf(NODE);
		service.fault = ({ path }) => (path.startsWith('/files/') ? { status: 404 } : undefined);
		const failed = await first(RAW, [await itemWithTwo()]);
		service.fault = () => undefined;
		const retried = await retryWith(failed, { ...RAW, ...groupedFormats(['subtitlesSrt']) });
		expect(itemsOf(retried, NODE)).toHaveLength(1);
		expect(service.charged).toEqual(['raw-with-swearing.wav']);
	});

	it('uploads it again if the credential is another one: another service has no such upload', async () => {
		const { first, retryWith } = workflowOf(NODE);
		refuse('raw');
		const failed = await first(RAW, [await itemWithTwo()]);
		service.fault = () => undefined;
		await retryWith(failed, RAW, RAW, { audioEditingApi: { id: '2', name: 'Other' } });
		expect(service.uploaded).toEqual(['raw-with-swearing.wav', 'raw-with-swearing.wav']);
	});

	it.each([403, 404])(
		'names the other credential as the likely reason if it cannot read the edit: %s',
		async (status) => {
			const { first, retryWith } = workflowOf(NODE);
			service.fault = ({ path }) => (path.startsWith('/files/') ? { status: 500 } : undefined);
			const failed = await first(RAW, [await itemWithTwo()]);
			service.fault = ({ path }) => (path.startsWith('/v2/edits/') ? { status } : undefined);
			const other = { audioEditingApi: { id: '2', name: 'Other' } };
			const { error } = (await retryWith(failed, RAW, RAW, other)).data.resultData;
			expect(service.charged).toEqual(['raw-with-swearing.wav']);
			expect(error?.description).toContain('the edit was created with another API key');
		},
	);

	it('of an edit that was refused for its options does not upload it again', async () => {
		const { first, retryWith } = workflowOf(NODE);
		refuse('raw', 422);
		const failed = await first(RAW, [await itemWithTwo()]);
		service.fault = () => undefined;
		await retryWith(failed, { ...RAW, preset: 'fullEdit' });
		expect(service.uploaded).toEqual(['raw-with-swearing.wav']);
		expect(service.charged).toEqual(['raw-with-swearing.wav']);
	});

	it('sends it under another name if the form says so', async () => {
		const { first, retryWith } = workflowOf(NODE);
		refuse('raw', 422);
		const failed = await first(RAW, [await itemWithTwo()]);
		service.fault = () => undefined;
		await retryWith(failed, { ...RAW, options: { fileName: 'episode.wav' } });
		expect(service.charged).toEqual(['episode.wav']);
	});

	it('goes on with its edit if only the wait and the result are set differently', async () => {
		const { first, retryWith } = workflowOf(NODE);
		service.seconds['raw-with-swearing.wav'] = 600;
		const failed = await first({ ...RAW, maximumWaitMinutes: 2 }, [await itemWithTwo()]);
		const changed = { ...RAW, maximumWaitMinutes: 60, outputField: 'edited' };
		const options = { pollIntervalSeconds: 20, contentType: 'audio/x-wav' };
		const special = { sendPageLinks: true };
		const [made] = itemsOf(await retryWith(failed, { ...changed, ...special, options }), NODE);
		expect(made.json.editId).toBe('edit-1');
		expect(service.charged).toHaveLength(1);
	});

	it('goes on with its edit if n8n has saved the same fields in another order', async () => {
		const { first, retryWith } = workflowOf(NODE);
		service.fault = ({ path }) => (path.startsWith('/files/') ? { status: 404 } : undefined);
		const listed = { __rl: true, mode: 'list', value: 12 };
		const form = (options: INodeParameters, cachedResultName: string) => ({
			...RAW,
			configure: 'template',
			templateId: { ...listed, cachedResultName },
			...options,
		});
		const before = form({ normalize: true, keep_music: true }, 'Podcast');
		const failed = await first(before, [await itemWithTwo()]);
		service.fault = () => undefined;
		const after = form({ keep_music: true, normalize: true }, 'Podcast (renamed)');
		const [made] = itemsOf(await retryWith(failed, after), NODE);
		expect(made.json.editId).toBe('edit-1');
	});

	it("goes on with its edit if n8n has moved a webhook's file meanwhile", async () => {
		const { first, retryWith } = workflowOf(NODE);
		service.fault = ({ path }) => (path.startsWith('/files/') ? { status: 404 } : undefined);
		const failed = await first(RAW, [await itemWithTwo()]);
		service.fault = () => undefined;
		const [{ data }] = failed.data.executionData!.nodeExecutionStack;
		const { raw } = data.main[0]![0].binary!;
		raw.id = raw.id!.replace(/executions\/[^/]+/, 'executions/temp');
		const [made] = itemsOf(await retryWith(failed, RAW), NODE);
		expect(made.json.editId).toBe('edit-1');
		expect(service.charged).toHaveLength(1);
	});
});

describe.each([NODE, 'createEdit'])('a retry of %s with other options', (type) => {
	const item = { json: { fileUrl: 'https://f.example.com/a.wav' } };
	const refused = { json: { fileUrl: 'https://f.example.com/b.wav' } };
	const form = (preset: string) => ({ recordingFrom: 'url', preset });
	const presetOf = ({ body }: SeenRequest) =>
		body.includes('"fillers":true') ? 'full' : 'enhance';

	it('creates the edits that they ask for, and names those of the first try as charged', async () => {
		const { first, retryWith } = workflowOf(type);
		refuse('b.wav');
		const failed = await first(form('enhance'), [item, refused]);
		const { error } = (await retryWith(failed, form('fullEdit'))).data.resultData;
		expect(error?.description).toContain('charged: edit-1, edit-2.');
		expect(service.seen.filter(isSubmission).map(presetOf).sort()).toEqual([
			'enhance',
			'enhance',
			'full',
			'full',
		]);
	});

	it.each([
		['an option', { fillers: true }],
		['an additional key', { additionalKeys: '{ "automix": true }' }],
	])('creates the edits that %s asks for', async (_what, more) => {
		const { first, retryWith } = workflowOf(type);
		refuse('b.wav');
		const failed = await first(form('enhance'), [item, refused]);
		await retryWith(failed, { ...form('enhance'), ...more });
		expect(service.charged).toEqual(['a.wav', 'a.wav']);
	});

	it('and then with the first ones goes on with the first edit', async () => {
		const { first, retryWith } = workflowOf(type);
		refuse('b.wav');
		const failed = await first(form('enhance'), [item, refused]);
		const again = await retryWith(failed, form('fullEdit'));
		await retryWith(again, form('enhance'));
		expect(service.charged).toEqual(['a.wav', 'a.wav']);
	});

	it('does not create an edit again whose URL an expression returns with another signature', async () => {
		const { first, retryWith } = workflowOf(type);
		refuse('b.wav');
		const fileUrls = '={{ $json.fileUrl }}?time={{ $now.toMillis() }}-{{ Math.random() }}';
		const signed = { ...form('enhance'), fileUrls };
		const failed = await first(signed, [item, refused]);
		await retryWith(failed, signed);
		expect(service.charged).toHaveLength(1);
	});
});

it('a field that is not set is the same as one that an earlier version of the package lacks', () => {
	const hashWith = (more: INodeParameters) =>
		fingerprintOf(runOf(withFields({ preset: 'enhance', ...more })));
	expect(hashWith({ options: {}, fileUrls: '' })).toBe(hashWith({}));
	expect(hashWith({ options: { fillers: true } })).not.toBe(hashWith({}));
});
