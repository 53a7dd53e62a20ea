import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { reply, startOutsideServer } from '../test/service/support/servers.mts';
import { agentWith } from './support/agentWorkflow.mts';
import { bar } from './support/bars.mts';
import { type OpenPage, openBrowser } from './support/pages/browser.mts';
import { Canvas } from './support/pages/canvas.mts';
import type { CredentialData } from './support/pages/editor.mts';
import { startHost } from './support/host.mts';
import { START, createEdit, ours } from './support/nodes.mts';
import { IS_OLDEST, PACKAGE } from './support/places.mts';
import { chain } from './support/workflowFiles.mts';
import { CLEAN_AND_DELETE, SEARCH_WORDS } from './support/searchWords.mts';

const { sandbox, service, n8n, editor, credential } = await startHost('editor');
const opened = IS_OLDEST ? undefined : await openBrowser(sandbox, n8n.url);

describe("n8n's own credential test", () => {
	const good = { baseUrl: service.url, apiKey: service.apiKey };
	const elsewhere = (body: string) => ({ body, says: /is not the audio editing service. Check/ });
	/** Addresses and keys, or what answers at the address, and what n8n says. */
	const CASES: Readonly<Record<string, Partial<CredentialData> & { body?: string; says: RegExp }>> =
		{
			'a wrong key': { ...good, apiKey: 'wrong', says: /key/i },
			'an address where nothing answers': { baseUrl: 'http://127.0.0.1:9', says: /./ },
			"n8n's own address": { baseUrl: n8n.url, says: /./ },
			'a web page': elsewhere('<!doctype html><title>Welcome</title>'),
			'a list': elsewhere('[1]'),
			// n8n reads the first item of the response without checking that there is one.
			'an empty list': { body: '[]', says: /./ },
			null: elsewhere('null'),
			nothing: elsewhere(''),
			'a different object': elsewhere('{"status":"ok"}'),
		};
	for (const [what, { body = '', says, baseUrl, apiKey = 'any' }] of Object.entries(CASES)) {
		test(`refuses ${what}`, async () => {
			await using other = await startOutsideServer((_visit, response) => {
				reply(response, 200, body);
			});
			const data = { baseUrl: baseUrl ?? other.url, apiKey };
			const { status, message } = await editor
				.testCredential(await editor.createCredential('Tested', data), data)
				.catch((error: unknown) => ({ status: 'Error', message: String(error) }));
			assert.equal(status, 'Error', message);
			assert.match(message, says);
		});
	}

	test('accepts an account', async () => {
		assert.equal((await editor.testCredential(credential, good)).status, 'OK');
	});
});

/** Returns the names that the panel shows for a word, best first. A description follows each name. */
async function namesFor(canvas: Canvas, word: string): Promise<string[]> {
	const found = await canvas.search(word);
	return found.map((text) => text.split('\n', 1)[0] ?? '');
}

function testSearch({ page }: OpenPage): void {
	const canvas = new Canvas(page);
	const openPanel = async () => {
		await canvas.open(await editor.createWorkflow(chain('Search', credential, [START])));
	};
	test('the words that people type find the right node', async () => {
		await openPanel();
		const missed: string[] = [];
		for (const [word, rightNodes] of Object.entries(SEARCH_WORDS)) {
			const names = await namesFor(canvas, word);
			const ours = names.filter((name) => name.startsWith('Audio Editing'));
			const isRight = (name: string) => rightNodes.includes(name);
			if (!ours.slice(0, 2).some(isRight)) missed.push(word);
		}
		const words = Object.keys(SEARCH_WORDS).length;
		bar(
			'search words whose first two nodes of ours include the right one',
			`${words - missed.length} of ${words}`,
			`>= ${words}; missed: ${missed.join(', ') || 'none'}`,
			missed.length === 0,
		);
	});

	test('clean and delete each put the right node first', async () => {
		await openPanel();
		for (const [word, rightNode] of Object.entries(CLEAN_AND_DELETE)) {
			assert.equal((await namesFor(canvas, word))[0], rightNode, word);
		}
	});
}

function testTools({ page }: OpenPage): void {
	const canvas = new Canvas(page);
	const textOfTool = async (name: string, type: string, parameters = {}) => {
		const tool = { name, type: `${PACKAGE}.${type}`, parameters };
		const workflow = agentWith(credential, START, { ai_tool: tool });
		await canvas.open(await editor.createWorkflow(workflow));
		await canvas.openForm(name);
		return await canvas.form.innerText();
	};

	test('the one node as a tool asks for a URL, and shows what the model reads about it', async () => {
		const text = await textOfTool('Audio Editing', 'audioEditingTool');
		assert.match(text, /File URLs\s+Defined automatically by the model/);
		assert.doesNotMatch(text, /Recording From|Input Data Field Name/);
		const forModel = await canvas.form.locator('textarea').first().inputValue();
		assert.match(forModel, /Each new edit is charged/);
		await canvas.closeForm();
	});

	test('a tool chooses the fields that the model reads, and has no Simplify', async () => {
		const text = await textOfTool('Get Result', 'getResultTool', { output: 'selected' });
		assert.match(text, /^Output$[^]*^Fields to Include$/m);
		assert.doesNotMatch(text, /^Simplify$/m);
		await canvas.closeForm();
	});
}

function testForms({ page }: OpenPage): void {
	const canvas = new Canvas(page);
	test('Audio Editing opens with few controls, and one empty group', async () => {
		const node = ours('audioEditing', { name: 'Audio Editing' });
		await canvas.open(await editor.createWorkflow(chain('As it opens', credential, [START, node])));
		await canvas.openForm('Audio Editing');
		// The tab Settings has fields of n8n's own, which are there, but hidden.
		const fields = await canvas.form.locator('[data-test-id="parameter-item"]:visible').count();
		assert.ok(fields > 0, 'there are fields');
		const text = await canvas.form.innerText();
		const groups = text.match(/^No properties$/gm)?.length ?? 0;
		// The one for the credential is no parameter.
		const controls = fields + groups + 1;
		bar('controls in Audio Editing as it opens', controls, '<= 8', controls <= 8);
		bar('empty groups in Audio Editing as it opens', groups, '<= 1', groups <= 1);
		assert.match(text, /^Options$/m);
		await canvas.closeForm();
	});

	test('noise reduction hides what it cannot do, and a delivery warns of Execute step', async () => {
		const options = { jobType: 'noise', deliverHere: true, fillers: true };
		const edit = createEdit({ preset: 'fullEdit', options });
		await canvas.open(await editor.createWorkflow(chain('Noise', credential, [START, edit])));
		assert.match(await canvas.node('Create Edit').innerText(), /Noise Reduction/);
		await canvas.openForm('Create Edit');
		const text = await canvas.form.innerText();
		assert.match(text, /^Job Type$/m);
		assert.doesNotMatch(text, /^(Preset|Fillers)$/m);
		assert.match(text, /nothing receives the file/);
		await canvas.closeForm();
	});
}

if (opened !== undefined) {
	describe('in the browser', () => {
		testSearch(opened);
		testTools(opened);
		testForms(opened);
	});
}
