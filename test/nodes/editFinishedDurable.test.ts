import fc from 'fast-check';

import { type DurablePolledNode, durablePolledNode, polledNode } from '../support/pollNode';
import { useService } from '../support/useService';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const CONFIGURATION = parametersFor('7');

function parametersFor(value: string) {
	return { configurationId: { __rl: true, mode: 'id', value } };
}

let finished: string[] = [];

const service = useService(() => ({
	body: { tasks: finished.map((id) => ({ id, status: 'SUCCESS' })) },
}));

beforeEach(() => {
	finished = ['before'];
});

function trigger(parameters = CONFIGURATION): DurablePolledNode {
	return durablePolledNode(service, 'editFinishedTrigger', parameters);
}

const idsOf = (items: Awaited<ReturnType<DurablePolledNode['tick']>>) =>
	items.map(({ json }) => json.editId);

it('emits what finishes between activation and the first scheduled poll', async () => {
	const polled = trigger();
	expect(await polled.activate()).toEqual([]);
	finished.unshift('between');
	expect(idsOf(await polled.tick())).toEqual(['between']);
	finished.unshift('later');
	expect(idsOf(await polled.tick())).toEqual(['later']);
	expect(await polled.tick()).toEqual([]);
});

it('removes the note of the activation once n8n has kept the cursor', async () => {
	const polled = trigger();
	await polled.activate();
	await polled.tick();
	expect(JSON.stringify(polled.staticData)).toContain('before');
	finished.unshift('later');
	await polled.tick();
	expect(JSON.stringify(polled.staticData)).not.toContain('before');
});

it('removes the note at the second poll if n8n has no durable cursors', async () => {
	const polled = polledNode(service, 'editFinishedTrigger', CONFIGURATION);
	await polled.poll();
	await polled.poll();
	expect(polled.staticData).toEqual({
		global: {},
		'node:Trigger': { configurationId: 7, missingSinceMs: { before: 0 } },
	});
});

it('emits nothing again when its configuration is changed and changed back', async () => {
	const parameters = parametersFor('7');
	const polled = trigger(parameters);
	await polled.activate();
	finished.unshift('between');
	expect(idsOf(await polled.tick())).toEqual(['between']);
	for (const value of ['8', '7']) {
		parameters.configurationId.value = value;
		expect(await polled.tick()).toEqual([]);
	}
	finished.unshift('later');
	expect(idsOf(await polled.tick())).toEqual(['later']);
});

it('emits what finishes between an activation with another configuration and its first scheduled poll', async () => {
	const parameters = parametersFor('7');
	const polled = trigger(parameters);
	await polled.activate();
	await polled.tick();
	parameters.configurationId.value = '8';
	expect(await polled.activate()).toEqual([]);
	finished.unshift('between');
	expect(idsOf(await polled.tick())).toEqual(['between']);
	finished.unshift('later');
	expect(idsOf(await polled.tick())).toEqual(['later']);
	expect(JSON.stringify(polled.staticData)).not.toContain('before');
});

it('emits each edit once, in whatever order polls, activations and finished edits come', async () => {
	const step = fc.constantFrom('finish', 'poll', 'activate');
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
			finished = ['before'];
			const polled = trigger();
			const emitted = await polled.activate();
			for (const [index, name] of [...steps, 'poll'].entries()) {
				if (name === 'finish') finished.unshift(`edit-${index}`);
				if (name === 'poll') emitted.push(...(await polled.tick()));
				if (name === 'activate') emitted.push(...(await polled.activate()));
			}
			expect(idsOf(emitted)).toEqual(finished.toReversed().slice(1));
		}),
		{ numRuns: 50, examples: [[['activate', 'finish']]] },
	);
});
