/**
 * The README's first episode with the environment of compose.yaml. Both programs run here instead of in
 * containers, under the names that they have there, and the browser is on the host.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { parse } from 'yaml';

import { freePort } from '../test/support/freePort.ts';
import { SPEECH } from './support/audio.mts';
import { bar } from './support/bars.mts';
import { startHost } from './support/host.mts';
import { failureOf, itemOf } from './support/outputs.mts';
import { openBrowser } from './support/pages/browser.mts';
import { Canvas } from './support/pages/canvas.mts';
import { firstExecution } from './support/pages/form.mts';

const NODE = 'Audio Editing';
const KEY = 'e2e-compose-key-0123456789';

interface Compose {
	readonly services: Readonly<Record<string, { environment: Readonly<Record<string, string>> }>>;
}

const text = await readFile(join(import.meta.dirname, '..', 'compose.yaml'), 'utf8');
const ports: Readonly<Record<string, number>> = { 5678: await freePort(), 8787: await freePort() };
const chosen = text
	.replace(/(?<=:\/\/[\w-]+:)\d+/g, (port) => String(ports[port]))
	.replace(/\$\{AUDIO_EDITING_KEY:.*\}/, KEY);
const { services } = parse(chosen) as Compose;

const NODE_OPTIONS = `--require ${join(import.meta.dirname, 'support/containerNames.cjs')}`;
// The service inherits the variables of this process, n8n does not.
Object.assign(process.env, services['audio-editing'].environment, { NODE_OPTIONS });
const host = await startHost('compose', {
	flags: ['--port', String(ports[8787])],
	port: ports[5678],
	env: { ...services['n8n'].environment, NODE_OPTIONS },
});
const { sandbox, service, n8n, editor, imported } = host;
const { page } = await openBrowser(sandbox, `http://localhost:${ports[5678]}`);
const canvas = new Canvas(page);

const STEPS = 6;
let works = 0;

test('every step of the first episode works', async () => {
	const login = { baseUrl: `http://audio-editing:${ports[8787]}`, apiKey: KEY };
	assert.deepEqual([service.url, service.apiKey], [login.baseUrl, KEY]);
	works++;

	const credential = await editor.createCredential('Service', login);
	assert.equal((await editor.testCredential(credential, login)).status, 'OK');
	works++;

	const changes = { [NODE]: { preset: 'fullEdit', alsoReturn: [] } };
	const id = await editor.createWorkflow(await imported('one-node-episode.json', changes));
	works++;

	await canvas.open(id);
	await canvas.openForm(NODE);
	const preset = canvas.form.getByTestId('parameter-input-preset').locator('input').first();
	assert.equal(await preset.inputValue(), 'Full Edit');
	await canvas.closeForm();
	works++;

	const form = await canvas.runWithForm();
	assert.equal(new URL(form.url()).origin, `http://localhost:${ports[5678]}`);
	const file = { name: 'recording.mp3', mimeType: 'audio/mpeg', buffer: SPEECH };
	await form.locator('input[type="file"]').setInputFiles(file);
	await form.locator('button[type="submit"]').click();
	const execution = await firstExecution(editor, id);
	assert.equal(execution.status, 'success', failureOf(execution));
	works++;

	await form.close();
	await canvas.openForm(NODE);
	const output = canvas.form.getByTestId('output-panel');
	await output.getByRole('button', { name: 'Download' }).first().waitFor();
	assert.deepEqual(Object.keys(itemOf(execution, NODE).binary ?? {}), ['data']);
	works++;
});

test('all of them', () => {
	const name = `steps of the first episode that work with compose's environment, of ${STEPS}`;
	bar(name, works, `>= ${STEPS}`, works >= STEPS);
	assert.equal(n8n.port, ports[5678]);
});
