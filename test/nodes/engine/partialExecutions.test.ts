import type { INodeExecutionData, IPinData } from 'n8n-workflow';

import { itemsOf, readFile } from '../../../testkit/n8n/n8nEngine';
import { type NodeSpec, chain, runChain } from '../../../testkit/n8n/workflows';
import { fileItem, useRecordingService } from '../../../testkit/service/recordingService';

const service = useRecordingService();

const CHAIN = chain(
	{ type: 'upload' },
	{ type: 'createEdit' },
	{ type: 'waitForEdit' },
	{ type: 'getResult' },
	{ type: 'delete' },
);

const inEditor = { mode: 'manual' } as const;

/** Runs the nodes up to one, with what an earlier run has output, as 'Execute step' does in n8n's editor. */
async function executeStep(
	nodeName: string,
	runData: Awaited<ReturnType<typeof runChain>>['data']['resultData']['runData'],
	{ changed, pinData }: { changed?: string[]; pinData?: IPinData } = {},
) {
	const upTo = { nodeName, runData, changed };
	const run = await runChain(service, CHAIN, [], { ...inEditor, upTo, pinData });
	expect(run.data.resultData.error).toBeUndefined();
	return run;
}

const recordings = async () => [await fileItem('a.wav'), await fileItem('b.wav')];

describe('a step in the editor', () => {
	it('takes what the steps before it have output, and charges nothing again', async () => {
		const created = await executeStepFrom('createEdit');
		expect(service.charged).toEqual(['a.wav', 'b.wav']);
		const { runData } = created.data.resultData;
		const fetched = await executeStep('getResult', runData);
		expect(service.charged).toEqual(['a.wav', 'b.wav']);
		expect([...service.uploaded].sort()).toEqual(['a.wav', 'b.wav']);
		expect(itemsOf(fetched, 'getResult').map(({ json }) => json.editedFileName)).toEqual([
			'a.wav',
			'b.wav',
		]);
		expect(fetched.data.resultData.runData.delete).toBeUndefined();
		expect(service.deleted).toEqual([]);
	});

	it('submits again only if Create Edit itself has changed', async () => {
		const { runData } = (await executeStepFrom('waitForEdit')).data.resultData;
		await executeStep('waitForEdit', runData, { changed: ['waitForEdit'] });
		expect(service.charged).toHaveLength(2);
		await executeStep('waitForEdit', runData, { changed: ['createEdit'] });
		expect(service.charged).toHaveLength(4);
		expect(service.uploaded).toHaveLength(2);
	});
});

/** Runs the nodes up to one for the first time. */
async function executeStepFrom(nodeName: string) {
	const input: INodeExecutionData[] = await recordings();
	return await executeStep(nodeName, {
		Input: [
			{
				startTime: 0,
				executionIndex: 0,
				executionTime: 0,
				source: [],
				executionStatus: 'success',
				data: { main: [input] },
			},
		],
	});
}

describe('pinned items', () => {
	const PINNED: IPinData = {
		createEdit: [{ json: { editId: 'edit-1' } }, { json: { editId: 'edit-2' } }],
	};

	it('of Create Edit stand for its edits: nothing is uploaded and nothing charged', async () => {
		await executeStepFrom('createEdit');
		const specs: NodeSpec[] = [
			{ type: 'createEdit' },
			{ type: 'waitForEdit' },
			{ type: 'getResult' },
		];
		const run = await runChain(service, chain(...specs), undefined, {
			...inEditor,
			pinData: PINNED,
		});
		expect(run.data.resultData.error).toBeUndefined();
		const fetched = itemsOf(run, 'getResult');
		expect(fetched.map(({ json }) => json.editId)).toEqual(['edit-1', 'edit-2']);
		expect((await readFile(fetched[1].binary!.data)).toString()).toBe('edited edit-2');
		expect(service.charged).toHaveLength(2);
		expect(service.uploaded).toHaveLength(2);
	});

	it('of Get Result have no file, and their edits are deleted all the same', async () => {
		const pinData: IPinData = { getResult: [{ json: { editId: 'edit-1' } }] };
		const run = await runChain(service, CHAIN, await recordings(), { ...inEditor, pinData });
		expect(run.data.resultData.error).toBeUndefined();
		expect(itemsOf(run, 'delete')[0].json).toEqual({ deleted: true, editId: 'edit-1' });
		expect(service.deleted).toEqual(['edit-1']);
	});
});
