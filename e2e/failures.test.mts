/** How n8n treats failed items, how fast a hopeless batch ends, and what a retry repeats. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { INodeExecutionData } from 'n8n-workflow';

import { freePort } from '../test/support/freePort.ts';
import { bar } from './support/bars.mts';
import { startHost } from './support/host.mts';
import { type Link, START } from './support/nodes.mts';
import { failureOf, itemsOf, textOf } from './support/outputs.mts';
import type { CredentialReference, NewWorkflow } from './support/pages/editor.mts';
import {
	ended,
	fileNamedIn,
	isAboutBad,
	quick,
	ranTo,
	recordings,
	startPicky,
} from './support/pickyService.mts';
import { chain } from './support/workflowFiles.mts';

const host = await startHost('failures');
const { service, editor } = host;

async function run(credential: CredentialReference, ...links: Link[]) {
	const workflow = chain('Failures', credential, [START, ...links]);
	return (await ranTo(editor, workflow)).execution;
}

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };

/** Runs one node with the error output, for items with these names. */
async function runOne(type: string, names: readonly string[]) {
	const { credential, seen } = await startPicky(host);
	const node = quick(type, { onError: 'continueErrorOutput', ...RETRY });
	const execution = await run(credential, recordings(names), node);
	return { execution, askedOfBad: seen.filter(isAboutBad).length };
}

const TYPES = ['upload', 'createEdit', 'waitForEdit', 'getResult', 'delete'];

const ORDERS = [
	['bad', 'good'],
	['good', 'bad'],
];

function failureIn({ json }: INodeExecutionData): { message: string; description: string } {
	const told = json['failure'] as { message?: string; description?: string } | undefined;
	return { message: told?.message ?? '', description: told?.description ?? '' };
}

const EDIT_ID = 'edit-bad';

/** Whether an item of the error output names its file, its edit and the advice. */
function isComplete(type: string, item: INodeExecutionData): boolean {
	const { json } = item;
	const { message, description } = failureIn(item);
	const hasEdit = !['upload', 'createEdit'].includes(type);
	const isNamed = json['name'] === 'bad' && json['sourceFileName'] === 'bad.wav';
	const isTold = message.includes('bad.wav') && (!hasEdit || message.includes(EDIT_ID));
	return isNamed && isTold && json['editId'] === EDIT_ID && description.length > 30;
}

