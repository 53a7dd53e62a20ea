import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { INode, INodeParameters } from 'n8n-workflow';

import { decodedSeconds } from '../test/service/support/media.mts';
import { eventually } from '../test/support/eventually.mts';
import { SPEECH, publishRecording } from './support/audio.mts';
import { bar } from './support/bars.mts';
import { hearing, startHost } from './support/host.mts';
import {
	type Link,
	MANUAL,
	START,
	code,
	createEdit,
	getResult,
	recordingAt,
	waitForEdit,
	webhook,
} from './support/nodes.mts';
import { failureOf, fileOf, itemOf, itemsOf, textOf } from './support/outputs.mts';
import type { Execution, NewWorkflow } from './support/pages/editor.mts';
import { firstExecution } from './support/pages/form.mts';
import { startService } from './support/sandbox.mts';
import { chain } from './support/workflowFiles.mts';

/** Keeps the service in each state long enough for n8n to do something meanwhile. */
const staying = (seconds: number) => ['--minimum-state-seconds', String(seconds)];

const host = await startHost('push', { flags: staying(2), hears: true });
const { sandbox, editor, credential, n8n, counted, imported } = host;
const source = await publishRecording(sandbox, SPEECH, 'episode-12.mp3');
const sourceSeconds = await decodedSeconds(SPEECH);

const CREATE = createEdit({
	fileUrls: source,
	options: { deliverHere: true, transcription: true },
});
const WAIT = waitForEdit();
const RESULT = getResult({ alsoReturn: ['subtitles', 'transcript'], returnAs: 'files' });

const EVERY_20_SECONDS: Link = {
	name: 'Schedule',
	type: 'n8n-nodes-base.scheduleTrigger',
	typeVersion: 1.2,
	parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 20 }] } },
};

const create = async (workflow: NewWorkflow) => await editor.createWorkflow(workflow);

/** Runs a workflow like "Execute workflow", or up to a node like its "Execute step". */
async function runByHand(workflow: NewWorkflow, destination?: string): Promise<string> {
	const id = await create(workflow);
	const trigger = { name: workflow.nodes[0]?.name };
	const upTo = { destinationNode: { nodeName: destination, mode: 'inclusive' } };
	const body = { triggerToStartFrom: trigger, ...(destination !== undefined && upTo) };
	const path = `/rest/workflows/${id}/run`;
	return (await editor.ask<{ executionId: string }>('POST', path, body)).executionId;
}

/** Calls the webhook of a published workflow. @returns the workflow's id */
async function startByWebhook(path: string, account = credential): Promise<string> {
	const links = [webhook(path), CREATE, WAIT, RESULT];
	const id = await create(chain(path, account, links));
	await editor.publish(id);
	const response = await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST' });
	assert.ok(response.ok, await response.text());
	return id;
}

let endedWell = 0;

/** Checks that an execution ended with the texts and the delivered file, named after its source. */
async function assertPushed(execution: Execution, files: readonly string[] = []): Promise<void> {
	assert.equal(execution.status, 'success', failureOf(execution));
	assert.equal(itemOf(execution, 'Wait For Edit').json['delivered'], true);
	const item = itemOf(execution, 'Get Result');
	assert.equal(item.json['status'], 'SUCCESS');
	assert.match(textOf(item, 'transcript'), /Podcasts are made of words/);
	const { content, about } = await fileOf(editor, item);
	assert.equal(about.fileName, 'episode-12-edited.mp3');
	assert.ok(Math.abs((await decodedSeconds(content)) - sourceSeconds) < 0.3);
	const subtitles = await fileOf(editor, item, 'data_srt');
	assert.match(subtitles.content.toString(), /Podcasts/);
	for (const field of files) assert.ok((await fileOf(editor, item, field)).content.length > 10_000);
	assert.doesNotMatch(execution.data, /webhook-waiting\/\d+\?signature/);
	endedWell += 1;
}

