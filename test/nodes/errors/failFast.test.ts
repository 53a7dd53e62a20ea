import { failureOf } from '../../../testkit/n8n/failures';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { fileItem } from '../../../testkit/service/recordingService';
import { runOne, useService } from '../../../testkit/service/useService';
import { failed, type RequestFailure, type Result, success } from '../../../api/failure';
import { FailFast } from '../../../nodes/core/run/service';

const service = useService();

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

describe('fail fast', () => {
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
});

describe('fail fast, if it must not', () => {
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
	async function failures(type: string, count: number) {
		const items = Array.from({ length: count }, async (_entry, index) => {
			const name = `${index}.wav`;
			return await fileItem(name, { editId: `e${index}`, fileUrl: `https://f.example/${name}` });
		});
		const settings = { onError: 'continueErrorOutput' } as const;
		const { run } = await runOne(service, type, {}, await Promise.all(items), { settings });
		return itemsOf(run, type, 1).map((item) => failureOf(item) ?? {});
	}

	it.each([
		['upload', 2, 'upload'],
		['createEdit', 1, 'create the edit'],
	])('of %s makes at most %d requests with a wrong key', async (type, requests, doing) => {
		service.answer = () => ({ status: 401 });
		const all = await failures(type, 40);
		expect(all).toHaveLength(40);
		// Two uploads are under way at once, unless the first fails before the second has begun.
		expect(service.seen.length).toBeGreaterThan(0);
		expect(service.seen.length).toBeLessThanOrEqual(requests);
		for (const [index, { message, httpCode }] of all.entries()) {
			expect(message).toMatch(
				new RegExp(
					`^${index}.wav: could not ${doing}.*API key was not accepted.*\\[item ${index}\\]$`,
				),
			);
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
			service.answer = () => ({ status: 401 });
			expect(await failures(type, 5)).toHaveLength(5);
			expect(new Set(service.seen.map(({ path }) => path)).size).toBe(5);
		},
	);
});

it('a failure that ends the node ends the tries of other items', async () => {
	service.answer = ({ path }) => ({ status: path.includes('refused') ? 422 : 503 });
	const names = ['slow.wav', 'refused.wav'];
	const items = await Promise.all(names.map(async (name) => await fileItem(name)));
	const { error } = await runOne(service, 'upload', {}, items);
	expect(error?.message).toContain('refused.wav');
	expect(service.seen.filter(({ path }) => path.includes('slow'))).toHaveLength(1);
});
