import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { decodedSeconds } from '../test/service/support/media.mts';
import { SPEECH, publishRecording } from './support/audio.mts';
import { openBrowser } from './support/pages/browser.mts';
import { Canvas } from './support/pages/canvas.mts';
import { firstExecution } from './support/pages/form.mts';
import { startHost } from './support/host.mts';
import { type Link, START, createEdit, getResult, ours, waitForEdit } from './support/nodes.mts';
import { dataOf, itemOf } from './support/outputs.mts';
import { chain } from './support/workflowFiles.mts';

const { sandbox, n8n, editor, credential } = await startHost('browser');
const { page, outside } = await openBrowser(sandbox, n8n.url);
const canvas = new Canvas(page);
const url = await publishRecording(sandbox, SPEECH, 'episode.mp3');

/** The chain in the order in which a person builds it: the names in the panel and on the canvas. */
const CHAIN: Readonly<Record<string, string>> = {
	'Audio Editing Upload': 'Upload Recording',
	'Audio Editing Create Edit': 'Create Edit',
	'Audio Editing Wait': 'Wait For Edit',
	'Audio Editing Get Result': 'Get Result',
	'Audio Editing Delete': 'Delete Edit',
};

const OUR_NODES = [
	'Audio Editing',
	...Object.keys(CHAIN),
	'Audio Editing Account',
	// n8n's panel omits 'Trigger'.
	'Audio Editing Edit Finished',
];

const FETCH = {
	name: 'Fetch the recording',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: { url, options: { response: { response: { responseFormat: 'file' } } } },
};

async function showWorkflow(name: string, links: readonly Link[]): Promise<string> {
	const id = await editor.createWorkflow(chain(name, credential, links));
	await canvas.open(id);
	return id;
}

function testChain(): void {
	test('one search finds all our nodes', async () => {
		await showWorkflow('Search', [START]);
		const found = await canvas.search('audio edit');
		const names = found.map((text) => text.split('\n', 1)[0] ?? '');
		for (const name of OUR_NODES) assert.ok(names.includes(name), `${name}: ${names.join(', ')}`);
	});

	test('the chain can be built from the panel without typing, and runs', async () => {
		const id = await showWorkflow('By hand', [START, FETCH]);
		for (const name of Object.keys(CHAIN)) {
			await canvas.add(name);
			await canvas.closeForm();
			await canvas.tidy();
		}
		await canvas.run();
		const execution = await firstExecution(editor, id);
		assert.equal(itemOf(execution, 'Delete Edit').json['deleted'], true);
	});

	test('the edited recording plays in the output panel', async () => {
		await canvas.openForm('Get Result');
		await canvas.form.getByRole('button', { name: 'View' }).click();
		const { playedSeconds, wholeSeconds } = await canvas.listen();
		assert.ok(playedSeconds > 0);
		assert.ok(Math.abs(wholeSeconds - (await decodedSeconds(SPEECH))) < 0.5);
		await canvas.closeForm();
	});
}

function testForms(): void {
	test('the forms of the other nodes open', async () => {
		for (const [name, type] of [
			['Account', 'account'],
			['Edit Finished Trigger', 'editFinishedTrigger'],
		] as const) {
			await showWorkflow(name, [ours(type, { name })]);
			await canvas.openForm(name);
			await canvas.closeForm();
		}
	});

	test('a failed edit is shown in clear terms', async () => {
		const noRecording = await publishRecording(sandbox, Buffer.from('not a recording'));
		const create = createEdit({ fileUrls: noRecording });
		const links = [START, create, waitForEdit(), getResult()];
		const id = await showWorkflow('A failed edit', links);
		await canvas.run();
		const execution = await firstExecution(editor, id);
		assert.equal(execution.status, 'error');
		await canvas.openForm(dataOf(execution).resultData.lastNodeExecuted ?? '');
		assert.match(await canvas.form.innerText(), /FAILURE/);
		await canvas.closeForm();
	});

	test('only n8n itself contacts another host, for the page of the package', () => {
		const hosts = outside.map((address) => new URL(address).hostname);
		assert.deepEqual(
			hosts.filter((hostname) => hostname !== 'registry.npmjs.org'),
			[],
		);
	});
}

describe('in the browser', () => {
	testChain();
	testForms();
});
