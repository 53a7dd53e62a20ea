import { sleep } from 'n8n-workflow';

import { systemTime } from '../support/leapingTime';
import { polledNode } from '../support/pollNode';
import { useService } from '../support/useService';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

/** The time n8n gives a poll when its scheduler for polls is on. */
const BUDGET_MS = 36_000;

/** Number of requests for an edit that cannot be read. */
const TRIES = 4;

let tasks: object[] = [];
let onStandstill: () => void = () => {};

const service = useService(({ path }) => {
	if (path.startsWith('/v2/completed_tasks/')) return { body: { tasks } };
	const id = path.split('/').at(-1) ?? '';
	if (id === 'standstill') onStandstill();
	return id === 'slow'
		? { status: 503, headers: { 'Retry-After': '30' } }
		: { body: { task_id: id, status: 'SUCCESS', result: {} } };
});

it('an edit too slow for n8n holds back neither its own event nor the next', async () => {
	const configurationId = { __rl: true, mode: 'id', value: '7' };
	const parameters = { configurationId, options: { readEdit: true } };
	const polled = polledNode(service, 'editFinishedTrigger', parameters);
	const told = async () => (await polled.poll('trigger', BUDGET_MS)).map(({ json }) => json);
	expect(await told()).toEqual([]);
	tasks = ['next', 'slow'].map((id) => ({ id, status: 'SUCCESS' }));
	expect([...(await told()), ...(await told())]).toMatchObject([
		{ editId: 'slow', edit: null, editNote: expect.stringContaining('took longer than') },
		{ editId: 'next', edit: { status: 'SUCCESS' } },
	]);
	// The node still retries in the background; the test must not end before that does.
	const tries = () => service.seen.filter(({ path }) => path.endsWith('/slow')).length;
	while (tries() < TRIES) await sleep(50);
});

it('a poll during which n8n stood still for too long leaves its task for the next one', async () => {
	const configurationId = { __rl: true, mode: 'id', value: '8' };
	const parameters = { configurationId, options: { readEdit: true } };
	const polled = polledNode(service, 'editFinishedTrigger', parameters);
	const told = async () => (await polled.poll('trigger', BUDGET_MS)).map(({ json }) => json.editId);
	tasks = [];
	expect(await told()).toEqual([]);
	tasks = [{ id: 'standstill', status: 'SUCCESS' }];
	const now = jest.spyOn(systemTime, 'now');
	const beganAtMs = systemTime.now();
	onStandstill = () => now.mockReturnValue(beganAtMs + BUDGET_MS + 1);
	expect(await told()).toEqual([]);
	onStandstill = () => {};
	now.mockRestore();
	expect(await told()).toEqual(['standstill']);
});
