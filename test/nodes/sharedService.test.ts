import type { IExecuteFunctions } from 'n8n-workflow';

import { failed, success } from '../../api/outcome';
import { systemTime } from '../../api/time';
import { openService, openServiceUntil, valueOrThrow } from '../../nodes/shared/service';
import { tellHints } from '../../nodes/shared/hints';
import { NODE } from '../support/nodeContext';
import { type CredentialFields, serviceContext } from '../support/serviceContext';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const submissionsAllowed = async (fields: CredentialFields) =>
	(await openService(serviceContext(fields).context)).budgets.submissions.callsPerMinuteAt(0);

describe('the plan of the credential', () => {
	it.each<[CredentialFields, number]>([
		[{}, 30],
		[{ plan: 'standard' }, 30],
		[{ plan: 'enterprise' }, 100],
		[{ plan: 'custom', submissionsPerMinute: 12 }, 12],
		[{ plan: 'custom', submissionsPerMinute: '45' }, 45],
		[{ plan: 'custom', submissionsPerMinute: 2.9 }, 2],
		[{ plan: 'custom', submissionsPerMinute: 1 }, 1],
		[{ plan: 'custom', submissionsPerMinute: 0.9 }, 30],
		[{ plan: 'custom', submissionsPerMinute: 'many' }, 30],
		[{ plan: 'custom', submissionsPerMinute: Infinity }, 30],
		[{ plan: 'custom' }, 30],
		[{ plan: 'enterprise', submissionsPerMinute: 5 }, 100],
	])('%j allows %d submissions a minute', async (fields, allowed) => {
		expect(await submissionsAllowed(fields)).toBe(allowed);
	});
});

describe('the service of a node run', () => {
	it('is opened once for all its items, and again for another run', async () => {
		const { context } = serviceContext();
		const service = await openService(context);
		expect(await openService(context)).toBe(service);
		expect(await openService(serviceContext().context)).not.toBe(service);
		expect(service.origin).toBe('https://api.example.com');
	});

	it('refuses a base URL that is not a URL', async () => {
		await expect(openService(serviceContext({ baseUrl: 'nowhere' }).context)).rejects.toMatchObject(
			{
				message: expect.stringMatching(/^Could not use the credential: .*'Base URL'/) as string,
			},
		);
	});

	it('says in the log how long a submission waits for the limit, from five seconds on', async () => {
		const plan = { plan: 'custom', submissionsPerMinute: 1 };
		const { context, infos } = serviceContext(plan);
		const { client } = await openService(context);
		const request = { input: { files: ['https://f.example/a.wav'], config: {} } };
		await client.createEdit(request);
		await client.createEdit(request);
		expect(infos).toEqual([
			'Audio editing: the next upload or edit waits 61 s for the limit a minute of the API key',
		]);
		const quick = serviceContext({ plan: 'custom', submissionsPerMinute: 30 });
		const service = await openService(quick.context);
		const takenAtMs = systemTime.now() - 57_000;
		for (let call = 0; call < 30; call++) service.budgets.submissions.take(takenAtMs);
		await service.client.createEdit(request);
		expect(quick.infos).toEqual([]);
	});
});

describe('a key that travels unencrypted', () => {
	const hintsFor = async (baseUrl: string, more: Partial<IExecuteFunctions> = {}) => {
		const { context, hints } = serviceContext({ baseUrl }, more);
		await openService(context);
		tellHints(context);
		return hints;
	};

	it('adds a hint', async () => {
		expect(await hintsFor('http://api.example.com/v2')).toEqual([
			"The API key travels unencrypted to http://api.example.com. Use https:// in the 'Base URL' of the credential.",
		]);
	});

	it('adds no hint with https, or on this machine', async () => {
		expect(await hintsFor('https://api.example.com')).toEqual([]);
		expect(await hintsFor('http://127.0.0.1:8080')).toEqual([]);
	});

	it('is accepted by an n8n without hints', async () => {
		const { context } = serviceContext({ baseUrl: 'http://api.example.com' });
		Reflect.deleteProperty(context, 'addExecutionHints');
		await expect(openService(context)).resolves.toBeDefined();
	});
});

describe('the service after a stop', () => {
	it('is called until its own signal is aborted, not the signal of the execution', async () => {
		const { context, sent } = serviceContext(
			{},
			{ getExecutionCancelSignal: () => AbortSignal.abort() },
		);
		const { client } = await openService(context);
		expect(await client.deleteEdit('a')).toMatchObject({ failure: { kind: 'stopped' } });
		const timeIsUp = new AbortController();
		const { client: other } = await openServiceUntil(context, timeIsUp.signal);
		expect((await other.deleteEdit('a')).ok).toBe(true);
		timeIsUp.abort();
		expect(await other.deleteEdit('a')).toMatchObject({ failure: { kind: 'stopped' } });
		expect(sent).toHaveLength(1);
	});
});

it('returns the value of an outcome, and throws a failure with what was being done', () => {
	expect(valueOrThrow(success(5), NODE, { doing: 'count' })).toBe(5);
	const failure = failed<number>({ kind: 'unreachable', request: 'GET /x', said: 'no way' });
	expect(() => valueOrThrow(failure, NODE, { doing: 'count', itemIndex: 2 })).toThrow(
		/^Could not count: .*\[item 2\]$/,
	);
});
