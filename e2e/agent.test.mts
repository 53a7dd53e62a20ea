import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { INode } from 'n8n-workflow';

import type { Answer } from '../test/support/scriptedService.ts';
import { CHAT, agentWith, chat } from './support/agentWorkflow.mts';
import { assertEditedTalk, publishRecording } from './support/audio.mts';
import { bar } from './support/bars.mts';
import type { CredentialReference, NewWorkflow } from './support/pages/editor.mts';
import { startHost } from './support/host.mts';
import { failureOf, itemOf, onlyOne, textOf } from './support/outputs.mts';
import { eventually } from '../test/support/eventually.mts';
import { PACKAGE } from './support/places.mts';
import { type Question, startScriptedModel } from './support/scriptedModel.mts';
import { importedWorkflow } from './support/workflowFiles.mts';

const MODEL_KEY = 'sk-e2e-only';

/** Slow enough that an edit is not finished when the agent asks for it at once. */
const SLOW = ['--minimum-state-seconds', '3'];

const CREATE = 'Create_an_edit';
const LOOK = 'Get_an_edit';
const CREDIT = 'Check_the_credit';

const EDIT_ID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

const { sandbox, service, editor, credential, scripted } = await startHost('agent', {
	flags: SLOW,
	hears: true,
});
const model = await startScriptedModel(sandbox);
const modelCredential = await editor.createCredential(
	'Scripted model',
	{ apiKey: MODEL_KEY, url: model.baseUrl },
	'openAiApi',
);
const recordingUrl = await publishRecording(sandbox);

/** Returns the example with our credential and the model's chosen. */
async function asShipped(ours: CredentialReference): Promise<NewWorkflow> {
	const workflow = await importedWorkflow('agent-tool.json', ours, sandbox.home);
	return changed(workflow, (node) => {
		const credentials = { openAiApi: { ...modelCredential } };
		return node.name === 'OpenAI Chat Model' ? { credentials } : {};
	});
}

/**
 * Returns the same workflow with the agent of older workflows. That agent does not pass a tool's error
 * on to its model, so the tools are set to continue.
 */
async function withOlderAgent(ours: CredentialReference): Promise<NewWorkflow> {
	return changed(await asShipped(ours), ({ name, type }) => {
		if (name === 'AI Agent') return { typeVersion: 2 };
		return type.startsWith(PACKAGE) ? { onError: 'continueRegularOutput' } : {};
	});
}

function changed(workflow: NewWorkflow, change: (node: INode) => Partial<INode>): NewWorkflow {
	return { ...workflow, nodes: workflow.nodes.map((node) => ({ ...node, ...change(node) })) };
}

function editIdIn(text = ''): string {
	const [id] = EDIT_ID.exec(text) ?? [];
	if (id === undefined) throw new Error(`There is no edit ID in: ${text}`);
	return id;
}

/** Returns the edits that the service has accepted so far. */
function submitted(): string[] {
	return service.log.filter((line) => / edit \S+ PENDING$/.test(line)).map(editIdIn);
}

function isFinished(editId: string): boolean {
	return service.log.some((line) => line.includes(` edit ${editId} SUCCESS `));
}

const lookAt = (editId: string) => ({ tool: LOOK, input: { editId } });

/** A person requests an edit, and asks about it when it is finished. */
async function converse(name: string, workflow: NewWorkflow) {
	const questionsBefore = model.questions.length;
	const submittedBefore = submitted().length;
	const workflowId = await editor.createWorkflow(workflow);
	const order = { tool: CREATE, input: { fileUrl: recordingUrl, preset: 'enhance' } };
	model.play(
		() => ({ calls: [order] }),
		({ toolAnswers }) => ({ calls: [lookAt(editIdIn(toolAnswers[0]))] }),
		({ toolAnswers }) => ({ says: `Its ID is ${editIdIn(toolAnswers[0])}` }),
	);
	const ordered = await chat(editor, workflowId, `Edit ${recordingUrl}, please`);
	assert.equal(ordered.status, 'success', failureOf(ordered));
	const editId = editIdIn(textOf(itemOf(ordered, 'AI Agent'), 'output'));
	const wasFinished = isFinished(editId);
	await eventually(`edit ${editId} is finished`, () =>
		Promise.resolve(isFinished(editId) ? true : undefined),
	);
	model.play(
		() => ({ calls: [lookAt(editId), { tool: CREDIT, input: {} }] }),
		() => ({ says: 'It is finished' }),
	);
	const asked = await chat(editor, workflowId, `What about edit ${editId}?`);
	assert.equal(asked.status, 'success', failureOf(asked));
	const questions = model.questions.slice(questionsBefore);
	const created = submitted().slice(submittedBefore);
	return { name, editId, wasFinished, created, ordered, asked, questions };
}

const WHAT_IS_OFFERED = {
	[CREATE]: [/Submit a recording .* Each call is charged/, { fileUrl: 'string', preset: 'string' }],
	[LOOK]: [/Get the result of a finished edit/, { editId: 'string' }],
	[CREDIT]: [/credit that is left/, {}],
} as const;

function assertTools({ tools }: Question): void {
	assert.equal(tools.length, Object.keys(WHAT_IS_OFFERED).length);
	for (const [name, [text, fields]] of Object.entries(WHAT_IS_OFFERED)) {
		const tool = tools.find((one) => one.name === name);
		assert.match(tool?.description ?? '', text);
		const { properties = {} } = tool?.parameters ?? {};
		const types = Object.entries(properties).map(([field, { type }]) => [field, type]);
		assert.deepEqual(Object.fromEntries(types), fields);
		assert.ok(Object.values(properties).every(({ description }) => description !== undefined));
	}
}