describe('after a delivery, the execution continues to its texts', () => {
	test('in the editor: the example as imported', async () => {
		const workflow = await imported('push-delivery.json', recordingAt(source));
		const execution = await editor.reached(await editor.run(await create(workflow), MANUAL));
		await assertPushed(execution);
		assert.equal(itemsOf(execution, 'Edited file').length, 1);
	});

	test('in the editor: two tracks, their merged file and its texts', async () => {
		const options = { deliverHere: true, transcription: true, normalize: true, merge: true };
		const parameters = { ...CREATE.parameters, fileUrls: `${source}\n${source}`, options };
		const download = ['edited', 'merged'];
		const result = { ...RESULT, parameters: { ...RESULT.parameters, download } };
		const links = [START, { ...CREATE, parameters }, WAIT, result];
		const execution = await editor.reached(await runByHand(chain('Tracks', credential, links)));
		await assertPushed(execution, ['data_merged_1']);
	});

	test('in the editor: Execute step on Get Result', async () => {
		const workflow = chain('Step', credential, [START, CREATE, WAIT, RESULT]);
		await assertPushed(await editor.reached(await runByHand(workflow, 'Get Result')));
	});

	test('in production: started by a webhook', async () => {
		const id = await startByWebhook('push-webhook');
		await assertPushed(await firstExecution(editor, id));
	});

	test('in production: started by a schedule', async () => {
		const id = await create(
			chain('Schedule', credential, [EVERY_20_SECONDS, CREATE, WAIT, RESULT]),
		);
		await editor.publish(id);
		const { id: executionId } = await eventually('the schedule has started', async () =>
			(await editor.executionsOf(id)).at(-1),
		);
		await editor.ask('POST', `/rest/workflows/${id}/deactivate`);
		await assertPushed(await editor.reached(executionId));
	});

	test('in production: n8n is killed while the execution sleeps', async () => {
		const paused = await startService(sandbox, ...staying(5), ...(await hearing(sandbox)));
		const { url: baseUrl, apiKey } = paused;
		const account = await editor.createCredential('Paused', { baseUrl, apiKey });
		const id = await startByWebhook('push-killed', account);
		const executionId = await editor.parked(id);
		// The service retries within seconds, and a busy n8n takes longer to start than any number of them.
		paused.signal('SIGSTOP');
		await host.killN8n();
		paused.signal('SIGCONT');
		await assertPushed(await editor.reached(executionId));
	});

	test('six of six', () => {
		bar('push chains that end well', endedWell, '6 of 6', endedWell === 6);
	});
});

const UNDELIVERED = { ...CREATE, parameters: { fileUrls: source } };
const wait = (parameters: INodeParameters, more: Partial<INode> = {}): Link => ({
	...waitForEdit(parameters),
	...more,
});
/** Two items, hence two recordings. */
const TWO = code('Two', 'return [{ json: {} }, { json: {} }];');
/** What is wrong with an incomplete set-up, n8n's text about it, its nodes, and where 'Execute step' ends it. */
const HALVES: readonly (readonly [string, RegExp, readonly Link[], string?])[] = [
	['no Wait For Edit', /there is none/, [CREATE, RESULT]],
	['a deactivated one', /is deactivated/, [CREATE, wait({}, { disabled: true }), RESULT]],
	['Keep Running', /keeps running/, [CREATE, wait({ whileWaiting: 'keepRunning' }), RESULT]],
	['Hand Over', /keeps running/, [CREATE, wait({ whileWaiting: 'handOver' }), RESULT]],
	['two recordings', /one edit at a time, but the input has 2 items/, [TWO, CREATE, WAIT, RESULT]],
	['Park without Deliver', /is off/, [UNDELIVERED, wait({ whileWaiting: 'park' }), RESULT]],
	['one step', /this run ends before it/, [CREATE, WAIT, RESULT], 'Create Edit'],
];

describe('an incomplete set-up is refused before it is charged', () => {
	let refused = 0;
	for (const [name, reason, links, lastStep] of HALVES) {
		test(name, async () => {
			const proxy = await counted();
			const id = await runByHand(chain(name, proxy.credential, [START, ...links]), lastStep);
			const execution = await editor.reached(id);
			assert.match(failureOf(execution), /^error at Create Edit/);
			assert.match(failureOf(execution), reason);
			assert.deepEqual(proxy.exchanges, []);
			refused += 1;
		});
	}

	test('all of them are refused', () => {
		const count = HALVES.length;
		bar(
			'half-configured pushes refused uncharged',
			refused,
			`${count} of ${count}`,
			refused === count,
		);
	});
});
