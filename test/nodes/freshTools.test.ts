import { type INode, NodeHelpers } from 'n8n-workflow';

import { runAgent } from '../support/agentRun';
import { callAsTool } from '../support/callAsTool';
import { useScriptedSubmissions } from '../support/scriptedSubmissions';
import { versionOf } from '../support/ourNodes';
import { OUR_TOOLS } from '../support/toolTypes';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const submissions = useScriptedSubmissions();

const FROM_MODEL = 'https://files.example.com/from-the-model.wav';

const sent = () =>
	submissions.service.seen.map(({ path, body }) => [path, body === '' ? '' : JSON.parse(body)]);

const FULL_EDIT = expect.arrayContaining([
	'/v2/edits',
	expect.objectContaining({
		input: expect.objectContaining({
			files: [FROM_MODEL],
			config: expect.objectContaining({ fillers: true }),
		}),
	}),
]);

describe('a tool left as it was put on the canvas', () => {
	const call = { fileUrl: FROM_MODEL, preset: 'fullEdit' };

	it('lets the model of an agent before version 3 choose file and preset', async () => {
		await callAsTool(submissions.service, {
			nodeName: 'createEdit',
			parameters: {},
			inputs: [call],
		});
		expect(sent()).toEqual([FULL_EDIT]);
	});

	it('lets the model of an agent of version 3 choose file and preset', async () => {
		const turns = [[{ tool: 'createEdit', input: call }]];
		await runAgent(submissions.service, [{ type: 'createEdit' }], turns);
		expect(sent()).toEqual([FULL_EDIT]);
	});

	it('enhances the recording when the model names no preset', async () => {
		const inputs = [{ fileUrl: FROM_MODEL }];
		await callAsTool(submissions.service, { nodeName: 'createEdit', parameters: {}, inputs });
		expect(sent()[0][1]).toMatchObject({
			input: { config: { remove_noise: true, normalize: true } },
		});
	});

	it.each(['getResult', 'waitForEdit', 'delete'])(
		'%s takes the ID from the model',
		async (type) => {
			submissions.service.answer = () => ({ body: { task_id: 'e-7', status: 'FAILURE' } });
			const nodeName = type;
			await callAsTool(submissions.service, {
				nodeName,
				parameters: {},
				inputs: [{ editId: 'e-7' }],
			});
			await runAgent(submissions.service, [{ type }], [[{ tool: type, input: { editId: 'e-7' } }]]);
			expect(submissions.service.seen.map(({ path }) => path)).toEqual([
				'/v2/edits/e-7',
				'/v2/edits/e-7',
			]);
		},
	);
});

it.each([
	['createEdit', /Each call is charged: call it once for a recording/],
	['delete', /This cannot be undone/],
	['audioEditing', /Each new edit is charged.*If finished is false, call it again/],
	['getResult', /Never create the edit again for that/],
	['upload', /You cannot pass a file or a URL to it/],
	['waitForEdit', /If finished is false, the edit still runs: call this again later/],
])('describes to the model what it must know of %s', (name, told) => {
	const tool = OUR_TOOLS[`n8n-nodes-audio-editing.${name}Tool`];
	const { description } = tool;
	const typeVersion = versionOf(name);
	const node = { id: '1', name: 'tool', type: 'tool', typeVersion, position: [0, 0] };
	const { properties } = description;
	const parameters = NodeHelpers.getNodeParameters(properties, {}, true, false, node, description);
	const text = NodeHelpers.getToolDescriptionForNode({ ...node, parameters } as INode, tool);
	expect(text).toMatch(told);
});

describe('the error when the model can fill nothing in', () => {
	it.each([
		['createEdit', { fileUrls: '' }, /press ✨ at 'File URLs'/],
		['getResult', { editId: '' }, /press ✨ at 'Edit ID'/],
	])('%s says what to press', async (nodeName, parameters, words) => {
		const [answer] = await callAsTool(submissions.service, { nodeName, parameters });
		expect(answer).toMatch(words);
	});

	it('says what to pass if the model passed nothing', async () => {
		const inputs = [{ fileUrl: '' }];
		const [answer] = await callAsTool(submissions.service, {
			nodeName: 'createEdit',
			parameters: {},
			inputs,
		});
		expect(answer).toMatch(/Pass the URL of the audio or video file/);
		expect(answer).not.toContain('✨');
	});
});

describe('the form of Create Edit as a tool', () => {
	const { description } = OUR_TOOLS['n8n-nodes-audio-editing.createEditTool'];

	it('does not offer to deliver to an execution', () => {
		const { properties } = description;
		const parameters = { options: { deliverHere: true, jobType: 'noise' } };
		const node = { typeVersion: 1 };
		const kept = NodeHelpers.getNodeParameters(
			...([properties, parameters, true, false, node, description] as const),
		);
		expect(kept?.options).toEqual({ jobType: 'noise' });
	});
});
