/** The pictures of the editor in the other texts: the node panel and outputs. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { SPEECH, publishRecording } from '../support/audio.mts';
import { openBrowser } from '../support/pages/browser.mts';
import { Canvas } from '../support/pages/canvas.mts';
import { firstExecution } from '../support/pages/form.mts';
import { startHost } from '../support/host.mts';
import {
	type Link,
	START,
	createEdit,
	getResult,
	recordingAt,
	waitForEdit,
} from '../support/nodes.mts';
import { dataOf, failureOf } from '../support/outputs.mts';
import { MESSAGES, areasOf, around, photograph } from '../support/pictures/photograph.mts';
import { chain } from '../support/workflowFiles.mts';

// Parked executions sleep long enough for a picture.
const { sandbox, n8n, editor, credential, imported } = await startHost('screens', {
	flags: ['--minimum-state-seconds', '5'],
});
// Low, because what the panels say is in their middle.
const SIZE = { width: 1440, height: 480 };
const { page } = await openBrowser(sandbox, n8n.url, SIZE);
const canvas = new Canvas(page);
const recording = await publishRecording(sandbox, SPEECH, 'episode-12.mp3');
/** Nothing can listen there. */
const CLOSED_PORT = 1;

/** Hides what lies over the panels. */
const HIDDEN = [MESSAGES, '[data-test-id="floating-nodes"]'];

/** Returns the steps from a URL to the edited file. */
const steps = (fileUrls: string): Link[] => [
	START,
	createEdit({ fileUrls, preset: 'fullEdit' }),
	waitForEdit(),
	getResult(),
];

async function run(name: string, links: readonly Link[], login = credential) {
	const id = await editor.createWorkflow(chain(name, login, links));
	await canvas.open(id);
	await canvas.hide(HIDDEN);
	await canvas.run();
	return await firstExecution(editor, id);
}

/** Saves a picture of the upper part of the output panel of an open form. */
async function photographOutput(name: string, height: number): Promise<void> {
	await canvas.widenOutput();
	const panel = around(await areasOf(canvas.form.getByTestId('output-panel')), 0);
	await photograph(page, name, { ...panel, height });
}

describe('the editor', { timeout: 480_000 }, () => {
	test('takes a picture of the node panel', async () => {
		await canvas.open(await editor.createWorkflow(chain('Panel', credential, [START])));
		await page.setViewportSize({ width: 1440, height: 1000 });
		await canvas.search('audio edit');
		const panel = around(await areasOf(page.getByTestId('node-creator')), 0);
		const found = await areasOf(page.getByTestId('item-iterator-item'));
		const { y, height } = around(found, 0);
		await photograph(page, 'node-panel', { ...panel, height: y + height - panel.y + 16 });
		await page.setViewportSize(SIZE);
	});

	test('takes a picture of the player', async () => {
		const execution = await run('Steps', steps(recording));
		assert.equal(execution.status, 'success', failureOf(execution));
		await canvas.openForm('Get Result');
		await canvas.form.getByTestId('output-panel').getByRole('button', { name: 'View' }).click();
		await canvas.listen();
		await canvas.holdAt(3);
		await photographOutput('output-player', 150);
		await canvas.closeForm();
	});

	test('takes a picture of an error', async () => {
		const baseUrl = `http://localhost:${CLOSED_PORT}`;
		const login = await editor.createCredential('Closed', { baseUrl, apiKey: 'key' });
		const execution = await run('Failed', steps(recording), login);
		assert.equal(execution.status, 'error');
		await canvas.openForm(dataOf(execution).resultData.lastNodeExecuted ?? '');
		await photographOutput('error', 280);
		await canvas.closeForm();
	});

	test('takes a picture of a parked execution', async () => {
		const workflow = await imported('push-delivery.json', recordingAt(recording));
		const id = await editor.createWorkflow(workflow);
		await canvas.open(id);
		await canvas.hide(HIDDEN);
		await canvas.run();
		await editor.parked(id);
		await canvas.openForm('Wait For Edit');
		await canvas.form
			.getByText(/^Waiting for/)
			.first()
			.waitFor();
		await photographOutput('parked', 320);
		await firstExecution(editor, id);
	});
});
