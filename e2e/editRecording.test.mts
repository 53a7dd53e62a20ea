/** The one node that edits from file to file: on the canvas, with many recordings, and as a tool. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';

import type { INodeExecutionData } from 'n8n-workflow';

import { decodedSeconds } from '../test/service/support/media.mts';
import { startOpenAiServer } from '../test/service/support/openAiServer.mts';
import { makeRecording } from '../test/support/recording.ts';
import { SPOKEN } from '../test/support/spoken.ts';
import { CHAT, agentWith, chat } from './support/agentWorkflow.mts';
import { TALK_WAV, assertEditedTalk, publishRecording } from './support/audio.mts';
import { bar } from './support/bars.mts';
import { type OpenPage, openBrowser } from './support/pages/browser.mts';
import { Canvas } from './support/pages/canvas.mts';
import { firstExecution, submitForm } from './support/pages/form.mts';
import { startHost } from './support/host.mts';
import { failureOf, fileOf, itemOf, itemsOf, textOf } from './support/outputs.mts';
import { type Link, START, ours, ranTo } from './support/pickyService.mts';
import { IS_OLDEST, PACKAGE } from './support/places.mts';
import { startScriptedModel } from './support/scriptedModel.mts';
import { chain } from './support/workflowFiles.mts';

const NODE = 'Audio Editing';

const recogniser = await startOpenAiServer(() => ({ body: SPOKEN }));
const { sandbox, service, n8n, editor, credential } = await startHost('audio-editing', {
	flags: ['--transcription-url', recogniser.url],
});
sandbox.onEnd(async () => {
	await recogniser[Symbol.asyncDispose]();
});
const opened = IS_OLDEST ? undefined : await openBrowser(sandbox, n8n.url);

/** Returns the edits that the service has accepted so far. */
function submitted(): string[] {
	return service.log.filter((line) => / edit \S+ PENDING$/.test(line));
}

/** Stores files where n8n may read them. @returns a node that reads them all */
async function readerOf(folder: string, files: Readonly<Record<string, Buffer>>): Promise<Link> {
	const path = join(sandbox.home, '.n8n-files', folder);
	await mkdir(path, { recursive: true });
	for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
	return {
		name: 'Read the folder',
		type: 'n8n-nodes-base.readWriteFile',
		typeVersion: 1,
		parameters: { fileSelector: join(path, '*.wav'), options: {} },
	};
}

function testCanvas({ page }: OpenPage): void {
	const canvas = new Canvas(page);
	test('found by its name, it edits a file on the canvas without typing', async () => {
		const reader = await readerOf('talk', { 'talk.wav': TALK_WAV });
		const id = await editor.createWorkflow(chain('One node', credential, [START, reader]));
		await canvas.open(id);
		const [best = ''] = await canvas.search('audio editing');
		assert.match(best, /^Audio Editing\n/);
		await page.keyboard.press('Escape');
		await canvas.add('Audio Editing');
		await canvas.closeForm();
		await canvas.tidy();
		assert.equal(await canvas.node(NODE).count(), 1, 'the name on the canvas');
		await canvas.run();
		const execution = await firstExecution(editor, id);
		const item = itemOf(execution, NODE);
		assert.deepEqual(Object.keys(item.binary ?? {}), ['data']);
		await assertEditedTalk((await fileOf(editor, item)).content, { isShorter: false });
		assert.equal(item.json['sourceFileName'], 'talk.wav');
	});
}

const fileField = (fieldLabel: string) => ({ fieldLabel, fieldType: 'file', multipleFiles: false });

const FORM: Link = {
	name: 'On form submission',
	type: 'n8n-nodes-base.formTrigger',
	typeVersion: 2.2,
	webhookId: randomUUID(),
	parameters: {
		formTitle: 'Two tracks',
		formFields: { values: ['Host', 'Guest'].map(fileField) },
		options: {},
	},
};

test('two files of one item are tracks of one recording, submitted as one edit', async () => {
	const before = submitted().length;
	const node = ours('audioEditing', {
		name: NODE,
		parameters: { recordingFrom: 'all', options: { long_silences: true, merge: true } },
	});
	const files = ['host.wav', 'guest.wav'].map((name) => ({ name, content: TALK_WAV }));
	const execution = await submitForm(editor, chain('Tracks', credential, [FORM, node]), files);
	const item = itemOf(execution, NODE);
	assert.deepEqual(Object.keys(item.binary ?? {}), ['data']);
	await assertEditedTalk((await fileOf(editor, item)).content);
	assert.match(textOf(item, 'sourceFileName'), /host\.wav.*guest\.wav/);
	const edits = submitted().length - before;
	bar('edits charged for two tracks of one recording', edits, '= 1', edits === 1);
});

const BAD = 'take-05.wav';

