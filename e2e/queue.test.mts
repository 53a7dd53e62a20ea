import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';

import { assertEditedTalk, publishRecording } from './support/audio.mts';
import { Editor, type Execution } from './support/pages/editor.mts';
import { createEdit, getResult, waitForEdit, webhook } from './support/nodes.mts';
import { fileOf, itemOf } from './support/outputs.mts';
import { startProxy } from './support/proxy.mts';
import { startQueueMode } from './support/queueMode.mts';
import { installPackage, openSandbox, startService } from './support/sandbox.mts';
import { chain } from './support/workflowFiles.mts';

/** Number of executions that begin at the same moment with one API key. */
const EXECUTIONS = 60;

/** Number of executions that n8n may then give one worker. */
const CONCURRENCY = 40;

const SUBMISSIONS_A_MINUTE = 30;

const STATUS_CALLS_A_MINUTE = 300;

const LOOK_EVERY_MS = 300;

const sandbox = await openSandbox('queue');
await installPackage(sandbox);
const service = await startService(sandbox);
const proxy = await startProxy(sandbox, [service.url]);
const { main, workers } = await startQueueMode(sandbox, 2, CONCURRENCY);
const editor = new Editor(main.url);
await editor.enter();
const data = { baseUrl: proxy.url, apiKey: service.apiKey };
const credential = await editor.createCredential('Local service', data);
const workflowId = await startExecutions();
const executions = await allEnded();

async function startExecutions(): Promise<string> {
	const path = randomUUID();
	const url = await publishRecording(sandbox);
	const steps = [createEdit({ fileUrls: url }), waitForEdit(), getResult()];
	const workflow = chain('Sixty at once', credential, [webhook(path), ...steps]);
	const id = await editor.published(workflow);
	await Promise.all(Array.from({ length: EXECUTIONS }, () => editor.post(path)));
	return id;
}

async function allEnded(): Promise<Execution[]> {
	const ended = await editor.allEnded(workflowId, EXECUTIONS, LOOK_EVERY_MS);
	return await Promise.all(ended.map(async ({ id }) => await editor.execution(id)));
}

function timesOf(method: string, pattern: RegExp, isAccepted: boolean): number[] {
	return proxy.exchanges
		.filter((exchange) => exchange.method === method && pattern.test(exchange.path))
		.filter(({ status }) => status < 300 === isAccepted)
		.map(({ atMs }) => atMs);
}

/** Returns the most of these times, in milliseconds, within any minute. */
function mostInAMinute(times: readonly number[]): number {
	const within = (endMs: number) => times.filter((ms) => ms <= endMs && ms > endMs - 60_000).length;
	return Math.max(0, ...times.map(within));
}

describe(`${EXECUTIONS} executions at once in queue mode, with one API key`, () => {
	test('all succeed, each with its edited file', async () => {
		assert.deepEqual(new Set(executions.map(({ status }) => status)), new Set(['success']));
		for (const execution of executions.slice(0, 5)) {
			const { content } = await fileOf(editor, itemOf(execution, 'Audio Editing Get Result'));
			await assertEditedTalk(content, { isShorter: false });
		}
	});

	test('both workers worked', async () => {
		for (const { log } of workers) {
			const created = (await readFile(log, 'utf8')).match(
				/edit [0-9a-f-]{36}(?: \(.*\))? was created/g,
			);
			console.log(`    ${String(created?.length)} edits were created by ${log}`);
			assert.ok((created?.length ?? 0) >= EXECUTIONS / 5);
		}
	});

	test('no edit was created twice', () => {
		const editIds = executions.map(
			(execution) => itemOf(execution, 'Audio Editing Create Edit').json['editId'],
		);
		assert.equal(new Set(editIds).size, EXECUTIONS);
		assert.equal(timesOf('POST', /^\/v2\/edits/, true).length, EXECUTIONS);
	});

	test('the limits are kept, or a 429 is absorbed', () => {
		const submissions = [/^\/v2\/edits/, 'POST'] as const;
		const looks = [/^\/v2\/edits\//, 'GET'] as const;
		for (const [[pattern, method], limit] of [
			[submissions, SUBMISSIONS_A_MINUTE],
			[looks, STATUS_CALLS_A_MINUTE],
		] as const) {
			const accepted = mostInAMinute(timesOf(method, pattern, true));
			const refused = timesOf(method, pattern, false).length;
			console.log(`    ${method}: at most ${accepted} in a minute, ${refused} refused`);
			// The service counts in its own windows, so two of them may share a minute of ours.
			assert.ok(accepted <= 2 * limit);
		}
		assert.ok(proxy.exchanges.every(({ status }) => status < 300 || status === 429));
	});
});
