import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';

import type { CompletedTask } from '../../../api/contract';
import { findNewTasks, type SeenTasks } from '../../../nodes/EditFinishedTrigger/finishedTasks';
import { durablePolledNode, polledNode } from '../../../testkit/n8n/pollNode';
import { useService } from '../../../testkit/service/useService';

const CONFIGURATION = parametersFor('7');

function parametersFor(value: string) {
	return { templateId: { __rl: true, mode: 'id', value } };
}

let finished: string[] = [];

const service = useService(() => ({
	body: { tasks: finished.map((id) => ({ id, status: 'SUCCESS' })) },
}));

beforeEach(() => {
	finished = ['before'];
});

const trigger = (parameters = CONFIGURATION) => durablePolledNode(service, parameters);

const idsOf = (items: INodeExecutionData[]) => items.map(({ json }) => json.editId);

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
	const polled = polledNode(service, CONFIGURATION);
	await polled.poll();
	await polled.poll();
	expect(polled.staticData).toEqual({
		global: {},
		'node:Trigger': { templateId: 7, missingSinceMs: { before: 0 } },
	});
});

it('emits nothing again when its configuration is changed and changed back', async () => {
	const parameters = parametersFor('7');
	const polled = trigger(parameters);
	await polled.activate();
	finished.unshift('between');
	expect(idsOf(await polled.tick())).toEqual(['between']);
	for (const value of ['8', '7']) {
		parameters.templateId.value = value;
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
	parameters.templateId.value = '8';
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

const DAY_MS = 86_400_000;
const POLL_MS = 6 * 3_600_000;

/** A modeled edit: when it finishes, and which polls wrongly miss it. */
interface ModelTask {
	readonly finishedAtPoll: number;
	readonly missingAtPolls: readonly number[];
}

const modelTask = fc.record({
	finishedAtPoll: fc.nat(60),
	missingAtPolls: fc.array(fc.nat(60), { maxLength: 6 }),
});

function completed(id: string): CompletedTask {
	// All have the same time: only ids may count.
	return {
		id,
		created_at: '2026-11-20T10:00:00Z',
		status: 'SUCCESS',
		results: {},
		length_audio: 1,
	};
}

/** What the service lists at a poll: the last 7 days in any order, except those it misses. */
function listedAt(poll: number, tasks: readonly ModelTask[], turn: number): CompletedTask[] {
	const listed = tasks.flatMap((task, index) => {
		const ageMs = (poll - task.finishedAtPoll) * POLL_MS;
		const isListed = ageMs >= 0 && ageMs <= 7 * DAY_MS && !task.missingAtPolls.includes(poll);
		return isListed ? [completed(`task-${index}`)] : [];
	});
	const at = turn % (listed.length + 1);
	return [...listed.slice(at), ...listed.slice(0, at), ...listed.slice(0, 1)];
}

it('reports every edit that is ever listed exactly once, whatever the list does', () => {
	fc.assert(
		fc.property(
			fc.array(modelTask, { maxLength: 30 }),
			fc.array(fc.nat(40), { minLength: 1 }),
			fc.constantFrom(1, 3, Infinity),
			(tasks, turns, most) => {
				let seen: SeenTasks = { templateId: 1, missingSinceMs: {} };
				const told: string[] = [];
				const everListed = new Set<string>();
				// Enough polls for even the smallest portion to report everything by the end.
				for (let poll = 0; poll < 120; poll++) {
					const listed = listedAt(Math.min(poll, 60), tasks, turns[poll % turns.length]);
					listed.forEach(({ id }) => everListed.add(id));
					const findings = findNewTasks(listed, seen, Math.min(poll, 60) * POLL_MS, most);
					told.push(...findings.tasks.map(({ id }) => id));
					seen = findings.seen;
				}
				const stillListed = new Set(listedAt(60, tasks, 0).map(({ id }) => id));
				const mustBeTold = most === Infinity ? everListed : stillListed;
				expect(new Set(told).size).toBe(told.length);
				expect([...mustBeTold].filter((id) => !told.includes(id))).toEqual([]);
			},
		),
	);
});

it('forgets an edit when it has been gone for more than seven days, not before', () => {
	let seen: SeenTasks = { templateId: 1, missingSinceMs: { a: 0 } };
	seen = findNewTasks([], seen, 0.5 * DAY_MS).seen;
	expect(seen.missingSinceMs).toEqual({ a: 0.5 * DAY_MS });
	seen = findNewTasks([], seen, 7.5 * DAY_MS).seen;
	expect(seen.missingSinceMs).toEqual({ a: 0.5 * DAY_MS });
	seen = findNewTasks([], seen, 7.6 * DAY_MS).seen;
	expect(seen.missingSinceMs).toEqual({});
});

it('counts anew how long an edit is gone that was back meanwhile', () => {
	let seen: SeenTasks = { templateId: 1, missingSinceMs: { a: 0 } };
	const lists = [[], [], [completed('a')], [], []];
	lists.forEach((listed, place) => {
		seen = findNewTasks(listed, seen, 2 * place * DAY_MS).seen;
	});
	expect(seen.missingSinceMs).toEqual({ a: 6 * DAY_MS });
	expect(findNewTasks([completed('a')], seen, 10 * DAY_MS).tasks).toEqual([]);
});

it('ignores an edit without an id', () => {
	const seen: SeenTasks = { templateId: 1, missingSinceMs: {} };
	expect(findNewTasks([completed('')], seen, 0).tasks).toEqual([]);
});
