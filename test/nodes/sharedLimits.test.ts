import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { openService } from '../../nodes/shared/run/service';
import type { RateLimits } from '../../waiting/rateLimit';
import { runWorkflow, startEngine } from '../support/n8nEngine';
import { OUR_CREDENTIALS } from '../support/ourNodes';
import { Probe } from '../support/probeNode';
import { chain } from '../support/workflows';

const BASE_URL = 'https://api.example';

beforeAll(async () => {
	await startEngine();
});

/** Returns the rate limits of a node with this credential, read through n8n's own context. */
async function limitsOf(fields: ICredentialDataDecryptedObject): Promise<RateLimits> {
	let rateLimits: RateLimits | undefined;
	const probe = new Probe(async (context) => {
		({ rateLimits } = await openService(context));
	});
	const run = await runWorkflow({
		workflow: chain({ type: 'probe' }),
		nodeTypes: { 'n8n-nodes-audio-editing.probe': probe },
		credentialTypes: OUR_CREDENTIALS,
		credentials: { audioEditingApi: { baseUrl: BASE_URL, apiKey: 'shared', ...fields } },
	});
	if (rateLimits === undefined)
		throw run.data.resultData.error ?? new Error('The node did not run');
	return rateLimits;
}

it.each(['/', '/v2', '/v2/', ':443'])(
	'a base URL that ends in %s shares the rate limits of the key',
	async (ending) => {
		const rateLimits = await limitsOf({});
		expect(await limitsOf({ baseUrl: BASE_URL + ending })).toBe(rateLimits);
	},
);

it.each([
	['another service', { baseUrl: 'https://other.example' }],
	['a service at a prefix of the same host', { baseUrl: `${BASE_URL}/audio` }],
	['another key', { apiKey: 'second' }],
])('%s has its own rate limits', async (_what, fields) => {
	const rateLimits = await limitsOf({});
	expect(await limitsOf(fields)).not.toBe(rateLimits);
});

/** Returns the submissions and status calls this process may begin in a minute. */
async function allowedWith(fields: ICredentialDataDecryptedObject): Promise<number[]> {
	const { submissions, statusCalls } = await limitsOf({ apiKey: 'plans', ...fields });
	return [submissions, statusCalls].map((rateLimit) => rateLimit.callsPerMinuteAt(0));
}

// All share one key: each credential changes the limits that the previous one left.
it.each([
	[{}, [30, 300]],
	[{ plan: 'enterprise' }, [100, 300]],
	[{ numberOfWorkers: 5 }, [6, 60]],
	[{ plan: 'enterprise', numberOfWorkers: 5 }, [20, 60]],
	[{ plan: 'custom', submissionsPerMinute: 12, numberOfWorkers: 2 }, [6, 150]],
	[{ numberOfWorkers: '3' }, [10, 100]],
	[{ numberOfWorkers: 0 }, [30, 300]],
	[{ numberOfWorkers: 'many' }, [30, 300]],
])('the credential %j allows %j a minute', async (fields, allowed) => {
	expect(await allowedWith(fields)).toEqual(allowed);
});
