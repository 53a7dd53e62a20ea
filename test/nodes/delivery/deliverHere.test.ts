import type {
	INode,
	INodeParameters,
	IRun,
	IRunExecutionData,
	NodeTypeAndVersion,
} from 'n8n-workflow';

import { systemTime } from '../../../api/time';
import { readDelivery } from '../../../nodes/WaitForEdit/delivery/readDelivery';
import { itemsOf } from '../../support/n8nEngine';
import { NODE, runOf, withFields } from '../../support/nodeContext';
import { expectToFit } from '../../support/outputSchemas';
import { throughDatabase } from '../../support/resumeUrl';
import { useScriptedSubmissions } from '../../support/scriptedSubmissions';
import { chain, type NodeSpec, runChain } from '../../support/workflows';

const submissions = useScriptedSubmissions();
const PARKS: NodeSpec = { type: 'waitForEdit', name: 'Parks' };

describe('Deliver to This Workflow', () => {
	const CREATE: NodeSpec = { type: 'createEdit', parameters: { options: { deliverHere: true } } };
	const WAIT: NodeSpec = { type: 'waitForEdit' };
	const workflow = chain(CREATE, WAIT);
	const create = async (editIds: string[], resumeFrom?: IRunExecutionData, within = workflow) => {
		const items = editIds.map((name) => ({
			json: { fileUrl: `https://f.example.com/${name}.wav` },
		}));
		return await runChain(submissions.service, within, items, { resumeFrom });
	};
	const hintsOf = (run: IRun) => run.data.resultData.runData.createEdit[0].hints;

	it('sends the service the address of the execution, and shows it without its signature', async () => {
		const run = await create(['a']);
		const sent = JSON.parse(submissions.service.seen[0].body) as {
			input: { config: { signed_url: string } };
		};
		const key = /&delivery=[0-9a-f-]{36}$/;
		expect(sent.input.config.signed_url).toMatch(/\/webhook-waiting\/7\?signature=.+/);
		expect(sent.input.config.signed_url).toMatch(key);
		const { config } = itemsOf(run, 'createEdit')[0].json as { config: { signed_url: string } };
		expect(config.signed_url).toMatch(/\/webhook-waiting\/7$/);
		expect(hintsOf(run)).toEqual([]);
	});

	it('names in the output the execution that the edit is delivered to', async () => {
		const output = itemsOf(await create(['a']), 'createEdit')[0].json;
		expect(output).toMatchObject({ deliversTo: '7' });
		expectToFit({ type: 'createEdit' }, output);
		const elsewhere = await create(['a'], undefined, chain({ type: 'createEdit' }));
		expect(itemsOf(elsewhere, 'createEdit')[0].json).not.toHaveProperty('deliversTo');
	});

	it('refuses more than one edit before anything is sent', async () => {
		const { data } = await create(['a', 'b']);
		expect(data.resultData.error?.message).toMatch(
			/works for one edit at a time, but the input has 2 items/,
		);
		expect(submissions.service.seen).toEqual([]);
	});

	describe('is refused before anything is sent', () => {
		const wait = (parameters: INodeParameters, settings: Partial<INode> = {}): NodeSpec => ({
			type: 'waitForEdit',
			parameters,
			settings,
		});
		const ownWait = (parameters: INodeParameters): NodeSpec => ({
			type: 'wait',
			parameters,
			settings: { type: 'n8n-nodes-base.wait', typeVersion: 1.1, disabled: true },
		});

		it.each<[string, string, NodeSpec[]]>([
			['nothing after it', 'but there is none', []],
			['no wait after it', 'but there is none', [{ type: 'getResult' }]],
			['a deactivated wait', "'waitForEdit' is deactivated", [wait({}, { disabled: true })]],
			['Keep Running', 'keeps running', [wait({ whileWaiting: 'keepRunning' })]],
			['Hand Over', 'keeps running', [wait({ whileWaiting: 'handOver' })]],
			[
				'Keep Running before a wait that parks',
				'keeps running',
				[wait({ whileWaiting: 'keepRunning' }), PARKS],
			],
			[
				"n8n's Wait, deactivated",
				'there is none',
				[ownWait({ resume: 'webhook', httpMethod: 'PUT' })],
			],
		])('with %s', async (_what, reason, after) => {
			const { data } = await create(['a'], undefined, chain(CREATE, ...after));
			expect(data.resultData.error?.message).toContain(reason);
			expect(data.resultData.error?.description).toMatch(
				/^Nothing was sent\. .*switch 'Deliver to This Workflow' off\.$/,
			);
			expect(submissions.service.seen).toEqual([]);
		});

		it('when it is off although the wait parks', async () => {
			const off = { ...CREATE, parameters: {} };
			const { data } = await create(['a'], undefined, chain(off, wait({ whileWaiting: 'park' })));
			expect(data.resultData.error?.message).toMatch(
				/'waitForEdit' parks until the file is delivered, but 'Deliver to This Workflow' is off/,
			);
			expect(submissions.service.seen).toEqual([]);
			const other = { ...CREATE, name: 'Other' };
			await create(['a'], undefined, chain(off, other, wait({ whileWaiting: 'park' })));
			expect(submissions.service.seen).not.toEqual([]);
		});
	});
});

