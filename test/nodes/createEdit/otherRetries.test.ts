import type { INodeParameters, IRun, NodeOperationError } from 'n8n-workflow';

import { itemsOf, storeFile } from '../../support/n8nEngine';
import { useProcessedData } from '../../support/processedData';
import { useRecordingService } from '../../support/recordingService';
import { retry } from '../../support/retry';
import type { SeenRequest } from '../../support/scriptedService';
import { chain, type NodeSpec, runChain } from '../../support/workflows';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

const store = useProcessedData();

const service = useRecordingService();

const ITEMS = ['a.wav', 'b.wav'].map((name) => ({
	json: { fileUrl: `https://f.example.com/${name}` },
}));

const isSubmission = ({ method, path }: SeenRequest) => method === 'POST' && path === '/v2/edits';

/** Answers the submission of b.wav like this, instead of the service. */
const answerB = (answer?: ReturnType<typeof service.fault>) => {
	service.fault = (request) =>
		isSubmission(request) && request.body.includes('b.wav') ? answer : undefined;
};

let executions = 0;

/** An execution of one node, and retries of it, each with its own ID. */
function executionsOf(type: string, more: { settings?: NodeSpec['settings'] } = {}) {
	const access = { url: service.url, apiKey: `retries-${++executions}` };
	const parameters: INodeParameters = { recordingFrom: 'url' };
	const workflow = chain({ type, parameters, ...more });
	return {
		first: async (id = `first-${executions}`) =>
			await runChain(access, workflow, ITEMS, { executionId: id }),
		again: async (failed: IRun, id: string, workflowId?: string) =>
			await retry(access, failed, workflow, { executionId: id, workflowId }),
	};
}

const errorOf = (run: IRun) => run.data.resultData.error as NodeOperationError | undefined;

describe.each(['createEdit', 'audioEditing'])('%s, when the same failed execution', (type) => {
	it('is retried twice, creates the missing edit once', async () => {
		answerB({ status: 402 });
		const { first, again } = executionsOf(type);
		const failed = await first();
		answerB();
		const one = await again(failed, 'retry-1');
		expect(itemsOf(one, type)).toHaveLength(2);
		const other = await again(failed, 'retry-2');
		expect(service.charged).toEqual(['a.wav', 'b.wav']);
		expect(errorOf(other)?.message).toMatch(
			/^The edit was not sent again: another retry of the same failed execution has created it \(source file 'b\.wav'\) \[item 1\]$/,
		);
		expect(errorOf(other)?.description).toMatch(
			/A second edit would be charged, too\. Open that retry under Executions/,
		);
	});

	it('is retried twice, does not create an edit that the first retry may have created', async () => {
		answerB({ status: 402 });
		const { first, again } = executionsOf(type);
		const failed = await first();
		answerB({ cut: true });
		await again(failed, 'retry-1');
		answerB();
		const other = await again(failed, 'retry-2');
		expect(service.charged).toEqual(['a.wav']);
		expect(errorOf(other)?.message).toContain('may have reached the service');
		expect(errorOf(other)?.description).toContain('Look at your recent edits at the service.');
	});

	it('is retried twice, creates in the second retry what was refused in the first', async () => {
		answerB({ status: 402 });
		const { first, again } = executionsOf(type);
		const failed = await first();
		await again(failed, 'retry-1');
		answerB();
		const other = await again(failed, 'retry-2');
		expect(itemsOf(other, type)).toHaveLength(2);
		expect(service.charged).toEqual(['a.wav', 'b.wav']);
	});
});

it('a retry of a retry goes on with what both have created', async () => {
	answerB({ status: 402 });
	const { first, again } = executionsOf('createEdit');
	const failed = await first();
	const stillFailed = await again(failed, 'retry-1');
	answerB();
	const made = await again(stillFailed, 'retry-2');
	expect(itemsOf(made, 'createEdit').map(({ json }) => json.editId)).toEqual(['edit-1', 'edit-2']);
	expect(errorOf(await again(failed, 'retry-3'))?.message).toContain('another retry');
	expect(service.charged).toEqual(['a.wav', 'b.wav']);
});

it('an execution that failed in a node before it is charged once when it is retried twice', async () => {
	const data = await storeFile(Buffer.from('RIFF'), 'a.wav', 'audio/wav');
	const access = { url: service.url, apiKey: `retries-${++executions}` };
	const workflow = chain({ type: 'upload' }, { type: 'createEdit' });
	service.fault = ({ path }) => (path.startsWith('/v2/upload') ? { status: 422 } : undefined);
	const failed = await runChain(access, workflow, [{ json: {}, binary: { data } }]);
	service.fault = () => undefined;
	const [, other] = [
		await retry(access, failed, workflow, { executionId: 'retry-1' }),
		await retry(access, failed, workflow, { executionId: 'retry-2' }),
	];
	expect(service.charged).toEqual(['a.wav']);
	expect(errorOf(other)?.message).toContain('another retry of the same failed execution');
});

it('retries of two executions with the same recordings do not stop each other', async () => {
	answerB({ status: 402 });
	const { first, again } = executionsOf('createEdit');
	const failures = [await first('one'), await first('two')];
	answerB();
	for (const [index, failed] of failures.entries()) {
		expect(itemsOf(await again(failed, `retry-${index}`), 'createEdit')).toHaveLength(2);
	}
	expect(service.charged).toHaveLength(4);
});

it("n8n's memory is used in retries only", async () => {
	answerB({ status: 402 });
	const { first, again } = executionsOf('createEdit');
	const failed = await first();
	expect(store.passed).toEqual([]);
	answerB();
	await again(failed, 'retry-1');
	expect(store.passed.length).toBeGreaterThan(0);
	for (const entry of store.passed) expect(entry).toMatch(/^(edited|open):[0-9a-f]{64}$/);
});

it('a retry whose lookup fails sends nothing, and says so', async () => {
	answerB({ status: 402 });
	const { first, again } = executionsOf('createEdit');
	const failed = await first();
	answerB();
	store.beforeWrite = () => {
		throw new Error('database is locked');
	};
	const { message, description } = errorOf(await again(failed, 'retry-1'))!;
	expect(message).toContain('Could not look up whether the recording was submitted before');
	expect(description).toContain('Nothing was sent');
	expect(service.charged).toEqual(['a.wav']);
});

it('a retry of a workflow that is not saved works, and warns of a second one', async () => {
	answerB({ status: 402 });
	const { first, again } = executionsOf('createEdit');
	const failed = await first();
	answerB();
	const made = await again(failed, 'retry-1', '');
	expect(itemsOf(made, 'createEdit')).toHaveLength(2);
	const { hints } = made.data.resultData.runData.createEdit[0];
	expect(JSON.stringify(hints)).toContain('n8n cannot remember what this retry submits.');
});
