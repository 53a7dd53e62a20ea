import type { IRun } from 'n8n-workflow';

import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import { retry } from '../../../testkit/n8n/retry';
import { chain, graph, runChain } from '../../../testkit/n8n/workflows';
import { fileItem, urlItem, useRecordingService } from '../../../testkit/service/recordingService';

const service = useRecordingService();

useProcessedData();

/** The items of all runs of a node. */
const allItemsOf = (run: IRun, nodeName: string) =>
	run.data.resultData.runData[nodeName].flatMap(({ data }) => data?.main[0] ?? []);

describe('two branches into one node', () => {
	/** Upload and another Upload, as the branches of a workflow, into Create Edit. */
	const workflow = graph(
		[
			{ type: 'upload', name: 'left' },
			{ type: 'upload', name: 'right' },
			{ type: 'createEdit' },
			{ type: 'waitForEdit' },
		],
		[
			['Input', 'left'],
			['Input', 'right'],
			['left', 'createEdit'],
			['right', 'createEdit'],
			['createEdit', 'waitForEdit'],
		],
	);

	it('are two runs, each with its own edits', async () => {
		const items = [await fileItem('a.wav'), await fileItem('b.wav')];
		const run = await runChain(service, workflow, items);
		expect(run.data.resultData.error).toBeUndefined();
		expect(run.data.resultData.runData.createEdit).toHaveLength(2);
		expect(service.charged).toEqual(['a.wav', 'b.wav', 'a.wav', 'b.wav']);
		const finished = allItemsOf(run, 'waitForEdit');
		expect(finished.map(({ json }) => [json.editId, json.finished])).toEqual(
			[1, 2, 3, 4].map((number) => [`edit-${number}`, true]),
		);
	});

	it('of which the second fails are retried without charging the first again', async () => {
		const items = [await fileItem('a.wav'), await fileItem('b.wav')];
		let submissions = 0;
		service.fault = ({ method, path }) =>
			`${method} ${path}` === 'POST /v2/edits' && ++submissions === 4
				? { status: 422, body: {} }
				: undefined;
		const failed = await runChain(service, workflow, items);
		expect(failed.data.resultData.error?.description).toContain('Created in this run: edit-3');
		const retried = await retry(service, failed, workflow);
		expect(retried.data.resultData.error).toBeUndefined();
		expect(service.charged).toEqual(['a.wav', 'b.wav', 'a.wav', 'b.wav']);
	});
});

const NAMES = ['a.wav', 'b.wav', 'c.wav'];

describe('with Execute Once', () => {
	const settings = { executeOnce: true };

	it.each(['createEdit', 'audioEditing'])('%s charges the first item only', async (type) => {
		const parameters = type === 'audioEditing' ? { recordingFrom: 'url' } : {};
		const workflow = chain({ type, parameters, settings });
		const run = await runChain(service, workflow, NAMES.map(urlItem));
		expect(service.charged).toEqual(['a.wav']);
		expect(itemsOf(run, type).map(({ json }) => json.sourceFileName)).toEqual(['a.wav']);
	});

	it.each(['waitForEdit', 'getResult', 'delete'])(
		'%s handles the first edit only',
		async (type) => {
			for (const name of NAMES) service.seconds[name] = 0;
			await runChain(service, chain({ type: 'createEdit' }), NAMES.map(urlItem));
			const items = NAMES.map((_name, index) => ({ json: { editId: `edit-${index + 1}` } }));
			service.seen.length = 0;
			const run = await runChain(service, chain({ type, settings }), items);
			expect(itemsOf(run, type).map(({ json }) => json.editId)).toEqual(['edit-1']);
			expect(service.seen.filter(({ path }) => /edit-[23]/.test(path))).toEqual([]);
		},
	);

	it('Upload sends the first file only', async () => {
		const items = await Promise.all(NAMES.map(async (name) => await fileItem(name)));
		const run = await runChain(service, chain({ type: 'upload', settings }), items);
		expect(service.uploaded).toEqual(['a.wav']);
		expect(itemsOf(run, 'upload')).toHaveLength(1);
	});
});
