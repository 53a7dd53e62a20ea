import type { INode, INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';

import { groupedFormats } from '../../../testkit/n8n/grouped';
import { itemsOf, type RunRequest, storeFile } from '../../../testkit/n8n/n8nEngine';
import { HASHES_ONLY, useProcessedData } from '../../../testkit/n8n/processedData';
import {
	type RecordingService,
	useRecordingService,
} from '../../../testkit/service/recordingService';
import { retry } from '../../../testkit/n8n/retry';
import type { SeenRequest } from '../../../testkit/service/fake/scriptedService';
import { chain, runChain } from '../../../testkit/n8n/workflows';

const store = useProcessedData();
const service = useRecordingService();
const NODE = 'audioEditing';

type Answer = ReturnType<RecordingService['fault']>;

const isSubmission = ({ method, path }: SeenRequest) => method === 'POST' && path === '/v2/edits';

/** Answers the submission of a file, by its name, instead of the service; without an answer, no more. */
const answerTo = (name: string, answer?: Answer) => {
	service.fault = (request) =>
		isSubmission(request) && request.body.includes(name) ? answer : undefined;
};

/** Answers requests whose path begins like this. */
const answerAt = (start: string, answer?: Answer) => {
	service.fault = ({ path }) => (path.startsWith(start) ? answer : undefined);
};

const REFUSED = { status: 402 };
const OTHER_KEY = { audioEditingApi: { id: '2', name: 'Other' } };
let executions = 0;

/** An execution of one node, and retries of it, for which the form may change. */
function executionsOf(type: string) {
	const access = { url: service.url, apiKey: `retries-${++executions}` };
	const workflow = (parameters: INodeParameters, credentials?: INode['credentials']) =>
		chain({ type, parameters, settings: credentials && { credentials } });
	return {
		first: async (parameters: INodeParameters, items: INodeExecutionData[]) =>
			await runChain(access, workflow(parameters), items, { executionId: `first-${executions}` }),
		again: async (
			failed: IRun,
			parameters: INodeParameters,
			{ credentials, ...more }: Partial<RunRequest> & { credentials?: INode['credentials'] } = {},
		) => {
			const saved = workflow(parameters, credentials);
			return await retry(access, failed, workflow(parameters), { saved, ...more });
		},
	};
}

const errorOf = ({ data }: IRun) => data.resultData.error;

const RAW = { binaryPropertyName: 'raw' };

const MIXED = { binaryPropertyName: 'mixed' };

/** Runs the node with the file in the field 'raw' of an item that has another one in 'mixed'. */
async function failedOnce(parameters: INodeParameters = RAW) {
	const [raw, mixed] = await Promise.all(
		['raw.wav', 'mixed.wav'].map(
			async (name) => await storeFile(Buffer.from(`RIFF ${name}`), name, 'audio/wav'),
		),
	);
	const { first, again } = executionsOf(NODE);
	const failed = await first(parameters, [{ json: {}, binary: { raw, mixed } }]);
	service.fault = () => undefined;
	return { failed, again: again.bind(undefined, failed) };
}

describe('a retry of one file', () => {
	it('with another file uploads and edits that file, not the one that was uploaded before', async () => {
		answerTo('raw', REFUSED);
		const { failed, again } = await failedOnce();
		expect(errorOf(failed)?.message).toContain('asks for payment');
		const [made] = itemsOf(await again(MIXED), NODE);
		expect(service.charged).toEqual(['mixed.wav']);
		expect(made.json.sourceFileName).toBe('mixed.wav');
	});

	it('with another file names the edit of the first file, if it fails', async () => {
		answerAt('/files/', { status: 404 });
		const { again } = await failedOnce();
		expect(service.charged).toEqual(['raw.wav']);
		answerTo('mixed', REFUSED);
		const error = errorOf(await again(MIXED));
		expect(error?.message).toContain('asks for payment');
		expect(error?.description).toContain("Created in this run: edit-1 ('raw.wav').");
	});

	it('with another file names the recording whose first submission had no response, too', async () => {
		answerTo('raw', { cut: true });
		const { again } = await failedOnce();
		answerTo('mixed', REFUSED);
		expect(errorOf(await again(MIXED))?.description).toContain(
			'may also have the edits of raw.wav',
		);
	});

	it('fetches what the charged edit has, also if the form asks for a text that it cannot give', async () => {
		answerAt('/files/', { status: 404 });
		const { again } = await failedOnce();
		const retried = await again({ ...RAW, ...groupedFormats(['subtitlesSrt']) });
		expect(itemsOf(retried, NODE)).toHaveLength(1);
		expect(service.charged).toEqual(['raw.wav']);
	});
});

describe('a retry of one file that was uploaded', () => {
	it('uploads it again if the credential is another one: another service has no such upload', async () => {
		answerTo('raw', REFUSED);
		const { again } = await failedOnce();
		await again(RAW, { credentials: OTHER_KEY });
		expect(service.uploaded).toEqual(['raw.wav', 'raw.wav']);
	});

	it.each([403, 404])(
		'names the other credential as the likely reason if it cannot read the edit: %s',
		async (status) => {
			answerAt('/files/', { status: 500 });
			const { again } = await failedOnce();
			answerAt('/v2/edits/', { status });
			const error = errorOf(await again(RAW, { credentials: OTHER_KEY }));
			expect(service.charged).toEqual(['raw.wav']);
			expect(error?.description).toContain('the edit was created with another API key');
		},
	);

	it('sends it under another name if the form says so', async () => {
		answerTo('raw', { status: 422 });
		const { again } = await failedOnce();
		await again({ ...RAW, files: { fileName: 'episode.wav' } });
		expect(service.charged).toEqual(['episode.wav']);
	});

	it('goes on with its edit if only the wait and the result are set differently', async () => {
		service.seconds['raw.wav'] = 600;
		const { again } = await failedOnce({ ...RAW, maximumWaitMinutes: 2 });
		const changed = { ...RAW, maximumWaitMinutes: 60, outputField: 'edited', sendPageLinks: true };
		const options = { pollIntervalSeconds: 20, contentType: 'audio/x-wav' };
		const [made] = itemsOf(await again({ ...changed, ...options }), NODE);
		expect(made.json.editId).toBe('edit-1');
		expect(service.charged).toHaveLength(1);
	});
});

const ITEMS = ['a.wav', 'b.wav'].map((name) => ({
	json: { fileUrl: `https://f.example.com/${name}` },
}));

/** Runs the node on two recordings, of which the second is refused. */
async function failedAtB(type: string, parameters: INodeParameters = {}) {
	answerTo('b.wav', REFUSED);
	const { first, again } = executionsOf(type);
	const fields = { recordingFrom: 'url', ...parameters };
	const failed = await first(fields, ITEMS);
	const from = async (run: IRun, id: string, changed: INodeParameters = {}, workflowId?: string) =>
		await again(run, { ...fields, ...changed }, { executionId: id, workflowId });
	return { from, again: from.bind(undefined, failed) };
}

describe.each([NODE, 'createEdit'])('a retry of %s with other options', (type) => {
	const presetOf = ({ body }: SeenRequest) =>
		body.includes('"fillers":true') ? 'full' : 'enhance';

	it('creates the edits that they ask for, and names those of the first try', async () => {
		const { again } = await failedAtB(type, { preset: 'enhance' });
		const error = errorOf(await again('retry', { preset: 'fullEdit' }));
		expect(error?.description).toMatch(
			/Created in this run: edit-1 \('a\.wav'\), edit-2 \('a\.wav'\)/,
		);
		const sent = service.seen.filter(isSubmission).map(presetOf);
		expect(sent.sort()).toEqual(['enhance', 'enhance', 'full', 'full']);
	});

	it('and then with the first ones goes on with the first edit', async () => {
		const { again, from } = await failedAtB(type, { preset: 'enhance' });
		const other = await again('retry-1', { preset: 'fullEdit' });
		await from(other, 'retry-2', { preset: 'enhance' });
		expect(service.charged).toEqual(['a.wav', 'a.wav']);
	});

	it('does not create an edit again whose URL an expression returns with another signature', async () => {
		const fileUrls = '={{ $json.fileUrl }}?time={{ $now.toMillis() }}-{{ Math.random() }}';
		const { again } = await failedAtB(type, { fileUrls });
		await again('retry');
		expect(service.charged).toHaveLength(1);
	});
});

describe.each(['createEdit', NODE])('%s, when the same failed execution', (type) => {
	it('is retried twice, creates the missing edit once', async () => {
		const { again } = await failedAtB(type);
		answerTo('b.wav');
		expect(itemsOf(await again('retry-1'), type)).toHaveLength(2);
		const error = errorOf(await again('retry-2'));
		expect(service.charged).toEqual(['a.wav', 'b.wav']);
		expect(error?.message).toMatch(
			/^b\.wav: the edit was not sent again: another retry of the same failed execution has created it \[item 1\]$/,
		);
		expect(error?.description).toMatch(
			/A second edit would be charged, too\. Open that retry under Executions/,
		);
		// Asking has changed nothing.
		expect(errorOf(await again('retry-3'))?.message).toBe(error?.message);
	});

	it('is retried twice, does not create an edit that the first retry may have created', async () => {
		const { again } = await failedAtB(type);
		answerTo('b.wav', { cut: true });
		await again('retry-1');
		answerTo('b.wav');
		const error = errorOf(await again('retry-2'));
		expect(service.charged).toEqual(['a.wav']);
		expect(error?.message).toContain('may have reached the service');
		expect(error?.description).toContain('Look at your recent edits on the service.');
	});

	it('is retried twice, creates in the second retry what was refused in the first', async () => {
		const { again } = await failedAtB(type);
		await again('retry-1');
		answerTo('b.wav');
		expect(itemsOf(await again('retry-2'), type)).toHaveLength(2);
		expect(service.charged).toEqual(['a.wav', 'b.wav']);
	});
});

describe('a retry of Create Edit', () => {
	const type = 'createEdit';

	it('of a retry goes on with what both have created', async () => {
		const { again, from } = await failedAtB(type);
		const stillFailed = await again('retry-1');
		answerTo('b.wav');
		const made = itemsOf(await from(stillFailed, 'retry-2'), type);
		expect(made.map(({ json }) => json.editId)).toEqual(['edit-1', 'edit-2']);
		expect(errorOf(await again('retry-3'))?.message).toContain('another retry');
		expect(service.charged).toEqual(['a.wav', 'b.wav']);
	});

	it('of an execution that failed in a node before it is charged once, however often it is retried', async () => {
		const data = await storeFile(Buffer.from('RIFF'), 'a.wav', 'audio/wav');
		const access = { url: service.url, apiKey: `retries-${++executions}` };
		const workflow = chain({ type: 'upload' }, { type });
		answerAt('/v2/upload', { status: 422 });
		const failed = await runChain(access, workflow, [{ json: {}, binary: { data } }]);
		service.fault = () => undefined;
		await retry(access, failed, workflow, { executionId: 'retry-1' });
		const other = await retry(access, failed, workflow, { executionId: 'retry-2' });
		expect(service.charged).toEqual(['a.wav']);
		expect(errorOf(other)?.message).toContain('another retry of the same failed execution');
	});

	it("uses n8n's memory, unlike a first execution, and writes hashes only", async () => {
		const { again } = await failedAtB(type);
		expect(store.passed).toEqual([]);
		answerTo('b.wav');
		await again('retry-1');
		expect(store.passed.length).toBeGreaterThan(0);
		for (const entry of store.passed) expect(entry).toMatch(HASHES_ONLY);
	});

	it('whose lookup fails sends nothing, and says so', async () => {
		const { again } = await failedAtB(type);
		answerTo('b.wav');
		store.beforeWrite = () => {
			throw new Error('database is locked');
		};
		const { message, description } = errorOf(await again('retry-1'))!;
		expect(message).toContain(
			'b.wav: could not look up whether the recording was submitted before',
		);
		expect(description).toContain('Nothing was sent');
		expect(service.charged).toEqual(['a.wav']);
	});

	it('of a workflow that is not saved works, and warns of a second one', async () => {
		const { again } = await failedAtB(type);
		answerTo('b.wav');
		const made = await again('retry-1', {}, '');
		expect(itemsOf(made, type)).toHaveLength(2);
		const { hints } = made.data.resultData.runData.createEdit[0];
		expect(JSON.stringify(hints)).toContain('n8n cannot remember what this retry submits.');
	});
});
