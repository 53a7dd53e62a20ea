import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { reply, startOutsideServer } from '../testkit/service/servers.mts';
import { eventually } from '../testkit/time/eventually.mts';
import { publishRecording } from './support/audio.mts';
import { startHost } from './support/host.mts';
import { type Link, START, code, createEdit, ours, waitForEdit } from './support/nodes.mts';
import { failureOf, itemsOf, textOf } from './support/outputs.mts';
import type { CredentialData, CredentialReference } from './support/pages/editor.mts';
import { PACKAGE } from './support/places.mts';
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
const SLOW = ['--min-state-seconds', '20'];

const { sandbox, service, n8n, editor, credential, counted, scripted } = await startHost(
	'guarantees',
	{ flags: SLOW },
);

/** Starts a chain of nodes. @returns the execution's id */
async function start(account: CredentialReference, ...links: Link[]): Promise<string> {
	return await editor.started(chain('Guarantees', account, [START, ...links]));
}

test('n8n has loaded every node of the package, with its connections', async () => {
	const listed = await editor.nodeTypes();
	const found = listed.filter(({ name }) => NODES.includes(name.replace(`${PACKAGE}.`, '')));
	assert.equal(found.length, NODES.length);
	for (const { name, inputs } of found)
		assert.deepEqual(inputs, name.endsWith('Trigger') ? [] : ['main']);
});

describe("n8n's own credential test", () => {
	const good = { baseUrl: service.url, apiKey: service.apiKey };
	const says =
		/^There is no audio editing service at http.* Enter the root URL of the service's API/;
	const elsewhere = (body: string) => ({ body, says });
	/** Addresses and keys, or what answers at the address, and what n8n says. */
	const CASES: Readonly<Record<string, Partial<CredentialData> & { body?: string; says: RegExp }>> =
		{
			'a wrong key': { ...good, apiKey: 'wrong', says: /key/i },
			'an address where nothing answers': { baseUrl: 'http://127.0.0.1:9', says: /./ },
			"n8n's own address": { baseUrl: n8n.url, says: /./ },
			'a web page': elsewhere('<!doctype html><title>Welcome</title>'),
			'a list': elsewhere('[1]'),
			'an empty list': elsewhere('[]'),
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

test('Retry On Fail resends what was refused, and never what may have been accepted', async () => {
	// The second submission is refused; nobody knows what became of the fourth.
	const moody = await scripted((_request, number) => {
		if (number === 2) return { status: 409, body: { detail: 'busy' } };
		return number === 4 ? { cut: true } : { body: { id: `edit-${number}` } };
	});
	const three = `return ['a', 'b', 'c'].map((name) => ({ json: { fileUrl: 'https://x.example/' + name } }));`;
	const create = { ...createEdit(), retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
	const id = await start(moody.credential, code('Three recordings', three), create);
	const execution = await editor.reached(id);
	const submitted = moody.seen.map(({ body }) => /x\.example\/(\w)/.exec(body)?.[1]);
	assert.deepEqual(submitted, ['a', 'b', 'b', 'c']);
	assert.match(
		failureOf(execution),
		/error at Audio Editing Create Edit.*not sent again.*edit-1 \('a'\), edit-3 \('b'\)/s,
	);
});

/** Starts Create Edit and Wait For Edit, and stops them while the edit is polled. */
async function stopped(costAndSafety = {}) {
	const proxy = await counted();
	const id = await start(
		proxy.credential,
		createEdit({ fileUrls: await publishRecording(sandbox) }),
		waitForEdit({ costAndSafety, advanced: { firstPollDelaySeconds: 5 } }),
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

test('Account finds what was charged and not fetched, after Stop', async () => {
	const { id, poll, proxy } = await stopped();
	const account = ours('account', { parameters: { resource: 'edit', operation: 'getOpen' } });
	const looked = await start(proxy.credential, await listExecutions(), account);
	const found = await editor.reached(looked);
	const open = itemsOf(found, 'account').filter(({ json }) => json.executionId === id);
	const paths = open.map((item) => `/v2/edits/${textOf(item, 'editId')}`);
	assert.deepEqual(paths, [poll], failureOf(found));
});
