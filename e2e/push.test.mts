import assert from 'node:assert/strict';
import { test } from 'node:test';

import { decodedSeconds } from '../test/service/support/media.mts';
import { SPEECH, publishRecording } from './support/audio.mts';
import { startHost } from './support/host.mts';
import { START, createEdit, getResult, waitForEdit, webhook } from './support/nodes.mts';
import { failureOf, fileOf, itemOf, textOf } from './support/outputs.mts';
import type { Execution, NewWorkflow } from './support/pages/editor.mts';
import { chain } from './support/workflowFiles.mts';

// Each state lasts long enough for n8n to be killed meanwhile.
const flags = ['--minimum-state-seconds', '5'];
const host = await startHost('push', { flags, hears: true });
const { sandbox, service, editor, credential, counted } = host;
const source = await publishRecording(sandbox, SPEECH, 'episode-12.mp3');

const CREATE = createEdit({
	fileUrls: source,
	options: { deliverHere: true, transcription: true },
});
const WAIT = waitForEdit();
const RESULT = getResult({ alsoReturn: ['subtitles', 'transcript'], returnAs: 'files' });

/** Runs a workflow up to a node, as the node's "Execute step" does. @returns the execution when it has ended */
async function executeStep(workflow: NewWorkflow, nodeName: string): Promise<Execution> {
	const id = await editor.createWorkflow(workflow);
	const trigger = { name: workflow.nodes[0]?.name };
	const body = {
		triggerToStartFrom: trigger,
		destinationNode: { nodeName, mode: 'inclusive' },
	};
	const path = `/rest/workflows/${id}/run`;
	const { executionId } = await editor.ask<{ executionId: string }>('POST', path, body);
	return await editor.reached(executionId);
}

/** Checks that an execution ended with the texts and the delivered file, named after its source. */
async function assertPushed(execution: Execution): Promise<void> {
	assert.equal(execution.status, 'success', failureOf(execution));
	assert.equal(itemOf(execution, 'Wait For Edit').json['delivered'], true);
	const item = itemOf(execution, 'Get Result');
	assert.equal(item.json['status'], 'SUCCESS');
	assert.match(textOf(item, 'transcript'), /Podcasts are made of words/);
	const { content, about } = await fileOf(editor, item);
	assert.equal(about.fileName, 'episode-12-edited.mp3');
	const sourceSeconds = await decodedSeconds(SPEECH);
	assert.ok(Math.abs((await decodedSeconds(content)) - sourceSeconds) < 0.3);
	const subtitles = await fileOf(editor, item, 'data_srt');
	assert.match(subtitles.content.toString(), /Podcasts/);
	assert.doesNotMatch(execution.data, /webhook-waiting\/\d+\?signature/);
}

test('after a delivery, "Execute step" on Get Result continues to its texts', async () => {
	const workflow = chain('Step', credential, [START, CREATE, WAIT, RESULT]);
	await assertPushed(await executeStep(workflow, 'Get Result'));
});

test('after a delivery, so does a production execution during whose sleep n8n was killed', async () => {
	const path = 'push-killed';
	const id = await editor.published(chain(path, credential, [webhook(path), CREATE, WAIT, RESULT]));
	await editor.post(path);
	const executionId = await editor.parked(id);
	// The service retries within seconds, and a busy n8n takes longer to start than any number of them.
	service.signal('SIGSTOP');
	await host.killN8n();
	service.signal('SIGCONT');
	await assertPushed(await editor.reached(executionId));
});

// test/nodes/delivery refuses more of them; here, n8n itself says which nodes there are and which run.
for (const [what, reason, isDisabled, lastStep] of [
	['a deactivated Wait For Edit', /is deactivated/, true, 'Get Result'],
	['"Execute step" on Create Edit', /this run ends before it/, false, 'Create Edit'],
] as const) {
	test(`a delivery with ${what} is refused before it is charged`, async () => {
		const proxy = await counted();
		const links = [START, CREATE, { ...WAIT, disabled: isDisabled }, RESULT];
		const execution = await executeStep(chain(what, proxy.credential, links), lastStep);
		assert.match(failureOf(execution), /^error at Create Edit/);
		assert.match(failureOf(execution), reason);
		assert.deepEqual(proxy.exchanges, []);
	});
}
