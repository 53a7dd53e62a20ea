import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { CHAT, agentWith, chat } from './support/agentWorkflow.mts';
import { assertEditedTalk, publishRecording } from './support/audio.mts';
import type { NewWorkflow } from './support/pages/editor.mts';
import { startHost } from './support/host.mts';
import { failureOf, itemOf, onlyOne, textOf } from './support/outputs.mts';
import { PACKAGE } from './support/places.mts';
import { type Question, startScriptedModel } from './support/scriptedModel.mts';
import { withOthers } from './support/workflowFiles.mts';

const MODEL_KEY = 'sk-e2e-only';

/** Slow enough that an edit is not finished when the agent asks for it at once. */
const SLOW = ['--min-state-seconds', '3'];

const CREATE = 'Create_an_edit';
const LOOK = 'Get_an_edit';
const CREDIT = 'Check_the_credit';

const EDIT_ID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

const host = await startHost('agent', { flags: SLOW, recognizes: true });
const { sandbox, service, editor, credential, submitted } = host;
const model = await startScriptedModel(sandbox);
const modelCredential = await editor.createCredential(
	'Scripted model',
	{ apiKey: MODEL_KEY, url: model.baseUrl },
	'openAiApi',
);
const recordingUrl = await publishRecording(sandbox);

/** The example with our credential and the model's chosen. */
const asShipped = withOthers(await host.imported('agent-tool.json'), {
	'OpenAI Chat Model': { openAiApi: modelCredential },
});

/**
 * The same workflow with the agent of older workflows. That agent does not pass a tool's error on to its
 * model, so the tools are set to continue.
 */
const withOlderAgent: NewWorkflow = {
	...asShipped,
	nodes: asShipped.nodes.map((node) => {
		if (node.name === 'AI Agent') return { ...node, typeVersion: 2 };
		const isOurs = node.type.startsWith(PACKAGE);
		return isOurs ? { ...node, onError: 'continueRegularOutput' } : node;
	}),
};

function editIdIn(text = ''): string {
	const [id] = EDIT_ID.exec(text) ?? [];
	if (id === undefined) throw new Error(`There is no edit ID in: ${text}`);
	return id;
}

const lookAt = (editId: string) => ({ tool: LOOK, input: { editId } });

/** A person requests an edit, which the model orders twice, and asks about it when it is finished. */
async function converse(name: string, workflow: NewWorkflow) {
	const questionsBefore = model.questions.length;
	const submittedBefore = submitted().length;
	const workflowId = await editor.createWorkflow(workflow);
	const order = { tool: CREATE, input: { fileUrl: recordingUrl, preset: 'enhance' } };
	model.play(
		() => ({ calls: [order] }),
		() => ({ calls: [order] }),
		({ toolAnswers }) => ({ calls: [lookAt(editIdIn(toolAnswers[0]))] }),
		({ toolAnswers }) => ({ says: `Its ID is ${editIdIn(toolAnswers[0])}` }),
	);
	const ordered = await chat(editor, workflowId, `Edit ${recordingUrl}, please`);
	assert.equal(ordered.status, 'success', failureOf(ordered));
	const editId = editIdIn(textOf(itemOf(ordered, 'AI Agent'), 'output'));
	await host.succeeded(editId);
	model.play(
		() => ({ calls: [lookAt(editId), { tool: CREDIT, input: {} }] }),
		() => ({ says: 'It is finished' }),
	);
	const asked = await chat(editor, workflowId, `What about edit ${editId}?`);
	assert.equal(asked.status, 'success', failureOf(asked));
	const questions = model.questions.slice(questionsBefore);
	const created = submitted().slice(submittedBefore);
	return { name, editId, created, ordered, asked, questions };
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

function itemIn(answer: string): Record<string, unknown> {
	return onlyOne(JSON.parse(answer) as Record<string, unknown>[]);
}

const conversations = [
	await converse('as the example has it', asShipped),
	await converse('with an AI Agent of version 2', withOlderAgent),
];

for (const conversation of conversations) {
	const { name, editId, questions } = conversation;

	describe(`the nodes as an agent's tools, ${name}`, () => {
		const [, , afterOrders, afterLook, , afterBoth] = questions;

		test('the model receives each tool with its text and the fields to fill in', () => {
			assert.equal(questions.length, 6);
			for (const question of questions) assertTools(question);
		});

		test('two equal requests create one edit, and the model learns its ID', () => {
			assert.deepEqual(conversation.created, [editId]);
			const [first, second] = afterOrders.toolAnswers;
			assert.equal(itemIn(second)['editId'], editId);
			const { files, config } = itemIn(first);
			assert.deepEqual(files, [recordingUrl]);
			assert.deepEqual(config, { remove_noise: true, normalize: true });
		});

		test('an early question learns that the edit is unfinished, and the agent continues', () => {
			assert.match(afterLook.toolAnswers[2], /not finished yet: its status is [A-Z]+/);
		});

		test('two tools called at once return the result and the credit', async () => {
			const [result, credit] = afterBoth.toolAnswers;
			const { editId: found, status, links } = itemIn(result);
			assert.deepEqual([found, status], [editId, 'SUCCESS']);
			const response = await fetch((links as { edited: string }).edited);
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
	const { finished, title, summary, links } = itemIn(onlyOne(toolAnswers));
	assert.equal(finished, true);
	assert.match(String(title), /podcasts/);
	assert.match(String(summary), /^Podcasts are made of words/);
	const edited = await fetch((links as { edited: string }).edited);
	await assertEditedTalk(Buffer.from(await edited.arrayBuffer()));
	assert.doesNotMatch(execution.data, /"binary"/);
	assert.equal(submitted().length, before + 1);
});
