/**
 * A newcomer's first workflow: somewhere a recording comes from, our one node or the single ones, and n8n's own
 * Write File, put together from the panel. Nothing is typed but the names of what comes in and of the file.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { eventually } from '../testkit/time/eventually.mts';
import { TALK_WAV, assertEditedTalk, publishRecording } from './support/audio.mts';
import { startHost } from './support/host.mts';
import type { Link } from './support/nodes.mts';
import { failureOf } from './support/outputs.mts';
import { openBrowser } from './support/pages/browser.mts';
import { Canvas } from './support/pages/canvas.mts';
import { firstExecution, sendForm } from './support/pages/form.mts';
import { chain } from './support/workflowFiles.mts';

const RECORDING = { name: 'episode-12.wav', content: TALK_WAV };
const { sandbox, n8n, editor, credential } = await startHost('first-run');
const { page } = await openBrowser(sandbox, n8n.url);
const canvas = new Canvas(page);

const nodeTypes = await editor.nodeTypes();

/** A node of n8n's own as its panel adds it today. */
function own(type: string, more: Partial<Link> = {}): Link {
	const name = `n8n-nodes-base.${type}`;
	const versions = nodeTypes.filter((node) => node.name === name);
	const newest = versions.map(({ version, defaultVersion }) => defaultVersion ?? version);
	const typeVersion = Math.max(...newest.flat());
	return { name: type, type: name, typeVersion, ...more };
}

const MANUAL = own('manualTrigger');

interface Source {
	readonly what: string;
	readonly nodes: readonly Link[];
	/** Our nodes, as the panel calls them; by default, the one node. */
	readonly ours?: readonly string[];
	/** Sends a recording to a published workflow; without it the workflow is run by hand. */
	readonly send?: () => Promise<unknown>;
}

const files = join(sandbox.home, '.n8n-files');
await mkdir(files, { recursive: true });
await writeFile(join(files, RECORDING.name), TALK_WAV);
const [formId, hookId] = [randomUUID(), randomUUID()];

const SOURCES: readonly Source[] = [
	{
		what: 'form',
		nodes: [
			own('formTrigger', {
				webhookId: formId,
				parameters: {
					formTitle: 'Send a recording',
					formFields: { values: [{ fieldLabel: 'My recording', fieldType: 'file' }] },
				},
			}),
		],
		send: async () => {
			await sendForm(`${n8n.url}/form/${formId}`, [RECORDING]);
		},
	},
	{
		what: 'webhook',
		nodes: [
			own('webhook', { webhookId: hookId, parameters: { path: hookId, httpMethod: 'POST' } }),
		],
		send: async () => {
			const body = new FormData();
			body.set('episode', new Blob([new Uint8Array(TALK_WAV)], { type: 'audio/wav' }), 'e.wav');
			await fetch(`${n8n.url}/webhook/${hookId}`, { method: 'POST', body });
		},
	},
	{
		what: 'file',
		nodes: [
			MANUAL,
			own('readWriteFile', { parameters: { fileSelector: join(files, RECORDING.name) } }),
		],
	},
	{
		what: 'download',
		nodes: [
			MANUAL,
			own('httpRequest', { parameters: { url: await publishRecording(sandbox, TALK_WAV) } }),
		],
		ours: ['Upload', 'Create Edit', 'Wait For Edit', 'Get Result'].map(
			(step) => `Audio Editing ${step}`,
		),
	},
];

/** Puts our nodes and Write File after the source, and starts it. @returns the workflow's ID, and the file it writes */
async function buildAndStart({ what, nodes, ours = ['Audio Editing'], send }: Source) {
	const id = await editor.createWorkflow(chain(what, credential, nodes));
	await canvas.open(id);
	for (const name of ours) {
		await canvas.add(name);
		await canvas.closeForm();
		await canvas.tidy();
	}
	await canvas.add('Read/Write Files from Disk', 'Write File to Disk');
	const path = join(files, `${what}-edited.mp3`);
	await canvas.type('fileName', path);
	await canvas.closeForm();
	await canvas.save();
	await eventually(`${what} is saved`, async () => {
		const { nodes: saved } = await editor.workflow(id);
		return saved.some(({ parameters }) => parameters['fileName'] === path) || undefined;
	});
	if (send === undefined) await canvas.run();
	else {
		await editor.publish(id);
		await send();
	}
	await eventually(`${what} has begun`, async () => (await editor.executionsOf(id)).at(-1));
	return { id, path };
}

test('built by hand from the panel, the first run puts the edited file on the disk', async (t) => {
	const started = new Map<Source, { id: string; path: string }>();
	for (const source of SOURCES) started.set(source, await buildAndStart(source));
	// After all are built: an edit is looked at after half a minute.
	for (const [{ what }, { id, path }] of started) {
		await t.test(`the recording from a ${what}`, async () => {
			const execution = await firstExecution(editor, id);
			assert.equal(execution.status, 'success', failureOf(execution));
			await assertEditedTalk(await readFile(path), { isShorter: false });
		});
	}
});
