/** The pictures of docs/recipes: every example workflow on n8n's canvas. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';

import { openBrowser } from '../support/pages/browser.mts';
import { Canvas } from '../support/pages/canvas.mts';
import { startHost } from '../support/host.mts';
import { PACKAGE, ROOT } from '../support/places.mts';
import { areasOf, around, photograph } from '../support/pictures/photograph.mts';
import { inRows } from '../support/pictures/rows.mts';

const { sandbox, n8n, editor, imported } = await startHost('recipes');

/** The width of n8n's sidebar. */
const SIDEBAR = 42;

const WIDTH = 1100;

// Tall, so that the width decides how large n8n draws the nodes.
const size = { width: WIDTH + SIDEBAR, height: 1500, density: 1.5 };
const { page } = await openBrowser(sandbox, n8n.url, size);
const canvas = new Canvas(page);

const FILES = (await readdir(join(ROOT, 'workflows'))).filter((name) => name.endsWith('.json'));

/** Hides the plus signs, and the warnings of nodes of other services, which lack their credentials. */
const HIDDEN = ['[data-test-id="canvas-handle-plus-wrapper"]', '[data-test-id="node-issues"]'];

/** The height of a node's name and subtitle, which n8n draws under the node. */
const NAME_HEIGHT = 60;

describe('the recipes', { timeout: 590_000 }, () => {
	for (const file of FILES) {
		test(`takes a picture of ${file}`, async () => {
			const workflow = inRows(await imported(file));
			await canvas.open(await editor.createWorkflow(workflow));
			for (const { name, type } of workflow.nodes) {
				const issues = canvas.node(name).getByTestId('node-issues');
				if (type.startsWith(`${PACKAGE}.`)) assert.equal(await issues.count(), 0, name);
			}
			await canvas.hide(HIDDEN);
			const nodes = page.getByTestId('canvas-node');
			assert.equal(await nodes.count(), workflow.nodes.length);
			const drawn = [...(await areasOf(nodes)), ...(await areasOf(page.getByTestId('edge')))];
			const { y, height } = around(drawn, 30);
			const clip = { x: SIDEBAR, y, width: WIDTH, height: height + NAME_HEIGHT };
			await photograph(page, `recipes/${basename(file, '.json')}`, clip);
		});
	}
});
