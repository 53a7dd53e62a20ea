import { type INode, NodeHelpers } from 'n8n-workflow';

import { runAgent } from '../../../testkit/n8n/agentRun';
import { callAsTool } from '../../../testkit/n8n/callAsTool';
import { OUR_NODES, versionOf } from '../../../testkit/n8n/ourNodes';
import { FILE, useScriptedSubmissions } from '../../../testkit/service/scriptedSubmissions';
import { OUR_TOOLS } from '../../../testkit/n8n/toolTypes';

const submissions = useScriptedSubmissions();

/** A part of the request that differs with each try. */
const DIFFERS = { signed_url: '=https://b.example.com/x?t={{ $now.toMillis() + Math.random() }}' };

const TOOL = {
	type: 'createEdit',
	parameters: {
		fileUrls: "={{ $fromAI('fileUrl') }}",
		preset: "={{ $fromAI('preset') }}",
		...DIFFERS,
	},
};

const order = (fileUrl = FILE, preset = 'enhance') => ({
	tool: 'createEdit',
	input: { fileUrl, preset },
});

const editIds = (answers: readonly string[]) =>
	answers.map((answer) => (JSON.parse(answer) as Array<{ editId?: string }>)[0].editId);

describe('Create Edit as a tool of an AI Agent of version 3', () => {
	it('answers the same call twice in one turn with one edit', async () => {
		const { answers } = await runAgent(submissions.service, [TOOL], [[order(), order()]]);
		expect(submissions.service.seen).toHaveLength(1);
		expect(editIds(answers)).toEqual(['edit-1', 'edit-1']);
	});

	it('creates an edit for each file and each preset', async () => {
		const calls = [order(), order(`${FILE}?2`), order(FILE, 'fullEdit')];
		const { answers } = await runAgent(submissions.service, [TOOL], [calls]);
		expect(submissions.service.seen).toHaveLength(3);
		expect(editIds(answers)).toEqual(['edit-1', 'edit-2', 'edit-3']);
	});

	it('creates the edit when the model corrects a refused call', async () => {
		const { answers } = await runAgent(submissions.service, [TOOL], [[order('no url')], [order()]]);
		expect(submissions.service.seen).toHaveLength(1);
		expect(answers[0]).toMatch(/'File URLs'.*Nothing was sent/);
		expect(editIds(answers.slice(1))).toEqual(['edit-1']);
	});
});

it('an agent before version 3 creates one edit of two equal calls in one turn', async () => {
	const answers = await callAsTool(submissions.service, {
		nodeName: 'createEdit',
		parameters: { fileUrls: FILE, ...DIFFERS },
		inputs: [{}, {}],
		atOnce: true,
	});
	expect(submissions.service.seen).toHaveLength(1);
	const [made, refused] = answers.sort((one) => (one.includes('edit-1') ? -1 : 1));
	expect(made).toContain('edit-1');
	expect(refused).toMatch(/not sent again.*interrupted, or is still in progress/);
});

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
	['getResult', /then try again in a minute, and do not create the edit again/],
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
		['createEdit', { fileUrls: '' }, /press ✨ next to 'File URLs'/],
		['getResult', { editId: '' }, /press ✨ next to 'Edit ID'/],
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

describe('every tool', () => {
	const TOOLS = Object.values(OUR_NODES).filter(({ description }) => description.usableAsTool);

	it('every node but the trigger can be an agent’s tool', () => {
		const others = Object.keys(OUR_NODES).length - TOOLS.length;
		expect(others).toBe(1);
	});

	describe.each(TOOLS.map(({ description }) => [description.displayName, description] as const))(
		'%s as a tool',
		(_name, { usableAsTool, properties }) => {
			const text =
				typeof usableAsTool === 'object' ? (usableAsTool.replacements?.description ?? '') : '';

			it('says what it does, what it takes and what is charged', () => {
				expect(text.length).toBeGreaterThan(80);
				// Each call sends models the text of every tool.
				expect(text.length).toBeLessThan(400);
				expect(text).toMatch(/editId|fileUrl|credit/);
			});

			it('explains each of its fields', () => {
				const unexplained = properties
					.filter(({ type }) => type !== 'notice')
					.filter(({ description, hint, options, name }) => {
						const isChoice = name === 'resource' || name === 'operation' || name === 'options';
						return !isChoice && !description && !hint && !options;
					});
				expect(unexplained.map(({ name }) => name)).toEqual([]);
			});
		},
	);
});
