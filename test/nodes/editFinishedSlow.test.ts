import { sleep } from 'n8n-workflow';

import { startEngine } from '../support/n8nEngine';
import { polledNode } from '../support/pollNode';
import { type ScriptedService, startScriptedService } from '../support/scriptedService';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

/** The time n8n gives a poll when its scheduler for polls is on. */
const BUDGET_MS = 36_000;

/** Number of requests for an edit that cannot be read. */
const TRIES = 4;

let service: ScriptedService;
let tasks: object[] = [];

beforeAll(async () => {
	await startEngine();
	service = await startScriptedService(({ path }) => {
		if (path.startsWith('/v2/completed_tasks/')) return { body: { tasks } };
		const id = path.split('/').at(-1) ?? '';
		return id === 'slow'
			? { status: 503, headers: { 'Retry-After': '30' } }
			: { body: { task_id: id, status: 'SUCCESS', result: {} } };
	});
});

afterAll(async () => {
	await service.stop();
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
