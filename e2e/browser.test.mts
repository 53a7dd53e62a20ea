/**
 * n8n's editor in a browser, with the environment of compose.yaml. Both programs run here instead of in
 * containers, under the names that they have there, and the browser is on the host.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { parse } from 'yaml';

import { decodedSeconds } from '../testkit/service/media.mts';
import { freePort } from '../testkit/process/freePort.ts';
import { searchPanel } from '../testkit/n8n/panelSearch.ts';
import { agentWith } from './support/agentWorkflow.mts';
import { SPEECH, publishRecording } from './support/audio.mts';
import { openBrowser } from './support/pages/browser.mts';
import { Canvas } from './support/pages/canvas.mts';
import { firstExecution } from './support/pages/form.mts';
import { startHost } from './support/host.mts';
import { type Link, START, createEdit, getResult, ours, waitForEdit } from './support/nodes.mts';
import { dataOf, failureOf, fileOf, itemOf } from './support/outputs.mts';
import { PACKAGE, ROOT } from './support/places.mts';
import { chain } from './support/workflowFiles.mts';

const KEY = 'e2e-compose-key-0123456789';

interface Compose {
	readonly services: Readonly<Record<string, { environment: Readonly<Record<string, string>> }>>;
}

const ports: Readonly<Record<string, number>> = { 5678: await freePort(), 8787: await freePort() };
const composed = (await readFile(join(ROOT, 'compose.yaml'), 'utf8'))
	.replace(/(?<=:\/\/[\w-]+:)\d+/g, (port) => String(ports[port]))
	.replace(/\$\{AUDIO_EDITING_KEY:.*\}/, KEY);
const { services } = parse(composed) as Compose;

const NODE_OPTIONS = `--require ${join(import.meta.dirname, 'support/containerNames.cjs')}`;
// The service inherits the variables of this process, n8n does not.
Object.assign(process.env, services['audio-editing'].environment, { NODE_OPTIONS });
const { sandbox, editor, imported, credential, service } = await startHost('browser', {
	flags: ['--port', String(ports[8787])],
	port: ports[5678],
	env: { ...services['n8n'].environment, NODE_OPTIONS },
});
const editorUrl = `http://localhost:${ports[5678]}`;
const { page, outside } = await openBrowser(sandbox, editorUrl);
const canvas = new Canvas(page);

async function showWorkflow(name: string, links: readonly Link[]): Promise<string> {
	const id = await editor.createWorkflow(chain(name, credential, links));
	await canvas.open(id);
	return id;
}

async function textOfForm(node: string): Promise<string> {
	await canvas.openForm(node);
	const text = await canvas.form.innerText();
	await canvas.closeForm();
	return text;
}

test("each step of the README's first episode works", async () => {
	const login = { baseUrl: `http://audio-editing:${ports[8787]}`, apiKey: KEY };
	assert.deepEqual([service.url, service.apiKey], [login.baseUrl, KEY]);
	assert.equal((await editor.testCredential(credential, login)).status, 'OK');
	const wrong = { ...login, baseUrl: 'http://127.0.0.1:9' };
	const { message } = await editor.testCredential(credential, wrong);
	assert.match(message, /nothing is listening at that address\. Check the host and the port/);

	const node = 'Audio Editing';
	const changes = { [node]: { preset: 'fullEdit', alsoReturn: [] } };
	const id = await editor.createWorkflow(await imported('one-node-episode.json', changes));
	await canvas.open(id);
	await canvas.openForm(node);
	const preset = canvas.form.getByTestId('parameter-input-preset').locator('input').first();
	assert.equal(await preset.inputValue(), 'Full Edit');
	await canvas.closeForm();

	const form = await canvas.runWithForm();
	assert.equal(new URL(form.url()).origin, editorUrl);
	const file = { name: 'recording.mp3', mimeType: 'audio/mpeg', buffer: SPEECH };
	await form.locator('input[type="file"]').setInputFiles(file);
	await form.locator('button[type="submit"]').click();
	const execution = await firstExecution(editor, id);
	assert.equal(execution.status, 'success', failureOf(execution));

	await form.close();
	await canvas.openForm(node);
	const output = canvas.form.getByTestId('output-panel');
	await output.getByRole('button', { name: 'Download' }).first().waitFor();
	assert.deepEqual(Object.keys(itemOf(execution, node).binary ?? {}), ['data']);
	await output.getByRole('button', { name: 'View' }).first().click();
	const { playedSeconds, wholeSeconds } = await canvas.listen();
	assert.ok(playedSeconds > 0);
	const { content } = await fileOf(editor, itemOf(execution, node));
	const editedSeconds = await decodedSeconds(content);
	const lengths = `${wholeSeconds} s played, ${editedSeconds} s edited`;
	assert.ok(Math.abs(wholeSeconds - editedSeconds) < 0.5, lengths);
	assert.ok(editedSeconds < (await decodedSeconds(SPEECH)), lengths);
	await canvas.closeForm();
});

// test/nodes/form has many more words; here, the editor itself searches.
test('the node panel shows our nodes in the order of the search that the unit tests use', async () => {
	await showWorkflow('Search', [START]);
	for (const words of ['audio edit', 'denoise', 'subtitles', 'recording', 'clean', 'delete']) {
		const found = await canvas.search(words);
		const names = found.map((text) => text.split('\n', 1)[0] ?? '');
		const isOurs = (name: string) => name.startsWith('Audio Editing');
		// n8n's panel omits 'Trigger'.
		const expected = searchPanel(words).map((name) => name.replace(' Trigger', ''));
		assert.deepEqual(names.filter(isOurs), expected, words);
		assert.ok(words !== 'audio edit' || expected.length === 8, expected.join());
		// The wrong node would delete what the person wants, or keep it.
		if (['clean', 'delete'].includes(words)) assert.equal(names[0], expected[0], words);
	}
});

describe('a form', () => {
	test('of the trigger opens', async () => {
		const name = 'Audio Editing Edit Finished Trigger';
		await showWorkflow(name, [ours('editFinishedTrigger', { name })]);
		assert.match(await textOfForm(name), /^Template$/m);
	});

	test('hides what noise reduction cannot do', async () => {
		const form = { preset: 'fullEdit', cuts: { fillers: true }, advanced: { jobType: 'noise' } };
		await showWorkflow('Noise', [START, createEdit(form)]);
		assert.match(await canvas.node('Audio Editing Create Edit').innerText(), /Noise Reduction/);
		const text = await textOfForm('Audio Editing Create Edit');
		assert.match(text, /^Job Type$/m);
		assert.doesNotMatch(text, /^(Preset|Cuts|Fillers)/m);
	});

	test('of a tool leaves the URL to the model, and shows what the model reads about it', async () => {
		const tool = { name: 'Audio Editing', type: `${PACKAGE}.audioEditingTool` };
		const workflow = agentWith(credential, START, { ai_tool: tool });
		await canvas.open(await editor.createWorkflow(workflow));
		await canvas.openForm(tool.name);
		const text = await canvas.form.innerText();
		assert.match(text, /File URLs\s+Defined automatically by the model/);
		assert.doesNotMatch(text, /Recording From|Input Data Field Name/);
		const forModel = await canvas.form.locator('textarea').first().inputValue();
		assert.match(forModel, /Each new edit is charged/);
		await canvas.closeForm();
	});

	test('shows a failed edit in clear terms', async () => {
		const noRecording = await publishRecording(sandbox, Buffer.from('not a recording'));
		const create = createEdit({ fileUrls: noRecording });
		const id = await showWorkflow('A failed edit', [START, create, waitForEdit(), getResult()]);
		await canvas.run();
		const execution = await firstExecution(editor, id);
		assert.equal(execution.status, 'error');
		assert.match(
			await textOfForm(dataOf(execution).resultData.lastNodeExecuted ?? ''),
			/could not be edited: .*not an audio or video file/,
		);
	});
});

test('only n8n itself contacts other hosts: for the page of the package, and the font of its forms', () => {
	const hosts = new Set(outside.map((address) => new URL(address).hostname));
	for (const known of ['registry.npmjs.org', 'fonts.googleapis.com']) hosts.delete(known);
	assert.deepEqual([...hosts], []);
});
