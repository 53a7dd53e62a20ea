import type { INodeParameters } from 'n8n-workflow';

import { LOOP_OVER_ITEMS, loopOverItems } from '../../../testkit/n8n/loopOverItems';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { OUR_NODES } from '../../../testkit/n8n/ourNodes';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import { retry } from '../../../testkit/n8n/retry';
import { type NodeSpec, graph, runChain } from '../../../testkit/n8n/workflows';
import { urlItem, useRecordingService } from '../../../testkit/service/recordingService';

const service = useRecordingService();

useProcessedData();

const NODE_TYPES = { ...OUR_NODES, [LOOP_OVER_ITEMS]: loopOverItems };

const ERROR_OUTPUT = { onError: 'continueErrorOutput' } as const;

/** Runs Loop Over Items around a node, all of whose outputs lead back to the loop. */
async function loopAround(
	spec: NodeSpec,
	items: Parameters<typeof runChain>[2],
	{ batchSize = 1, outputs = 3 } = {},
) {
	const loop: NodeSpec = {
		type: 'loop',
		parameters: { batchSize },
		settings: { type: LOOP_OVER_ITEMS },
	};
	const back = Array.from({ length: outputs }, (_, output) => [spec.type, 'loop', output] as const);
	const workflow = graph([loop, spec], [['Input', 'loop'], ['loop', spec.type, 1], ...back]);
	const run = await runChain(service, workflow, items, { nodeTypes: NODE_TYPES });
	expect(run.data.resultData.error).toBeUndefined();
	return { run, done: itemsOf(run, 'loop') };
}

const NAMES = ['a.wav', 'slow.wav', 'broken.wav', 'b.wav', 'c.wav'];

const FROM_URL: INodeParameters = { recordingFrom: 'url' };

const namesOf = (items: Awaited<ReturnType<typeof loopAround>>['done']) =>
	items.map(({ json }) => json.sourceFileName).sort();

beforeEach(() => Object.assign(service.seconds, { 'slow.wav': 600 }));

describe.each([1, 2, 5])('Loop Over Items in batches of %i', (batchSize) => {
	it('gets each recording back once from all outputs of Audio Editing', async () => {
		const spec = {
			type: 'audioEditing',
			parameters: { ...FROM_URL, maximumWaitMinutes: 2, whenTimeIsUp: 'secondOutput' },
			settings: ERROR_OUTPUT,
		};
		const { run, done } = await loopAround(spec, NAMES.map(urlItem), { batchSize });
		expect(namesOf(done)).toEqual([...NAMES].sort());
		expect([...service.charged].sort()).toEqual([...NAMES].sort());
		const became = (name: string) => done.find(({ json }) => json.sourceFileName === name)?.json;
		expect(became('a.wav')).toMatchObject({ finished: true });
		expect(became('slow.wav')).toMatchObject({ finished: false });
		expect(became('broken.wav')).toMatchObject({ failure: expect.anything() });
		expect(run.data.resultData.runData.audioEditing).toHaveLength(Math.ceil(5 / batchSize));
	});

	it('gets each edit back once from all outputs of Wait For Edit', async () => {
		await runChain(service, graph([{ type: 'createEdit' }], [['Input', 'createEdit']]), [
			...NAMES.map(urlItem),
		]);
		const items = NAMES.map((sourceFileName, index) => ({
			json: { editId: `edit-${index + 1}`, sourceFileName },
		}));
		const spec = {
			type: 'waitForEdit',
			parameters: { maximumWaitMinutes: 2, whenTimeIsUp: 'secondOutput' },
			settings: ERROR_OUTPUT,
		};
		const { done } = await loopAround(spec, items, { batchSize });
		expect(namesOf(done)).toEqual([...NAMES].sort());
	});
});

it('a retry of a loop that failed submits the recording that failed, and those after it', async () => {
	const spec = { type: 'createEdit' };
	service.fault = ({ body, path }) =>
		path === '/v2/edits' && body.includes('b.wav') ? { status: 422, body: {} } : undefined;
	const loop = { type: 'loop', settings: { type: LOOP_OVER_ITEMS } };
	const workflow = graph(
		[loop, spec],
		[
			['Input', 'loop'],
			['loop', 'createEdit', 1],
			['createEdit', 'loop'],
		],
	);
	const items = ['a.wav', 'b.wav', 'c.wav'].map(urlItem);
	const failed = await runChain(service, workflow, items, { nodeTypes: NODE_TYPES });
	expect(failed.data.resultData.error?.message).toContain('b.wav');
	service.fault = () => undefined;
	const retried = await retry(service, failed, workflow, { nodeTypes: NODE_TYPES });
	expect(retried.data.resultData.error).toBeUndefined();
	expect(namesOf(itemsOf(retried, 'loop'))).toEqual(['a.wav', 'b.wav', 'c.wav']);
	expect(service.charged).toEqual(['a.wav', 'b.wav', 'c.wav']);
});
