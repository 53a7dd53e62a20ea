import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { INode } from 'n8n-workflow';

import { type Answer, startScriptedService } from '../test/support/scriptedService.ts';
import { publishRecording } from './support/audio.mts';
import { startCountingProxy } from './support/countingProxy.mts';
import type { CredentialReference } from './support/pages/editor.mts';
import { startHost } from './support/host.mts';
import { failureOf, itemsOf, textOf } from './support/outputs.mts';
import { eventually } from '../test/support/eventually.mts';
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

const { sandbox, service, editor } = await startHost('guarantees', { flags: SLOW });

const START = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };

type Link = Parameters<typeof chain>[2][number];

const ours = (name: string, type: string, parameters: INode['parameters'] = {}): Link => ({
	name,
	type: `${PACKAGE}.${type}`,
	typeVersion: type === 'waitForEdit' ? 2 : 1,
	parameters,
});

/** Starts a chain of nodes. @returns the execution's id */
async function start(credential: CredentialReference, ...links: Link[]): Promise<string> {
	const workflow = chain('Guarantees', credential, [START, ...links]);
	return await editor.run(await editor.createWorkflow(workflow), START.name);
}

/** Starts a service that accepts every edit except the second submission, with a credential for it. */
async function startMoody(secondAnswer: Answer) {
	const moody = await startScriptedService((_request, number) =>
		number === 2 ? secondAnswer : { body: { id: `edit-${number}` } },
	);
	sandbox.onEnd(async () => {
		await moody.stop();
	});
	const { url: baseUrl, apiKey } = moody;
	const credential = await editor.createCredential('Moody', { baseUrl, apiKey });
	const submitted = () =>
		moody.seen.map(({ body }) => (JSON.parse(body) as { input: { files: string[] } }).input.files);
	return { credential, submitted };
}

const recording = (name: string) => `https://files.example.com/${name}.wav`;

/** Three items, each with the URL of a recording. */
const THREE_ITEMS: Link = {
	name: 'Three recordings',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: {
		jsCode: `return ['a', 'b', 'c'].map((name) => ({ json: { fileUrl: 'https://files.example.com/' + name + '.wav' } }));`,
	},
};

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
		const { credential, submitted } = await startMoody({ status: 409, body: { detail: 'busy' } });
		const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		const create = { ...ours('Create Edit', 'createEdit'), ...retry };
		const execution = await ended(editor, await start(credential, THREE_ITEMS, create));
		const editIds = itemsOf(execution, 'Create Edit').map((item) => textOf(item, 'editId'));
		assert.deepEqual(editIds, ['edit-1', 'edit-3', 'edit-4'], failureOf(execution));
		assert.deepEqual(
			submitted(),
			['a', 'b', 'b', 'c'].map((name) => [recording(name)]),
		);
	});

	test('what may have been accepted is not resent, not even by Retry On Fail', async () => {
		const { credential, submitted } = await startMoody({ cut: true });
		const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		const create = { ...ours('Create Edit', 'createEdit'), ...retry };
		const execution = await ended(editor, await start(credential, THREE_ITEMS, create));
		assert.match(failureOf(execution), /error at Create Edit.*not sent again.*edit-1/s);
		assert.deepEqual(
			submitted(),
			['a', 'b'].map((name) => [recording(name)]),
		);
	});

	test('a refused item leaves by the error output while other items continue', async () => {
		const { credential, submitted } = await startMoody({ status: 409, body: { detail: 'busy' } });
		const create = {
			...ours('Create Edit', 'createEdit'),
			onError: 'continueErrorOutput',
		} as const;
		const execution = await ended(editor, await start(credential, THREE_ITEMS, create));
		const editIds = itemsOf(execution, 'Create Edit').map((item) => textOf(item, 'editId'));
		assert.deepEqual(editIds, ['edit-1', 'edit-3'], failureOf(execution));
		assert.equal(itemsOf(execution, 'Create Edit', 1).length, 1);
		assert.equal(submitted().length, 3);
	});
});

