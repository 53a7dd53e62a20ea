/** The pictures of docs/nodes.md and docs/agents.md: the forms of the nodes as they open. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { INodeParameters } from 'n8n-workflow';

import { agentWith } from '../support/agentWorkflow.mts';
import { openBrowser } from '../support/pages/browser.mts';
import { Canvas } from '../support/pages/canvas.mts';
import { startHost } from '../support/host.mts';
import { PACKAGE } from '../support/places.mts';
import { START } from '../support/nodes.mts';
import { type Area, areasOf, around, photograph } from '../support/pictures/photograph.mts';
import { chain } from '../support/workflowFiles.mts';

const { sandbox, n8n, editor, credential } = await startHost('forms');
// Tall enough for the longest form.
const { page } = await openBrowser(sandbox, n8n.url, { width: 1440, height: 2600 });
const canvas = new Canvas(page);

/** The nodes with a picture of their form, by the picture's name. */
const NODES = {
	'audio-editing': 'audioEditing',
	upload: 'upload',
	'create-edit': 'createEdit',
	'wait-for-edit': 'waitForEdit',
	'get-result': 'getResult',
	account: 'account',
	'edit-finished-trigger': 'editFinishedTrigger',
};

/** A field's distance from the edge of the form. */
const MARGIN = 16;

const types = await editor.nodeTypes();

/** What a form needs to show no warning. */
const FILLED: Readonly<Record<string, INodeParameters>> = {
	editFinishedTrigger: {
		configurationId: { __rl: true, mode: 'list', value: '1', cachedResultName: 'Weekly show' },
	},
};

/** Returns a node as the panel adds it. */
function fresh(type: string) {
	const fullName = `${PACKAGE}.${type}`;
	const typeVersion = Number(types.find(({ name }) => name === fullName)?.version);
	return { name: 'Node', type: fullName, typeVersion, parameters: FILLED[type] ?? {} };
}

/** Returns the area of the open form: its tabs and all its fields, without what n8n adds below. */
async function formArea(): Promise<Area> {
	const fields = await areasOf(canvas.form.getByTestId('parameter-item'));
	assert.ok(fields.length > 0, 'there are fields');
	const tabs = await areasOf(canvas.form.getByTestId('tab-params'));
	const buttons = await areasOf(canvas.form.getByTestId('node-execute-button'));
	const { y, height } = around([...tabs, ...buttons, ...fields], MARGIN);
	const { x, width } = around(await areasOf(canvas.form.getByTestId('node-parameters')), 0);
	// The handle that moves the form hangs into the upper margin.
	return { x, y: y + MARGIN - 4, width, height: height - MARGIN + 4 };
}

describe('the forms', { timeout: 590_000 }, () => {
	for (const [picture, type] of Object.entries(NODES)) {
		test(`takes a picture of the form of ${type}`, async () => {
			const isTrigger = type.endsWith('Trigger');
			const nodes = isTrigger ? [fresh(type)] : [START, fresh(type)];
			await canvas.open(await editor.createWorkflow(chain(picture, credential, nodes)));
			await canvas.openForm('Node');
			await photograph(page, `forms/${picture}`, await formArea());
		});
	}

	test('takes a picture of the form of Create Edit as a tool', async () => {
		const tool = fresh('createEditTool');
		await canvas.open(await editor.createWorkflow(agentWith(credential, START, { ai_tool: tool })));
		await canvas.openForm('Node');
		await photograph(page, 'forms/create-edit-tool', await formArea());
	});
});
