import { startEngine } from '../support/n8nEngine';
import {
	type Answer,
	type ScriptedService,
	startScriptedService,
} from '../support/scriptedService';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

let service: ScriptedService;
let answers: Answer[] = [];

beforeAll(async () => {
	await startEngine();
	service = await startScriptedService((_request, number) => answers[number - 1]);
});

beforeEach(() => {
	service.seen.length = 0;
});

afterAll(async () => {
	await service.stop();
});

const GONE: Answer = { status: 404, body: { detail: 'Not Found' } };

async function deleteOne() {
	const parameters = { editId: 'edit-1' };
	const run = await runChain(service, chain({ type: 'delete', parameters }));
	return run.data.resultData.error;
}

it.each<[string, Answer]>([
	['was cut off', { cut: true }],
	['got a 504 from a gateway', { status: 504 }],
])('counts 404 as deleted after a try that %s', async (_name, first) => {
	answers = [first, GONE];
	expect(await deleteOne()).toBeUndefined();
	expect(service.seen).toHaveLength(2);
});

it.each<[string, Answer[]]>([
	['at the first try', [GONE]],
	['after a try that the rate limit refused', [{ status: 429 }, GONE]],
])('reports 404 %s', async (_name, script) => {
	answers = script;
	expect((await deleteOne())?.message).toMatch(/Could not delete edit edit-1: .*nothing/);
	expect(service.seen).toHaveLength(script.length);
});