/** Twelve recordings, each half a second longer than the one before. The fifth file is no recording. */
const TAKES = new Map(
	Array.from({ length: 12 }, (_entry, index) => {
		const name = `take-${String(index + 1).padStart(2, '0')}.wav`;
		return [name, 2 + index / 2] as const;
	}),
);

/** Whether an edited file has the length of the recording that its item names. */
async function isOwnFile(item: INodeExecutionData): Promise<boolean> {
	const expected = TAKES.get(textOf(item, 'sourceFileName')) ?? 0;
	const { content } = await fileOf(editor, item);
	return Math.abs((await decodedSeconds(content)) - expected) < 0.2;
}

test('eleven of twelve recordings are edited in order, and the bad one is named', async () => {
	const files = [...TAKES].map(([name, seconds]): [string, Buffer] => [
		name,
		name === BAD ? Buffer.from('not a recording') : makeRecording({ partsSeconds: [seconds] }),
	]);
	const reader = await readerOf('takes', Object.fromEntries(files));
	const before = submitted().length;
	const node = ours('audioEditing', { name: NODE, onError: 'continueErrorOutput' });
	const { execution } = await ranTo(editor, chain('Twelve', credential, [START, reader, node]));
	const read = itemsOf(execution, reader.name).map((item) => basename(textOf(item, 'fileName')));
	assert.equal(read.length, TAKES.size, failureOf(execution));
	const edited = itemsOf(execution, NODE);
	const names = edited.map((item) => textOf(item, 'sourceFileName'));
	assert.deepEqual(
		names,
		read.filter((name) => name !== BAD),
	);
	const isOwn = await Promise.all(edited.map(isOwnFile));
	const own = isOwn.filter(Boolean).length;
	bar('recordings of twelve with a bad one edited, each in its item', own, '= 11', own === 11);
	const failed = itemOf(execution, NODE, 1);
	assert.equal(textOf(failed, 'sourceFileName'), BAD);
	assert.match(textOf(failed, 'editId'), /^[0-9a-f-]{36}$/);
	assert.match(JSON.stringify(failed.json['failure']), /take-05\.wav/);
	assert.equal(submitted().length - before, TAKES.size);
});

/** Returns what an agent of version 3.1 made of the node as its tool, and the model's last question. */
async function asTool(input: Readonly<Record<string, string>>) {
	const model = await startScriptedModel(sandbox);
	const data = { apiKey: 'sk-e2e-only', url: model.baseUrl };
	const openAiApi = await editor.createCredential('Scripted model', data, 'openAiApi');
	const workflow = agentWith(
		credential,
		{ name: CHAT, type: '@n8n/n8n-nodes-langchain.chatTrigger', typeVersion: 1.1 },
		{
			ai_languageModel: {
				name: 'OpenAI Chat Model',
				type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
				typeVersion: 1.2,
				credentials: { openAiApi },
			},
			ai_tool: { name: NODE, type: `${PACKAGE}.audioEditingTool` },
		},
	);
	const call = { tool: NODE.replace(' ', '_'), input };
	model.play(
		() => ({ calls: [call] }),
		() => ({ says: 'It is edited' }),
	);
	const execution = await chat(editor, await editor.createWorkflow(workflow), 'Edit it, please');
	assert.equal(execution.status, 'success', failureOf(execution));
	const question = model.questions.at(-1);
	assert.ok(question);
	return { execution, question };
}

/** What the model reads of an edit. */
interface Told {
	readonly finished: boolean;
	readonly title: string;
	readonly summary: string;
	readonly links: readonly { readonly url: string }[];
}

// n8n 1.68 has no agent of version 3.
test(
	"as an agent's tool, a call submits once and returns texts and links",
	{
		skip: IS_OLDEST,
	},
	async () => {
		const before = submitted().length;
		const fileUrl = await publishRecording(sandbox);
		const { execution, question } = await asTool({ fileUrl, preset: 'podcastEpisode' });
		const [tool, ...otherTools] = question.tools;
		assert.equal(otherTools.length, 0);
		assert.match(tool.description, /Each new edit is charged.*If finished is false, call it again/);
		const [answer, ...otherAnswers] = JSON.parse(question.toolAnswers[0]) as Told[];
		assert.equal(otherAnswers.length, 0);
		assert.equal(answer.finished, true);
		assert.match(answer.title, /podcasts/);
		assert.match(answer.summary, /^Podcasts are made of words/);
		const edited = await fetch(answer.links[0].url);
		await assertEditedTalk(Buffer.from(await edited.arrayBuffer()));
		assert.doesNotMatch(execution.data, /"binary"/);
		const edits = submitted().length - before;
		bar("edits charged for one call of an agent's tool", edits, '= 1', edits === 1);
	},
);

if (opened !== undefined) {
	describe('in the browser', () => {
		testCanvas(opened);
	});
}
