import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { eventually } from '../testkit/time/eventually.mts';
import { type Host, startHost } from './support/host.mts';
import { ours } from './support/nodes.mts';
import { itemsOf } from './support/outputs.mts';
import { IS_OLDEST } from './support/places.mts';
import { chain } from './support/workflowFiles.mts';

/** n8n's scheduler polls, and saves what a trigger remembers with the execution that it starts. */
const DURABLE_CURSORS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

const TRIGGER = 'Edit Finished';

const SETTINGS = [
	{ name: 'as n8n comes', env: {} },
	...(IS_OLDEST ? [] : [{ name: 'with durable poll cursors', env: DURABLE_CURSORS }]),
];

const hosts = await Promise.all(
	SETTINGS.map(async ({ name, env }, index) => ({
		name,
		host: await startHost(`trigger-${index}`, { env }),
	})),
);

/** Starts a service with the test's finished edits, and a workflow with our trigger for it. */
async function watchFinished({ editor, scripted }: Host, finished: readonly string[]) {
	const { credential, seen } = await scripted(() => ({
		body: { tasks: finished.map((id) => ({ id, status: 'SUCCESS' })) },
	}));
	const templateId = { __rl: true, mode: 'id', value: '7' };
	const pollTimes = { item: [{ mode: 'everyMinute' }] };
	const parameters = { templateId, pollTimes };
	const workflow = chain('Finished edits', credential, [
		ours('editFinishedTrigger', { name: TRIGGER, parameters }),
		{ name: 'Next', type: 'n8n-nodes-base.noOp' },
	]);
	const workflowId = await editor.published(workflow);
	const polled = async (count: number) =>
		await eventually(`poll ${count}`, () => (seen.length >= count ? true : undefined));
	return { workflowId, polled };
}

/** Returns the edits that the trigger emitted in all executions of the workflow, oldest first. */
async function emittedBy({ editor }: Host, workflowId: string): Promise<unknown[]> {
	const emitted: unknown[] = [];
	for (const { id } of (await editor.executionsOf(workflowId)).toReversed()) {
		const items = itemsOf(await editor.reached(id), TRIGGER);
		emitted.push(...items.map(({ json }) => json['editId']));
	}
	return emitted;
}

describe(
	'the trigger emits each edit that finishes after activation once',
	{ concurrency: true },
	() => {
		for (const { name, host } of hosts) {
			test(name, async () => {
				const finished = ['before'];
				const { workflowId, polled } = await watchFinished(host, finished);
				await polled(1);
				finished.unshift('between');
				await polled(2);
				finished.unshift('later');
				await polled(4);
				assert.deepEqual(await emittedBy(host, workflowId), ['between', 'later']);
			});
		}
	},
);
