import { randomUUID } from 'crypto';
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';

import { AudioEditingApi } from '../../../credentials/AudioEditingApi.credentials';
import { searchConfigurations } from '../../../nodes/core/form/templateField';
import { NodeRun } from '../../../nodes/core/run/nodeRun';
import { openService } from '../../../nodes/core/run/service';
import { type CredentialFields, serviceContext } from '../../../testkit/n8n/serviceContext';

type Authenticate = (
	credential: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

const limitsOf = async (fields: CredentialFields) =>
	(await openService(serviceContext(fields).context)).rateLimits;

describe('the plan of the credential', () => {
	it.each<[CredentialFields, submissions: number, statusCalls: number]>([
		[{}, 30, 300],
		[{ plan: 'enterprise' }, 100, 300],
		[{ plan: 'custom', submissionsPerMinute: 12, numberOfWorkers: 2 }, 6, 150],
		[{ plan: 'custom', submissionsPerMinute: '45' }, 45, 300],
		[{ plan: 'custom', submissionsPerMinute: 2.9 }, 2, 300],
		[{ plan: 'custom', submissionsPerMinute: 1 }, 1, 300],
		[{ plan: 'custom', submissionsPerMinute: 0.9 }, 30, 300],
		[{ plan: 'custom', submissionsPerMinute: Infinity }, 30, 300],
		[{ plan: 'custom' }, 30, 300],
		[{ plan: 'enterprise', submissionsPerMinute: 5 }, 100, 300],
		[{ plan: 'enterprise', numberOfWorkers: 3 }, 33, 100],
		[{ numberOfWorkers: '2' }, 15, 150],
		[{ numberOfWorkers: 0 }, 30, 300],
	])('%j allows %d submissions and %d status calls a minute', async (fields, ...allowed) => {
		const { submissions, statusCalls } = await limitsOf(fields);
		const limits = [submissions, statusCalls];
		expect(limits.map((limit) => limit.callsPerMinuteAt(0))).toEqual(allowed);
	});
});

describe('the rate limits of a key', () => {
	const baseUrl = 'https://api.example';
	const apiKey = 'shared';

	it.each(['/', '/v2', '/v2/', '/v10', ':443'])(
		'are shared by a base URL that ends in %s',
		async (ending) => {
			const other = await limitsOf({ apiKey, baseUrl: baseUrl + ending });
			expect(other).toBe(await limitsOf({ apiKey, baseUrl }));
		},
	);

	it.each([
		['another service', { baseUrl: 'https://other.example' }],
		['a service at a prefix of the same host', { baseUrl: `${baseUrl}/audio` }],
		['another key', { apiKey: 'second' }],
	])('are not those of %s', async (_what, fields) => {
		const other = await limitsOf({ apiKey, baseUrl, ...fields });
		expect(other).not.toBe(await limitsOf({ apiKey, baseUrl }));
	});
});

describe('the service of a node run', () => {
	it('is opened once for all its items, and again for another run', async () => {
		const run = new NodeRun(serviceContext().context);
		const service = await run.openService();
		expect(await run.openService()).toBe(service);
		expect(await new NodeRun(serviceContext().context).openService()).not.toBe(service);
		expect(service.origin).toBe('https://api.example.com');
	});
});

describe('a key that travels unencrypted', () => {
	const hintsFor = async (baseUrl: string, more: Partial<IExecuteFunctions> = {}) => {
		const { context, hints } = serviceContext({ baseUrl }, more);
		const run = new NodeRun(context);
		await run.openService();
		run.hints.show(context);
		return hints;
	};

	it('is pointed out', async () => {
		expect(await hintsFor('http://api.example.com/v2')).toEqual([
			"The API key is sent unencrypted to http://api.example.com. Use https:// in the 'Base URL' of the credential.",
		]);
	});

	it('is fine with https, or on this machine', async () => {
		expect(await hintsFor('https://api.example.com')).toEqual([]);
		expect(await hintsFor('http://127.0.0.1:8080')).toEqual([]);
		expect(await hintsFor('http://[::1]:8080')).toEqual([]);
	});

	it('cannot be pointed out if there are no hints', async () => {
		const { context } = serviceContext({ baseUrl: 'http://api.example.com' });
		Reflect.deleteProperty(context, 'addExecutionHints');
		await expect(openService(context)).resolves.toBeDefined();
	});
});

describe('the service for cleaning up after a stop', () => {
	it("is called with its own signal instead of the execution's", async () => {
		const stopped = { getExecutionCancelSignal: () => AbortSignal.abort() };
		const { context, sent } = serviceContext({}, stopped);
		const run = new NodeRun(context);
		const { client } = await run.openService();
		expect(await client.deleteEdit('a')).toMatchObject({ failure: { kind: 'stopped' } });
		const end = new AbortController();
		const { client: last } = await run.openServiceUntil(end.signal);
		expect((await last.deleteEdit('a')).ok).toBe(true);
		end.abort();
		expect(await last.deleteEdit('a')).toMatchObject({ failure: { kind: 'stopped' } });
		expect(sent).toHaveLength(1);
	});
});

describe('the list of templates in a form', () => {
	const configurations = [
		{ id: 3, name: 'Podcast', upload_type: 'singletrack' },
		{ id: 4, name: 'Interview, two PODS', upload_type: 'multitrack' },
		{ id: 5, name: 'Lecture', upload_type: 'singletrack' },
	];
	const search = async (filter?: string, status = 200) => {
		const answer = () => ({ status, body: { configurations } });
		const { context } = serviceContext({}, {}, undefined, answer);
		const form: unknown = context;
		return await searchConfigurations.call(form as ILoadOptionsFunctions, filter);
	};

	it('has all of them, or those whose name contains the search text', async () => {
		const podcast = { name: 'Podcast', value: 3 };
		const interview = { name: 'Interview, two PODS', value: 4 };
		expect((await search()).results).toHaveLength(3);
		expect((await search(' pOd ')).results).toEqual([podcast, interview]);
		expect((await search('none')).results).toEqual([]);
	});

	it('says what failed', async () => {
		await expect(search('', 401)).rejects.toThrow(/^Could not list the templates: /);
	});
});

describe('blanks around the key, as people paste it', () => {
	const pasted = ` \t${randomUUID()}\n`;

	it('are not in what n8n sends: its HTTP client would hide that they are', async () => {
		const options = { url: 'https://api.example', headers: { Accept: 'application/json' } };
		const { authenticate } = new AudioEditingApi();
		const credential = { baseUrl: 'https://api.example', apiKey: pasted };
		const sent = await (authenticate as Authenticate)(credential, options);
		expect(sent.headers).toEqual({
			Accept: 'application/json',
			'X-API-Key': pasted.trim(),
		});
	});

	it('are not in what we send ourselves after the end of a node', async () => {
		const sent: IHttpRequestOptions[] = [];
		const helpers: Partial<IExecuteFunctions['helpers']> = {
			httpRequest: async (options) => {
				sent.push(options);
				return { statusCode: 200, headers: {}, body: {} } as object;
			},
		};
		const { context } = serviceContext(
			{ apiKey: pasted },
			{ helpers: helpers as IExecuteFunctions['helpers'] },
		);
		const { client } = await openService(context, { isForLater: true });
		await client.deleteEdit('a');
		expect(sent.map(({ headers }) => headers?.['X-API-Key'])).toEqual([pasted.trim()]);
	});

	it('are no other key: the limits are shared with the key itself', async () => {
		const [given, clean] = [pasted, pasted.trim()].map((apiKey) => ({ apiKey }));
		expect(await limitsOf(given)).toBe(await limitsOf(clean));
	});
});