/** Returns a tool's answer as an item. */
function itemIn(answer: string): Record<string, unknown> {
	return onlyOne(JSON.parse(answer) as Record<string, unknown>[]);
}

const conversations = [
	await converse('as the example has it', await asShipped(credential)),
	await converse('with an AI Agent of version 2', await withOlderAgent(credential)),
];

for (const conversation of conversations) {
	const { name, editId, questions } = conversation;

	describe(`the nodes as an agent's tools, ${name}`, () => {
		const [, afterOrder, afterLook, , afterBoth] = questions;

		test('the model receives each tool with its text and the fields to fill in', () => {
			assert.equal(questions.length, 5);
			for (const question of questions) assertTools(question);
		});

		test('a request creates one edit, and the model learns its ID', () => {
			assert.deepEqual(conversation.created, [editId]);
			const { files, config } = itemIn(afterOrder.toolAnswers[0]);
			assert.deepEqual(files, [recordingUrl]);
			assert.deepEqual(config, { remove_noise: true, normalize: true });
		});

		test('an early question learns that the edit is unfinished, and the agent continues', () => {
			assert.equal(conversation.wasFinished, false);
			assert.match(afterLook.toolAnswers[1], /not finished yet: its status is [A-Z]+/);
		});

		test('two tools called at once return the result and the credit', async () => {
			const [result, credit] = afterBoth.toolAnswers;
			const { editId: found, status, downloadUrl } = itemIn(result);
			assert.deepEqual([found, status], [editId, 'SUCCESS']);
			const response = await fetch(String(downloadUrl));
			await assertEditedTalk(Buffer.from(await response.arrayBuffer()), { isShorter: false });
			assert.equal(itemIn(credit)['creditTotal'], 1000);
		});

		test('no key reaches the model or the saved executions', () => {
			const saved = [conversation.ordered, conversation.asked].map(({ data }) => data);
			const seen = [...saved, ...questions.map(({ body }) => body)];
			for (const key of [service.apiKey, MODEL_KEY]) {
				assert.ok(seen.every((text) => !text.includes(key)));
			}
			// The model's key arrived, so both keys were really in use.
			assert.ok(questions.every(({ authorization }) => authorization === `Bearer ${MODEL_KEY}`));
		});
	});
}

/** What the model reads of an edit by the one node. */
interface Told {
	readonly finished: boolean;
	readonly title: string;
	readonly summary: string;
	readonly links: readonly { readonly url: string }[];
}

test('the one node as a tool submits once, and returns texts and links', async () => {
	const before = submitted().length;
	const name = 'Audio Editing';
	const start = { name: CHAT, type: '@n8n/n8n-nodes-langchain.chatTrigger', typeVersion: 1.1 };
	const workflow = agentWith(credential, start, {
		ai_languageModel: {
			name: 'OpenAI Chat Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			credentials: { openAiApi: modelCredential },
		},
		ai_tool: { name, type: `${PACKAGE}.audioEditingTool` },
	});
	const input = { fileUrl: recordingUrl, preset: 'podcastEpisode' };
	model.play(
		() => ({ calls: [{ tool: name.replace(' ', '_'), input }] }),
		() => ({ says: 'It is edited' }),
	);
	const execution = await chat(editor, await editor.createWorkflow(workflow), 'Edit it, please');
	assert.equal(execution.status, 'success', failureOf(execution));
	const { tools, toolAnswers } = model.questions.at(-1) ?? { tools: [], toolAnswers: [] };
	const { description } = onlyOne(tools);
	assert.match(description, /Each new edit is charged.*If finished is false, call it again/);
	const told = onlyOne(JSON.parse(onlyOne(toolAnswers)) as Told[]);
	assert.equal(told.finished, true);
	assert.match(told.title, /podcasts/);
	assert.match(told.summary, /^Podcasts are made of words/);
	const edited = await fetch(told.links[0].url);
	await assertEditedTalk(Buffer.from(await edited.arrayBuffer()));
	assert.doesNotMatch(execution.data, /"binary"/);
	const edits = submitted().length - before;
	bar("edits charged for one call of an agent's tool", edits, '= 1', edits === 1);
});

/** Returns the answers to a model that requests the same edit twice, and the service's submissions. */
async function orderTwice(answer: (number: number) => Answer) {
	const { credential: ours, seen } = await scripted((_request, number) => answer(number));
	const workflowId = await editor.createWorkflow(await asShipped(ours));
	const order = { tool: CREATE, input: { fileUrl: recordingUrl, preset: 'enhance' } };
	model.play(
		() => ({ calls: [order] }),
		() => ({ calls: [order] }),
		() => ({ says: 'I ordered it twice' }),
	);
	const execution = await chat(editor, workflowId, `Edit ${recordingUrl}, please`);
	assert.equal(execution.status, 'success', failureOf(execution));
	const posts = seen.filter(({ method }) => method === 'POST').map(({ path }) => path);
	assert.deepEqual(posts, ['/v2/edits']);
	return model.questions.at(-1)?.toolAnswers ?? [];
}

describe('a model that requests the same edit twice', () => {
	test('does not resend what may have been accepted, and reads what to do', async () => {
		const down = { status: 500, body: { detail: 'down' } };
		const [first = '', second = ''] = await orderTwice(() => down);
		assert.match(first, /may have accepted the edit.*ask the person to look at the recent edits/);
		assert.match(second, /not sent again.*ask the person to look at the recent edits/);
	});

	test('gets the same edit, submitted once', async () => {
		const answers = await orderTwice((number) => ({ body: { id: `edit-${number}` } }));
		assert.deepEqual(
			answers.map((answer) => itemIn(answer)['editId']),
			['edit-1', 'edit-1'],
		);
	});
});