test('a stopped execution ends at once, and deletes its edits if set to', async () => {
	const proxy = await startCountingProxy(sandbox, service.url);
	const data = { baseUrl: proxy.url, apiKey: service.apiKey };
	const credential = await editor.createCredential('Counted', data);
	const options = { firstPollDelaySeconds: 5, whenStopped: 'delete' };
	const id = await start(
		credential,
		ours('Create Edit', 'createEdit', { fileUrls: await publishRecording(sandbox) }),
		ours('Wait For Edit', 'waitForEdit', { options }),
	);
	const sent = (method: string) =>
		proxy.exchanges.filter((exchange) => exchange.method === method).map(({ path }) => path);
	const [look = ''] = await eventually('the wait polls the status', async () =>
		Promise.resolve(sent('GET').length > 0 ? sent('GET') : undefined),
	);
	await editor.ask('POST', `/rest/executions/${id}/stop`);
	assert.equal((await editor.reached(id)).status, 'canceled');
	const deletions = await eventually('the edit is deleted', async () =>
		Promise.resolve(sent('DELETE').length > 0 ? sent('DELETE') : undefined),
	);
	assert.match(look, /^\/v2\/edits\/[0-9a-f-]{36}$/);
	assert.deepEqual(deletions, [look]);
	assert.deepEqual(sent('GET'), [look], 'it continued polling');
});

test('Upload reports that n8n has no signed links', { skip: !IS_OLDEST }, async () => {
	const { url: baseUrl, apiKey } = service;
	const credential = await editor.createCredential('Direct', { baseUrl, apiKey });
	const file: Link = {
		name: 'File',
		type: 'n8n-nodes-base.convertToFile',
		typeVersion: 1.1,
		parameters: { operation: 'toText', sourceProperty: 'text', options: {} },
	};
	const text: Link = {
		name: 'Text',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode: `return [{ json: { text: 'RIFF' } }];` },
	};
	const upload = ours('Upload', 'upload', {
		options: { transfer: 'link', contentType: 'audio/wav' },
	});
	const execution = await ended(editor, await start(credential, text, file, upload));
	assert.match(
		failureOf(execution),
		/error at Upload.*this version of n8n cannot sign links.*Upload/s,
	);
});

/** Creates a key for n8n's own API. */
async function createApiKey(): Promise<string> {
	const scopes = ['execution:read', 'execution:list', 'workflow:read', 'workflow:list'];
	const body = { label: 'Open edits', scopes, expiresAt: null };
	const { rawApiKey } = await editor.ask<{ rawApiKey: string }>('POST', '/rest/api-keys', body);
	return rawApiKey;
}

/** All executions that have ended, as n8n's own node lists them with their details. */
async function listExecutions(): Promise<Link> {
	const data = { apiKey: await createApiKey(), baseUrl: `${editor.url}/api/v1` };
	const n8nApi = await editor.createCredential('n8n', data, 'n8nApi');
	return {
		name: 'Executions',
		type: 'n8n-nodes-base.n8n',
		typeVersion: 1,
		parameters: {
			resource: 'execution',
			operation: 'getAll',
			returnAll: true,
			options: { activeWorkflows: true },
		},
		credentials: { n8nApi },
	};
}

/** Fails an execution after Create Edit, whose edit then is charged and not fetched. */
const FAILS: Link = {
	name: 'Fails',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: { jsCode: "throw new Error('on purpose');" },
};

test('Account finds what was charged and not fetched', { skip: IS_OLDEST }, async (t) => {
	const proxy = await startCountingProxy(sandbox, service.url);
	const data = { baseUrl: proxy.url, apiKey: service.apiKey };
	const credential = await editor.createCredential('Open', data);
	const fileUrls = await publishRecording(sandbox);
	const create = ours('Create Edit', 'createEdit', { fileUrls });
	const options = { firstPollDelaySeconds: 5 };
	const wait = ours('Wait For Edit', 'waitForEdit', { options });
	const stopped = await start(credential, create, wait);
	const look = await eventually('the wait polls the status', async () =>
		Promise.resolve(proxy.exchanges.find(({ method }) => method === 'GET')),
	);
	await editor.ask('POST', `/rest/executions/${stopped}/stop`);
	assert.equal((await editor.reached(stopped)).status, 'canceled');
	const failed = await start(credential, create, FAILS);
	await ended(editor, failed);
	const account = ours('Account', 'account', { resource: 'edit', operation: 'getOpen' });
	const found = await ended(editor, await start(credential, await listExecutions(), account));
	const openOf = (id: string) =>
		itemsOf(found, 'Account').filter(({ json }) => json.executionId === id);
	await t.test('after Stop', () => {
		const [edit, ...others] = openOf(stopped);
		assert.equal(look.path, `/v2/edits/${textOf(edit, 'editId')}`, failureOf(found));
		assert.equal(others.length, 0);
	});
	await t.test('after an error', () => {
		const [edit, ...others] = openOf(failed);
		assert.equal(textOf(edit, 'node'), 'Create Edit', failureOf(found));
		assert.equal(others.length, 0);
	});
});
