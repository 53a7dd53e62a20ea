import type { INode, INodeParameters } from 'n8n-workflow';
import { expectToFit } from '../../../testkit/n8n/outputSchemas';
import type { Answer } from '../../../testkit/service/fake/scriptedService';
import { runOne, useService } from '../../../testkit/service/useService';

let bodies: Record<string, Answer> = {};

const CREDIT = { credit: { total: 42, subscription: 40, payg: 2 }, meta: { plan: 'x' } };

const CONFIGURATIONS = [1, 2, 3].map((id) => ({
	id,
	name: `Show ${id}`,
	upload_type: 'singletrack',
}));

const TASKS = ['c', 'b', 'a'].map((id) => ({
	id,
	created_at: '2026-11-20T10:00:00Z',
	status: 'SUCCESS',
	results: { download_url: 'https://files.example/x?signature=1' },
	length_audio: 60,
}));

const service = useService(({ path }) => bodies[path] ?? { status: 404 });

beforeEach(() => {
	bodies = {
		'/v1/account': { body: CREDIT },
		'/v2/configurations': { body: { configurations: CONFIGURATIONS } },
		'/v2/configuration/2': { body: { ...CONFIGURATIONS[1], settings: { fillers: true } } },
		'/v2/completed_tasks/2': { body: { tasks: TASKS } },
		'/ping': { body: { ping: 'pong' } },
		'/health': { body: 'ok' },
	};
});

async function run(parameters: INodeParameters, settings?: Partial<INode>, count = 1) {
	const given = Array.from({ length: count }, () => ({ json: {} }));
	const { out, error } = await runOne(service, 'account', parameters, given, { settings });
	return { items: out, error };
}

async function outputs(parameters: INodeParameters) {
	const { items, error } = await run(parameters);
	expect(error).toBeUndefined();
	const { resource, operation, simplify } = parameters;
	const ref = { type: 'account', resource: String(resource), operation: String(operation) };
	if (simplify !== false) items.forEach(({ json }) => expectToFit(ref, json));
	return items.map(({ json }) => json);
}

const ID = { __rl: true, mode: 'id', value: '2' };

describe('Get Credit', () => {
	const parameters = { resource: 'account', operation: 'getCredit' };

	it('returns the credit, simplified or raw', async () => {
		expect(await outputs(parameters)).toEqual([
			{ creditTotal: 42, creditSubscription: 40, creditPayg: 2 },
		]);
		expect(await outputs({ ...parameters, simplify: false })).toEqual([CREDIT]);
	});

	it('ends the workflow when the credit is below the limit', async () => {
		const { error } = await run({ ...parameters, options: { failBelow: 43 } });
		expect(error?.message).toMatch(/account.s credit, 42, is below 43 \[item 0\]/);
		expect(error?.description).toMatch(/Top up the account/);
		expect(await outputs({ ...parameters, options: { failBelow: 42 } })).toHaveLength(1);
	});

	it.each(['={{ "a lot" }}', '={{ null }}', '={{ undefined }}'])(
		'refuses the limit %s, before any request',
		async (failBelow) => {
			const { error } = await run({ ...parameters, options: { failBelow } });
			expect(error?.message).toMatch(/'Fail When Below' must be a number/);
			expect(service.seen).toEqual([]);
		},
	);
});

describe('Template', () => {
	it('Get returns the settings', async () => {
		const parameters = { resource: 'configuration', operation: 'get', templateId: ID };
		expect(await outputs(parameters)).toEqual([
			{ ...CONFIGURATIONS[1], settings: { fillers: true } },
		]);
	});

	it('Get Many returns up to the limit, one item each', async () => {
		const parameters = { resource: 'configuration', operation: 'getAll' };
		expect(await outputs(parameters)).toEqual(CONFIGURATIONS);
		expect(await outputs({ ...parameters, limit: 2 })).toEqual(CONFIGURATIONS.slice(0, 2));
		for (const limit of [0, 0.5, 1.9]) {
			expect(await outputs({ ...parameters, limit })).toEqual(CONFIGURATIONS.slice(0, 1));
		}
		const all = { ...parameters, returnAll: true, limit: 1 };
		expect(await outputs(all)).toEqual(CONFIGURATIONS);
	});

	it.each(['={{ "" }}', '={{ "x" }}', '={{ "1/2" }}'])('%s is not a template', async (value) => {
		const templateId = { ...ID, value };
		const { error } = await run({ resource: 'configuration', operation: 'get', templateId });
		expect(error?.message).toMatch(/'Template' is (empty|not a whole number)/);
		expect(service.seen).toEqual([]);
	});
});

describe('Completed Task, Get Many', () => {
	const parameters = { resource: 'completedTask', operation: 'getAll', templateId: ID };

	it('returns the edit ID that the next node reads', async () => {
		expect((await outputs(parameters))[0]).toEqual({
			editId: 'c',
			templateId: 2,
			status: 'SUCCESS',
			createdAt: '2026-11-20T10:00:00Z',
			lengthAudio: 60,
		});
		const raw = await outputs({ ...parameters, simplify: false });
		expect(raw[0]).toEqual({ ...TASKS[0], editId: 'c', templateId: 2 });
	});

	it('reads a list of some megabytes, since each task may have its texts', async () => {
		const results = { transcript: 'word '.repeat(2_000) };
		const tasks = Array.from({ length: 300 }, (_task, id) => ({
			...TASKS[0],
			id: `t${id}`,
			results,
		}));
		bodies['/v2/completed_tasks/2'] = { body: { tasks } };
		expect(await outputs({ ...parameters, returnAll: true })).toHaveLength(300);
		expect(await outputs(parameters)).toHaveLength(50);
	});

	it('pairs each of several results with the input item', async () => {
		const { items } = await run({ ...parameters, limit: 2 }, {}, 2);
		expect(items.map(({ json, pairedItem }) => [json.editId, pairedItem])).toEqual([
			['c', { item: 0 }],
			['b', { item: 0 }],
			['c', { item: 1 }],
			['b', { item: 1 }],
		]);
	});
});

describe('Service, Check Health', () => {
	const parameters = { resource: 'service', operation: 'checkHealth' };

	it('returns the response of both endpoints', async () => {
		expect(await outputs(parameters)).toEqual([{ ping: { ping: 'pong' }, health: 'ok' }]);
	});

	it('names what does not respond, and continues with the next item if allowed', async () => {
		bodies['/health'] = { status: 404 };
		const { items, error } = await run(parameters, { onError: 'continueRegularOutput' }, 2);
		expect(error).toBeUndefined();
		expect(items.map(({ error: failure }) => failure?.message)).toEqual([
			expect.stringContaining('Could not check the health'),
			expect.stringContaining('Could not check the health'),
		]);
	});
});
