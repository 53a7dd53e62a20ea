import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { SPEECH, publishRecording } from './support/audio.mts';
import { openBrowser } from './support/browser.mts';
import { Canvas } from './support/canvas.mts';
import { firstExecution } from './support/form.mts';
import { startHost } from './support/host.mts';
import { itemOf } from './support/outputs.mts';
import { PACKAGE } from './support/places.mts';
import { chain } from './support/workflowFiles.mts';

const { sandbox, service, n8n, editor, credential } = await startHost('browser');
const { page, outside } = await openBrowser(sandbox, n8n.url);
const canvas = new Canvas(page);
const url = await publishRecording(sandbox, SPEECH, 'episode.mp3');

const OUR_NODES = [
	'Audio Editing Upload',
	'Audio Editing Create Edit',
	'Audio Editing Wait For Edit',
	'Audio Editing Get Result',
	'Audio Editing Delete',
	'Audio Editing Account',
	// n8n's panel leaves 'Trigger' out.
	'Audio Editing Edit Finished',
];

/** The chain a person builds, in its order. */
const CHAIN = OUR_NODES.slice(0, 5);

const START = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };

const FETCH = {
	name: 'Fetch the recording',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: { url, options: { response: { response: { responseFormat: 'file' } } } },
};

/** A file name out of a node's name. */
function slug(displayName: string): string {
	return displayName.replace('Audio Editing ', '').toLowerCase().replaceAll(' ', '-');
}

function shortName(displayName: string): string {
	return displayName.replace('Audio Editing ', '');
}

async function showWorkflow(name: string, links: Parameters<typeof chain>[2]): Promise<string> {
	const id = await editor.createWorkflow(chain(name, credential, links));
	await canvas.open(id);
	return id;
}

describe('in the browser', { timeout: 240_000 }, () => {
	test('one search finds all our nodes, in light and dark', async () => {
		await showWorkflow('Search', [START]);
		const found = (await canvas.search('audio edit')).join('\n');
		for (const name of OUR_NODES) assert.ok(found.includes(name), `${name} not in:\n${found}`);
		await canvas.photograph('node-panel');
		const dark = await openBrowser(sandbox, n8n.url, 'dark');
		const darkCanvas = new Canvas(dark.page);
		await darkCanvas.open(await editor.createWorkflow(chain('Dark', credential, [START])));
		await darkCanvas.search('audio edit');
		await darkCanvas.photograph('node-panel-dark');
	});

	test('the chain is built from the panel with nothing typed, and runs', async () => {
		const id = await showWorkflow('By hand', [START, FETCH]);
		for (const name of CHAIN) {
			await canvas.add(name);
			await canvas.photograph(`form-${slug(name)}`, canvas.form);
			await canvas.closeForm();
			await canvas.tidy();
		}
		await canvas.run();
		const execution = await firstExecution(editor, id);
		assert.equal(itemOf(execution, 'Delete').json['deleted'], true);
		await canvas.photograph('canvas');
		for (const name of CHAIN.map(shortName)) {
			await canvas.openForm(name);
			await canvas.photograph(`output-${slug(name)}`, canvas.form);
			await canvas.closeForm();
		}
	});

	test('the forms of the other nodes', async () => {
		for (const type of ['account', 'editFinishedTrigger']) {
			await showWorkflow(type, [{ name: type, type: `${PACKAGE}.${type}` }]);
			await canvas.openForm(type);
			await canvas.photograph(
				`form-${type === 'account' ? type : 'edit-finished-trigger'}`,
				canvas.form,
			);
			await canvas.closeForm();
		}
	});

	test('what goes wrong is shown as a user understands it', async () => {
		const data = { baseUrl: service.url, apiKey: 'wrong' };
		const wrong = await editor.createCredential('Wrong key', data);
		const create = {
			name: 'Create Edit',
			type: `${PACKAGE}.createEdit`,
			parameters: { fileUrls: url },
		};
		const id = await editor.createWorkflow(chain('Wrong key', wrong, [START, create]));
		await canvas.open(id);
		await canvas.run();
		await firstExecution(editor, id);
		await canvas.openForm('Create Edit');
		assert.match(await canvas.form.innerText(), /API key/i);
		await canvas.photograph('wrong-key', canvas.form);
		await canvas.closeForm();
	});

	test("nobody outside is asked but n8n's own pages", () => {
		console.log(`    requests to others: ${[...new Set(outside)].join(', ') || 'none'}`);
	});
});