describe('a failed item', () => {
	test('keeps its fields, its edit and the advice on the error output', async () => {
		const seen: boolean[] = [];
		for (const type of TYPES) {
			for (const names of ORDERS) {
				const { execution, askedOfBad } = await runOne(type, names);
				const failed = itemsOf(execution, type, 1);
				assert.equal(failed.length, 1, failureOf(execution));
				assert.equal(itemsOf(execution, type).length, 1);
				assert.equal(askedOfBad, 1, `${type} ran again`);
				assert.deepEqual(failed[0]?.pairedItem, { item: names.indexOf('bad') });
				assert.equal(failed[0].json['error'], undefined);
				const isGood = isComplete(type, failed[0]);
				if (!isGood) console.log(type, names, JSON.stringify(failed[0]));
				seen.push(isGood);
			}
		}
		const good = seen.filter(Boolean).length;
		bar(
			'error-output items that carry source file, edit id and advice',
			`${good} of ${seen.length}`,
			'all',
			good === seen.length && seen.length === TYPES.length * ORDERS.length,
		);
	});

	test('keeps its fields after a pinned node and out of a sub-workflow', async () => {
		const { credential } = await startPicky(host);
		const failing = quick('getResult', { onError: 'continueErrorOutput' });
		const after = { name: 'After', type: 'n8n-nodes-base.noOp' };
		const called = { name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger' };
		const sub = chain('Sub', credential, [called, failing, after]);
		const main = [[], [{ node: 'After', type: 'main' as const, index: 0 }]];
		const connections = { ...sub.connections, getResult: { main } };
		const workflowId = await editor.createWorkflow({ ...sub, connections });
		const call: Link = {
			name: 'Call',
			type: 'n8n-nodes-base.executeWorkflow',
			parameters: { workflowId, options: {} },
		};
		const json = { editId: EDIT_ID, name: 'bad', sourceFileName: 'bad.wav' };
		const pinData = { Recordings: [{ json }] };
		for (const last of [failing, call]) {
			const whole = chain('Pinned', credential, [START, recordings(['good']), last]);
			const { execution } = await ranTo(editor, { ...whole, pinData } as NewWorkflow);
			const items = itemsOf(execution, last.name, last === failing ? 1 : 0);
			assert.equal(items.length, 1, failureOf(execution));
			assert.ok(isComplete('getResult', items[0] ?? { json: {} }), JSON.stringify(items));
		}
	});
});

/** Runs items with Upload and Create Edit, and with Create Edit alone. @returns the longer time */
async function secondsUntilFailed(
	names: readonly string[],
	data: { baseUrl: string; apiKey: string },
	message: RegExp,
): Promise<number> {
	const credential = await editor.createCredential('Hopeless', data);
	const onError = 'continueRegularOutput';
	const create = quick('createEdit', { onError });
	const times: number[] = [];
	for (const links of [[quick('upload', { onError }), create], [create]]) {
		const startedAtMs = performance.now();
		const execution = await run(credential, recordings(names), ...links);
		times.push((performance.now() - startedAtMs) / 1_000);
		const failed = itemsOf(execution, 'createEdit');
		assert.equal(failed.length, names.length, failureOf(execution));
		for (const item of failed) assert.match(textOf(item, 'error'), message);
	}
	console.log(
		`Upload and Create Edit, Create Edit alone: ${times.map((s) => s.toFixed(1)).join(' s, ')} s`,
	);
	return Math.max(...times);
}

const named = (count: number) => Array.from({ length: count }, (_entry, index) => `take${index}`);

describe('a hopeless batch ends soon', () => {
	test('with a wrong key', async () => {
		const data = { baseUrl: service.url, apiKey: 'wrong-key-0123456789' };
		const seconds = await secondsUntilFailed(named(40), data, /API key was not accepted/);
		bar('wrong key with 40 items, seconds', seconds.toFixed(1), '<= 10', seconds <= 10);
	});

	test('with the service down', async () => {
		const data = { baseUrl: `http://127.0.0.1:${await freePort()}`, apiKey: 'any-key-0123456789' };
		const seconds = await secondsUntilFailed(named(10), data, /could not be reached/);
		bar('service down with 10 items, seconds', seconds.toFixed(1), '<= 15', seconds <= 15);
	});
});

test("n8n's retry, with another On Error, charges no edit twice and creates the missing ones", async () => {
	const { credential, seen } = await startPicky(host);
	const links = [START, recordings(['first', 'bad', 'last']), quick('createEdit')];
	const workflow = chain('To retry', credential, links);
	const { id, execution: failed } = await ranTo(editor, workflow);
	assert.match(failureOf(failed), /error at .*bad\.wav.*Continue \(using error output\)/s);
	const nodes = workflow.nodes.map((node) =>
		node.name === 'createEdit' ? { ...node, onError: 'continueErrorOutput' as const } : node,
	);
	await editor.change(id, { ...workflow, nodes });
	await editor.ask('POST', `/rest/executions/${failed.id}/retry`, { loadWorkflow: true });
	// n8n 1.x does not name the new execution.
	const [newest] = await editor.executionsOf(id);
	assert.notEqual(newest.id, failed.id, 'it was not retried');
	const execution = await ended(editor, newest.id);
	const editIds = itemsOf(execution, 'createEdit').map((item) => textOf(item, 'editId'));
	assert.deepEqual(editIds, ['edit-of-first', 'edit-of-last'], failureOf(execution));
	assert.equal(itemsOf(execution, 'createEdit', 1).length, 1);
	const submitted = seen.map(({ body }) => fileNamedIn(body));
	assert.deepEqual(submitted, ['first', 'bad', 'bad', 'last']);
});
