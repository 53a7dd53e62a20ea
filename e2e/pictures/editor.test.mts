/** The pictures of n8n's editor in our texts: the node panel, outputs, and the forms of the nodes as they open. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { agentWith } from '../support/agentWorkflow.mts';
import { SPEECH, publishRecording } from '../support/audio.mts';
import { openBrowser } from '../support/pages/browser.mts';
import { Canvas } from '../support/pages/canvas.mts';
import { firstExecution } from '../support/pages/form.mts';
import { startHost } from '../support/host.mts';
import { START, createEdit, getResult, ours, waitForEdit } from '../support/nodes.mts';
import { dataOf, failureOf } from '../support/outputs.mts';
import type { NewWorkflow } from '../support/pages/editor.mts';
import { PACKAGE } from '../support/places.mts';
import {
	type Area,
	MESSAGES,
	areasOf,
	around,
	photograph,
} from '../support/pictures/photograph.mts';
import { chain } from '../support/workflowFiles.mts';

const { sandbox, n8n, editor, credential } = await startHost('pictures', {
	flags: ['--min-state-seconds', '5'],
});
// Low, because what the panels say is in their middle.
const LOW = { width: 1440, height: 480 };
/** Tall enough for the longest form. */
const TALL = { width: 1440, height: 2600 };
const { page } = await openBrowser(sandbox, n8n.url, LOW);
const canvas = new Canvas(page);
const recording = await publishRecording(sandbox, SPEECH, 'episode-12.mp3');
/** Nothing can listen there. */
const CLOSED_PORT = 1;

/** Hides what lies over the panels. */
const HIDDEN = [MESSAGES, '[data-test-id="floating-nodes"]'];

/** From a URL to the edited file. */
const STEPS = [
	START,
	createEdit({ fileUrls: recording, preset: 'fullEdit' }),
	waitForEdit(),
	getResult(),
];

/** Opens a workflow and presses "Execute workflow". @returns its ID */
async function run(workflow: NewWorkflow): Promise<string> {
	const id = await editor.createWorkflow(workflow);
	await canvas.open(id);
	await canvas.hide(HIDDEN);
	await canvas.run();
	return id;
}

/** Saves a picture of the upper part of the output panel of an open form. */
async function photographOutput(name: string, height: number): Promise<void> {
	await canvas.widenOutput();
	const panel = around(await areasOf(canvas.form.getByTestId('output-panel')), 0);
	await photograph(page, name, { ...panel, height });
}

describe('panels', { timeout: 480_000 }, () => {
	test('takes a picture of the node panel', async () => {
		await canvas.open(await editor.createWorkflow(chain('Panel', credential, [START])));
		await page.setViewportSize({ width: 1440, height: 1000 });
		await canvas.search('audio edit');
		const panel = around(await areasOf(page.getByTestId('node-creator')), 0);
		const found = await areasOf(page.getByTestId('item-iterator-item'));
		const { y, height } = around(found, 0);
		await photograph(page, 'node-panel', { ...panel, height: y + height - panel.y + 16 });
		await page.setViewportSize(LOW);
	});

	test('takes a picture of the player', async () => {
		const execution = await firstExecution(editor, await run(chain('Steps', credential, STEPS)));
		assert.equal(execution.status, 'success', failureOf(execution));
		await canvas.openForm('Audio Editing Get Result');
		await canvas.form.getByTestId('output-panel').getByRole('button', { name: 'View' }).click();
		await canvas.listen();
		await canvas.holdAt(3);
		await photographOutput('output-player', 150);
		await canvas.closeForm();
	});

	test('takes a picture of an error', async () => {
		const baseUrl = `http://localhost:${CLOSED_PORT}`;
		const closed = await editor.createCredential('Closed', { baseUrl, apiKey: 'key' });
		const execution = await firstExecution(editor, await run(chain('Failed', closed, STEPS)));
		assert.equal(execution.status, 'error');
		await canvas.openForm(dataOf(execution).resultData.lastNodeExecuted ?? '');
		await photographOutput('error', 280);
		await canvas.closeForm();
	});
});

/** A field's distance from the edge of the form. */
const MARGIN = 16;

/** Opens the form of a node, and saves a picture of its tabs and fields, without what n8n adds below. */
async function photographForm(picture: string, workflow: NewWorkflow): Promise<void> {
	await page.setViewportSize(TALL);
	await canvas.open(await editor.createWorkflow(workflow));
	await canvas.openForm('Node');
	const fields = await areasOf(canvas.form.getByTestId('parameter-item'));
	assert.ok(fields.length > 0, 'there are fields');
	const tabs = await areasOf(canvas.form.getByTestId('tab-params'));
	const buttons = await areasOf(canvas.form.getByTestId('node-execute-button'));
	const { y, height } = around([...tabs, ...buttons, ...fields], MARGIN);
	const { x, width } = around(await areasOf(canvas.form.getByTestId('node-parameters')), 0);
	// The handle that moves the form hangs into the upper margin.
	const area: Area = { x, y: y + MARGIN - 4, width, height: height - MARGIN + 4 };
	await photograph(page, `forms/${picture}`, area);
}

/** The nodes with a picture of their form, by the picture's name. */
const NODES = {
	'audio-editing': 'audioEditing',
	upload: 'upload',
	'create-edit': 'createEdit',
	'wait-for-edit': 'waitForEdit',
	'get-result': 'getResult',
	account: 'account',
};

describe('forms', { timeout: 590_000 }, () => {
	for (const [picture, type] of Object.entries(NODES)) {
		test(`takes a picture of the form of ${type}`, async () => {
			const nodes = [START, ours(type, { name: 'Node' })];
			await photographForm(picture, chain(picture, credential, nodes));
		});
	}

	test('takes a picture of the form of the trigger', async () => {
		const template = { mode: 'list', value: '1', cachedResultName: 'Weekly show' };
		const parameters = { templateId: { __rl: true, ...template } };
		const trigger = ours('editFinishedTrigger', { name: 'Node', parameters });
		await photographForm('edit-finished-trigger', chain('Trigger', credential, [trigger]));
	});

	test('takes a picture of the form of Create Edit as a tool', async () => {
		const tool = { name: 'Node', type: `${PACKAGE}.createEditTool` };
		await photographForm('create-edit-tool', agentWith(credential, START, { ai_tool: tool }));
	});
});
