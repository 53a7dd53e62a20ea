import type { INodeExecutionData } from 'n8n-workflow';

import { failed, type RequestFailure, type Result, success } from '../../../api/failure';
import { FailFast } from '../../../nodes/shared/run/service';
import { failureOf } from '../../support/failures';
import { itemsOf, storeFile } from '../../support/n8nEngine';
import type { Answer } from '../../support/scriptedService';
import { useService } from '../../support/useService';
import { chain, runChain } from '../../support/workflows';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

describe('fail fast', () => {
	const SERVICE = 'https://api.example.com';
	const unreached = (origin = SERVICE): RequestFailure => ({
		kind: 'unreachable',
		request: 'POST /v2/upload',
		origin,
	});
	const answered = (status: number, target?: 'link'): RequestFailure => ({
		kind: 'status',
		request: 'POST /v2/upload',
		origin: SERVICE,
		status,
		target,
	});

	/** Sends one item for each end. @returns the items that were sent, and all outcomes */
	async function run(...ends: (RequestFailure | 'good')[]) {
		const failFast = new FailFast();
		const sent: number[] = [];
		const outcomes: Result<string>[] = [];
		for (const [index, end] of ends.entries()) {
			const send = async () => {
				sent.push(index);
				return end === 'good' ? success(end) : failed<string>(end);
			};
			outcomes.push(failFast.verdict() ?? failFast.learn(index, await send()));
		}
		return { sent, outcomes };
	}

	it('sends nothing after the key was refused', async () => {
		const { sent, outcomes } = await run('good', answered(401), 'good', 'good');
		expect(sent).toEqual([0, 1]);
		const spared = { status: 401, sameAsItem: 1, wasSent: false };
		for (const outcome of outcomes.slice(2)) {
			expect(outcome).toMatchObject({ ok: false, failure: spared });
		}
	});

	it('sends nothing after two consecutive items without a connection', async () => {
		const { sent, outcomes } = await run(unreached(), unreached(), 'good');
		expect(sent).toEqual([0, 1]);
		const failure = { kind: 'unreachable', sameAsItem: 0, wasSent: false };
		expect(outcomes[2]).toMatchObject({ ok: false, failure });
	});

	it.each([
		['a good item', 'good' as const],
		['a response', answered(500)],
	])('outlives a short outage after %s', async (_title, first) => {
		const outage = Array.from({ length: 9 }, () => unreached());
		expect((await run(first, ...outage, 'good')).sent).toHaveLength(11);
		const { sent, outcomes } = await run(first, ...outage, unreached(), 'good');
		expect(sent).toHaveLength(11);
		expect(outcomes[11]).toMatchObject({ failure: { sameAsItem: 1 } });
	});

	it.each<[string, (RequestFailure | 'good')[]]>([
		['a 403, which may concern one item', [answered(403), answered(403)]],
		['an outage reported by the service', [answered(503), answered(503)]],
		['a refused signed link', [answered(401, 'link')]],
		['one item without a connection', [unreached(), 'good', unreached()]],
		['an item without a connection, after a response', [unreached(), answered(500), unreached()]],
		['two unreachable hosts', [unreached(), unreached('https://store.example')]],
	])('continues after %s', async (_title, ends) => {
		const { sent } = await run(...ends, 'good');
		expect(sent).toHaveLength(ends.length + 1);
	});

	it('continues alongside items under way', async () => {
		const failFast = new FailFast();
		failFast.learn(1, failed(answered(401)));
		expect(failFast.learn(0, success('good'))).toEqual(success('good'));
		expect(failFast.verdict()).toMatchObject({ failure: { sameAsItem: 1 } });
	});
});

describe('a batch', () => {
	let answer: (path: string) => Answer = () => ({});

	const service = useService(({ path }) => answer(path));

	const items = async (count: number) =>
		await Promise.all(
			Array.from({ length: count }, async (_entry, index): Promise<INodeExecutionData> => {
				const name = `${index}.wav`;
				const data = await storeFile(Buffer.from('RIFF'), name, 'audio/wav');
				const json = { editId: `e${index}`, fileUrl: `https://files.example/${name}` };
				return { json, binary: { data } };
			}),
		);

	const settings = { onError: 'continueErrorOutput' } as const;

	async function failures(type: string, count: number, url = service.url) {
		const run = await runChain({ ...service, url }, chain({ type, settings }), await items(count));
		return itemsOf(run, type, 1).map((item) => failureOf(item) ?? {});
	}

	it.each([
		['upload', 2, 'upload'],
		['createEdit', 1, 'create the edit'],
	])('of %s makes at most %d requests with a wrong key', async (type, requests, doing) => {
		answer = () => ({ status: 401 });
		const all = await failures(type, 40);
		expect(all).toHaveLength(40);
		expect(service.seen).toHaveLength(requests);
		for (const [index, { message, httpCode }] of all.entries()) {
			expect(message).toMatch(
				new RegExp(`^Could not ${doing}.*API key was not accepted.*\\[item ${index}\\]$`),
			);
			expect(message).toContain(`${index}.wav`);
			expect(httpCode).toBe('401');
		}
		expect(all[39].description).toMatch(
			/not sent: item [01] failed for a cause that affects every item.*'API Key'/,
		);
		expect(all[0].description).not.toContain('affects every item');
	});

	it.each(['waitForEdit', 'getResult', 'delete'])(
		'of %s, whose edits are charged, makes a request for each item',
		async (type) => {
			answer = () => ({ status: 401 });
			expect(await failures(type, 5)).toHaveLength(5);
			expect(new Set(service.seen.map(({ path }) => path)).size).toBe(5);
		},
	);
});
