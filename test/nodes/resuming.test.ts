import type { INodeExecutionData } from 'n8n-workflow';

import { itemsOf, storeFile } from '../support/n8nEngine';
import type { Answer } from '../support/scriptedService';
import { type UsedService, useService } from '../support/useService';
import { type NodeSpec, chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

let refusal: Answer = { status: 422 };

const service: UsedService = useService(({ method, path, body }) => {
	if (`${path} ${body}`.includes('bad')) return refusal;
	if (method === 'PUT') return {};
	if (path.startsWith('/v2/upload')) return { body: { signedUrl: `${service.url}/s/a?x=1` } };
	if (method === 'POST') return { body: { id: 'edit-1' } };
	const result = { filename: 'a.wav', download_url: `${service.url}/file/a` };
	return { body: { task_id: 'e', status: 'SUCCESS', result } };
});

beforeEach(() => {
	refusal = { status: 422 };
});

async function itemOf(name: string): Promise<INodeExecutionData> {
	const data = await storeFile(Buffer.from('RIFF'), `${name}.wav`, 'audio/wav');
	const json = { editId: name, fileUrl: `https://files.example/${name}.wav` };
	return { json, binary: { data } };
}

async function errorOf(type: string, names: string[], settings: NodeSpec['settings'] = {}) {
	const items = await Promise.all(names.map(itemOf));
	const run = await runChain(service, chain({ type, settings }), items);
	const failed = itemsOf(run, type, 1)[0]?.json.failure;
	return JSON.stringify(run.data.resultData.error?.description ?? failed);
}

const WAY =
	/To get the results of the other items: set On Error of this node to 'Continue \(using error output\)' and save the workflow\. Then .* retry it/;

describe('the error of one bad item among several says how to get the rest', () => {
	it.each([
		['upload', /sends all files again; nothing is charged for uploads\./],
		[
			'createEdit',
			/edit-1\..*Edits that were created are not charged again, unless you change the file or the options of the edit\./,
		],
		['waitForEdit', /Nothing is charged again\./],
		['getResult', /Nothing is charged again\. It fetches all files again\./],
		['delete', /repeats the deletions that succeeded\./],
	])('in %s', async (type, cost) => {
		const description = await errorOf(type, ['a', 'bad', 'c']);
		expect(description).toMatch(WAY);
		expect(description).toMatch(cost);
	});

	it('in Create Edit even if a form is wrong and nothing was submitted', async () => {
		const items = [await itemOf('a'), { json: { fileUrl: 'no URL' } }];
		const run = await runChain(service, chain({ type: 'createEdit' }), items);
		expect(run.data.resultData.error?.description).toMatch(WAY);
		expect(service.seen).toEqual([]);
	});

	it('in Wait For Edit even if an item came in with a failure', async () => {
		const items = [await itemOf('a'), { json: { failure: { message: 'It failed [item 1]' } } }];
		const run = await runChain(service, chain({ type: 'waitForEdit' }), items);
		expect(run.data.resultData.error?.message).toContain('It failed');
		expect(run.data.resultData.error?.description).toMatch(WAY);
	});
});

describe('the error does not say so', () => {
	it('for a single item', async () => {
		expect(await errorOf('getResult', ['bad'])).not.toMatch(WAY);
	});

	it('if the node continues', async () => {
		const settings = { onError: 'continueErrorOutput' } as const;
		expect(await errorOf('getResult', ['a', 'bad'], settings)).not.toMatch(WAY);
	});

	it('for an unusable credential', async () => {
		const items = [await itemOf('a'), await itemOf('b')];
		const noUrl = { ...service, url: 'nowhere' };
		const run = await runChain(noUrl, chain({ type: 'getResult' }), items);
		const { message, description } = run.data.resultData.error ?? {};
		expect(message).toMatch(/'Base URL'/);
		expect(description).not.toMatch(WAY);
	});

	it('if every item would fail', async () => {
		refusal = { status: 401 };
		expect(await errorOf('getResult', ['a', 'bad'])).not.toMatch(WAY);
	});
});
