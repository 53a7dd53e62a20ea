import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { eventually } from '../test/support/eventually.mts';
import type { Answer } from '../test/support/scriptedService.ts';
import { publishRecording } from './support/audio.mts';
import { startHost } from './support/host.mts';
import { type Link, START, code, createEdit, ours, waitForEdit } from './support/nodes.mts';
import { failureOf, itemsOf, textOf } from './support/outputs.mts';
import type { CredentialReference } from './support/pages/editor.mts';
import { ended } from './support/pickyService.mts';
import { IS_OLDEST, PACKAGE } from './support/places.mts';
import { chain } from './support/workflowFiles.mts';

const NODES = [
	'account',
	'createEdit',
	'delete',
	'editFinishedTrigger',
	'audioEditing',
	'getResult',
	'upload',
	'waitForEdit',
];

/** Each state lasts long enough for a test to stop the execution. */
const SLOW = ['--minimum-state-seconds', '20'];

const { sandbox, editor, credential, counted, scripted } = await startHost('guarantees', {
	flags: SLOW,
});

/** Starts a chain of nodes. @returns the execution's id */
async function start(account: CredentialReference, ...links: Link[]): Promise<string> {
	const workflow = chain('Guarantees', account, [START, ...links]);
	return await editor.run(await editor.createWorkflow(workflow), START.name);
}

/** Runs Create Edit with Retry On Fail for three recordings, of which the service does not take the second at once. */
async function retryThree(secondAnswer: Answer) {
	const moody = await scripted((_request, number) =>
		number === 2 ? secondAnswer : { body: { id: `edit-${number}` } },
	);
	const three = `return ['a', 'b', 'c'].map((name) => ({ json: { fileUrl: 'https://x.example/' + name } }));`;
	const create = { ...createEdit(), retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
	const id = await start(moody.credential, code('Three recordings', three), create);
	const execution = await ended(editor, id);
	const submitted = moody.seen.map(({ body }) => /x\.example\/(\w)/.exec(body)?.[1]);
	return { execution, submitted };
}

test('n8n has loaded every node of the package, with its connections', async () => {
	const listed = await editor.nodeTypes();
	const found = listed.filter(({ name }) => NODES.includes(name.replace(`${PACKAGE}.`, '')));
	assert.equal(found.length, NODES.length);
	for (const { name, inputs, outputs } of found) {
		assert.deepEqual(inputs, name.endsWith('Trigger') ? [] : ['main']);
		// An option of these nodes adds an output.
		if (!/\.(createEdit|audioEditing|waitForEdit)$/.test(name)) assert.deepEqual(outputs, ['main']);
	}
});

describe('nothing is charged twice', { concurrency: true }, () => {
	test('Retry On Fail submits only what was not accepted', async () => {
		const { execution, submitted } = await retryThree({ status: 409, body: { detail: 'busy' } });
		const editIds = itemsOf(execution, 'Create Edit').map((item) => textOf(item, 'editId'));
		assert.deepEqual(editIds, ['edit-1', 'edit-3', 'edit-4'], failureOf(execution));
		assert.deepEqual(submitted, ['a', 'b', 'b', 'c']);
	});

	test('what may have been accepted is not resent, not even by Retry On Fail', async () => {
		const { execution, submitted } = await retryThree({ cut: true });
		assert.match(failureOf(execution), /error at Create Edit.*not sent again.*edit-1/s);
		assert.deepEqual(submitted, ['a', 'b']);
	});
});

/** Starts Create Edit and Wait For Edit, and stops them while the edit is polled. */
async function stopped(options = {}) {
	const proxy = await counted();
	const id = await start(
		proxy.credential,
		createEdit({ fileUrls: await publishRecording(sandbox) }),
		waitForEdit({ options: { firstPollDelaySeconds: 5, ...options } }),
	);
	const poll = await eventually('the wait polls the status', () => proxy.paths('GET').at(0));
	await editor.stop(id);
	return { id, poll, proxy };
}

test('a stopped execution ends at once, and deletes its edits if set to', async () => {
	const { poll, proxy } = await stopped({ whenStopped: 'delete' });
	await eventually('the edit is deleted', () => proxy.paths('DELETE').at(0));
	assert.match(poll, /^\/v2\/edits\/[0-9a-f-]{36}$/);
	assert.deepEqual(proxy.paths('DELETE'), [poll]);
	assert.deepEqual(proxy.paths('GET'), [poll], 'it continued polling');
});

test('Upload reports that n8n has no signed links', { skip: !IS_OLDEST }, async () => {
	const file: Link = {
		name: 'File',
		type: 'n8n-nodes-base.convertToFile',
		typeVersion: 1.1,
		parameters: { operation: 'toText', sourceProperty: 'text', options: {} },
	};
	const text = code('Text', `return [{ json: { text: 'RIFF' } }];`);
	const options = { transfer: 'link', contentType: 'audio/wav' };
	const upload = ours('upload', { parameters: { options } });
	const execution = await ended(editor, await start(credential, text, file, upload));
	assert.match(
		failureOf(execution),
		/error at upload.*this version of n8n cannot sign links.*Upload/s,
	);
});

/** All executions that have ended, as n8n's own node lists them with their details. */
async function listExecutions(): Promise<Link> {
	const scopes = ['execution:read', 'execution:list', 'workflow:read', 'workflow:list'];
	const body = { label: 'Open edits', scopes, expiresAt: null };
	const { rawApiKey } = await editor.ask<{ rawApiKey: string }>('POST', '/rest/api-keys', body);
	const data = { apiKey: rawApiKey, baseUrl: `${editor.url}/api/v1` };
	const options = { activeWorkflows: true };
	return {
		name: 'Executions',
		type: 'n8n-nodes-base.n8n',
		typeVersion: 1,
		parameters: { resource: 'execution', operation: 'getAll', returnAll: true, options },
		credentials: { n8nApi: await editor.createCredential('n8n', data, 'n8nApi') },
	};
}

test('Account finds what was charged and not fetched', { skip: IS_OLDEST }, async (t) => {
	const { id, poll, proxy } = await stopped();
	const create = createEdit({ fileUrls: await publishRecording(sandbox) });
	const fails = code('Fails', "throw new Error('on purpose');");
	const failed = await start(proxy.credential, create, fails);
	await ended(editor, failed);
	const account = ours('account', { parameters: { resource: 'edit', operation: 'getOpen' } });
	const looked = await start(proxy.credential, await listExecutions(), account);
	const found = await ended(editor, looked);
	const onlyOpenOf = (executionId: string) => {
		const open = itemsOf(found, 'account').filter(({ json }) => json.executionId === executionId);
		assert.equal(open.length, 1, failureOf(found));
		return open[0];
	};
	await t.test('after Stop', () => {
		assert.equal(poll, `/v2/edits/${textOf(onlyOpenOf(id), 'editId')}`);
	});
	await t.test('after an error', () => {
		assert.equal(textOf(onlyOpenOf(failed), 'node'), 'Create Edit');
	});
});