describe('what n8n reports about the following nodes', () => {
	const OURS = 'n8n-nodes-audio-editing.waitForEdit';
	const OWN = 'n8n-nodes-base.wait';
	const LATER = { name: 'W', type: OURS, typeVersion: 2, disabled: false };
	const readWith = (later: Array<Partial<NodeTypeAndVersion>>, more: object = {}) => {
		const getNode = () => ({ ...NODE, type: 'n8n-nodes-audio-editing.createEdit' });
		const named = later.map((node) => ({ name: 'W', typeVersion: 2, ...node }));
		const run = runOf({
			...withFields({ 'options.deliverHere': true, itemsAre: 'recordings' }),
			getNode,
			getExecutionId: () => '7',
			evaluateExpression: () => 'https://n8n.example/webhook-waiting/7',
			getChildNodes: () => named as NodeTypeAndVersion[],
			getParentNodes: () => [],
			...more,
		});
		return () => readDelivery(run, 0)?.executionId;
	};

	it('is enough in old versions, which report neither parameters nor deactivated nodes', () => {
		expect(readWith([{ type: OURS }])()).toBe('7');
		expect(readWith([{ type: 'n8n-nodes-base.noOp' }])).toThrow(/there is none/);
	});

	it.each<[string, string, 'inclusive' | 'exclusive' | undefined, boolean]>([
		['this node, in n8n 1', 'Create', undefined, false],
		['Wait For Edit, in n8n 1', 'W', undefined, true],
		['this node', 'Create', 'inclusive', false],
		['Wait For Edit', 'W', 'inclusive', true],
		['what is before Wait For Edit', 'W', 'exclusive', false],
		['a node after Wait For Edit', 'After', 'inclusive', true],
	])('says which part of the workflow runs: %s', (_what, nodeName, mode, isTaken) => {
		const startData = { destinationNode: mode ? { nodeName, mode } : nodeName };
		const more = {
			runExecutionData: { startData },
			getParentNodes: (name: string) => (name === 'After' ? [{ ...LATER, name: 'W' }] : []),
		};
		const read = readWith([LATER], more);
		if (isTaken) expect(read()).toBe('7');
		else expect(read).toThrow("needs 'W' to run, but this run ends before it");
	});

	it("does not take n8n's own Wait, which would accept the file of any edit", () => {
		const parameters = { resume: 'webhook', httpMethod: 'PUT' };
		expect(readWith([{ type: OWN, parameters }])).toThrow(/there is none/);
		expect(readWith([{ type: OWN }])).toThrow(/there is none/);
	});
});

it('Park Until Delivered passes the item on as still running when the time is up', async () => {
	submissions.service.answer = ({ method }) => ({
		body: method === 'POST' ? { id: 'a' } : { task_id: 'a', status: 'PENDING' },
	});
	const workflow = chain(
		{ type: 'createEdit', parameters: { options: { deliverHere: true } } },
		{ type: 'waitForEdit', parameters: { whileWaiting: 'park', maximumWaitMinutes: 10 } },
		{ type: 'fixedItems', name: 'After' },
	);
	workflow.nodes[3].type = 'n8n-nodes-base.noOp';
	workflow.nodes[3].disabled = true;
	const { service } = submissions;
	const items = [{ json: { fileUrl: 'https://files.example.com/talk.wav' } }];
	const run = await runChain(service, workflow, items);
	const minutes = (new Date(run.waitTill!).getTime() - systemTime.timeOfDay()) / 60_000;
	expect(minutes).toBeGreaterThan(9.9);
	expect(minutes).toBeLessThanOrEqual(10);
	const resumed = await runChain(service, workflow, [], { resumeFrom: throughDatabase(run) });
	expect(itemsOf(resumed, 'After').map(({ json }) => json)).toEqual([
		expect.objectContaining({ editId: 'a', finished: false, sourceFileName: 'talk.wav' }),
	]);
});
