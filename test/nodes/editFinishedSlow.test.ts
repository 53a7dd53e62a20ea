import { sleep } from 'n8n-workflow';

import { startEngine } from '../support/n8nEngine';
import { polledNode } from '../support/pollNode';
import { type ScriptedService, startScriptedService } from '../support/scriptedService';

jest.mock('../../api/time', () => jest.requireActual('../support/scaledTime'));

/** What n8n gives a poll when its scheduler for polls is switched on. */
const BUDGET_MS = 36_000;

/** How often an edit is asked for that cannot be had. */
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

it('an edit that answers too slowly for n8n holds neither its own event back nor the next', async () => {
	const configurationId = { __rl: true, mode: 'id', value: '7' };
	const parameters = { configurationId, options: { readEdit: true } };
	const polled = polledNode(service, 'editFinishedTrigger', parameters);
	const told = async () => (await polled.poll('trigger', BUDGET_MS)).map(({ json }) => json);
	expect(await told()).toEqual([]);
	tasks = ['next', 'slow'].map((id) => ({ id, status: 'SUCCESS' }));
	expect([...(await told()), ...(await told())]).toMatchObject([
		{ editId: 'slow', edit: null, editNote: expect.stringContaining('in the time') },
		{ editId: 'next', edit: { status: 'SUCCESS' } },
	]);
	// What was given up is still tried; no test is to be left while it is.
	const tries = () => service.seen.filter(({ path }) => path.endsWith('/slow')).length;
	while (tries() < TRIES) await sleep(50);
});
