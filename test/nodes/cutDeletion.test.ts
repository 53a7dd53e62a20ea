import type { Answer } from '../support/scriptedService';
import { useService } from '../support/useService';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

let answers: Answer[] = [];

const service = useService((_request, number) => answers[number - 1]);

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
