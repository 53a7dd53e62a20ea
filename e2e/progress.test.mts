/*
 * What a person sees of a long run, and what remains of it after Stop. The local service takes any number of
 * submissions and works on few of them, so that 300 edits are under way in seconds.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import type { IDataObject } from 'n8n-workflow';

import { shortRecording } from '../testkit/service/recordings.mts';
import { eventually } from '../testkit/time/eventually.mts';
import { publishRecording } from './support/audio.mts';
import { startHost } from './support/host.mts';
import { START, code, createEdit, waitForEdit, webhook } from './support/nodes.mts';
import { openBrowser } from './support/pages/browser.mts';
import { Canvas } from './support/pages/canvas.mts';
import { chain } from './support/workflowFiles.mts';

const EDITS = 300;

const BUSY = [
	'--submissions-per-minute',
	'100000',
	'--status-calls-per-minute',
	'100000',
	'--min-state-seconds',
	'600',
	'--concurrency',
	'1',
	'--max-queued-edits',
	'2000',
];

const host = await startHost('progress', { flags: BUSY });
const { sandbox, service, n8n, editor } = host;
const recording = await publishRecording(sandbox, shortRecording, 'second.wav');

/** Opened before n8n is busy with anything else. */
const { page } = await openBrowser(sandbox, n8n.url);
const canvas = new Canvas(page);

/** Returns the IDs of edits in the lines that have a text. */
function idsIn(lines: readonly string[], text: string | RegExp): Set<string> {
	const isMeant = (line: string) => line.search(text) >= 0;
	const ids = lines
		.filter(isMeant)
		.flatMap((line) => line.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []);
	return new Set(ids);
}

const logLines = async () => (await readFile(n8n.log, 'utf8')).split('\n');

/** Returns the edits that n8n's log names after an execution was stopped, once it does. */
async function goingOn(execution: string): Promise<Set<string>> {
	const said = `\\(execution ${execution}\\) was stopped; these edits keep running`;
	return await eventually(`the log names what continues after ${execution}`, async () => {
		const ids = idsIn(await logLines(), said);
		return ids.size > 0 ? ids : undefined;
	});
}

const recordings = (count: number) => {
	const item = `{ json: { fileUrl: '${recording}' } }`;
	return code('Recordings', `return Array.from({ length: ${count} }, () => (${item}));`);
};

const CREATE = createEdit({ fileUrls: '={{ $json.fileUrl }}' });

test("the browser's console shows the progress of a manual run, and what continues after Stop", async () => {
	// A different base URL has its own rate limit.
	const { credential: standard } = await host.counted();
	const said: string[] = [];
	page.on('console', (message) => said.push(message.text()));
	const links = [START, recordings(40), CREATE, waitForEdit()];
	const id = await editor.createWorkflow(chain('Console', standard, links));
	await canvas.open(id);
	await canvas.run();
	const progress = await eventually('the console shows the progress', () =>
		said.find((line) => /\d+ of 40 edits submitted/.test(line)),
	);
	assert.match(
		progress,
		/30 of 40 edits submitted after \d+ s, about \d+ min left, the next in \d+ s/,
	);
	const [execution] = await editor.executionsOf(id);
	await editor.stop(execution.id);
	assert.equal((await goingOn(execution.id)).size, 30);
	assert.equal(idsIn(said, 'was created').size, 30);
});

test('the log has each of 300 edits submitted in production before Stop', async () => {
	const unlimited = await editor.createCredential('Unlimited', {
		baseUrl: service.url,
		apiKey: service.apiKey,
		plan: 'custom',
		submissionsPerMinute: '2000',
	});
	const path = randomUUID();
	const links = [webhook(path), recordings(EDITS), CREATE, waitForEdit()];
	const id = await editor.published(chain('In the log', unlimited, links));
	const before = host.submitted().length;
	await editor.post(path);
	const { id: execution } = await eventually('the execution was started', async () =>
		(await editor.executionsOf(id)).at(-1),
	);
	const createdEdits = async () =>
		idsIn(await logLines(), `was created in execution ${execution}$`);
	await eventually('all edits are submitted, and the wait has logged its progress', async () => {
		const isWaiting = (line: string) => line.includes(`Wait For Edit (execution ${execution}): `);
		const hasAll = (await createdEdits()).size === EDITS;
		return (hasAll && (await logLines()).some(isWaiting)) || undefined;
	});
	await editor.stop(execution);
	const accepted = new Set(host.submitted().slice(before));
	assert.equal(accepted.size, EDITS);
	assert.deepEqual(await createdEdits(), accepted);
	assert.deepEqual(await goingOn(execution), accepted);
	const pointer = await eventually('n8n has saved the custom data', async () => {
		const { customData } = (await editor.execution(execution)) as { customData?: IDataObject };
		const value = customData?.['audioEditingEdits'];
		return typeof value === 'string' ? value : undefined;
	});
	assert.match(pointer, /^300 edits: ([0-9a-f-]{36}, ){6}…$/);
});
