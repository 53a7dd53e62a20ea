import type { INodeParameters } from 'n8n-workflow';

import { itemsOf, startEngine } from '../../../testkit/n8n/n8nEngine';
import { chain, runChain } from '../../../testkit/n8n/workflows';
import type { Dialect } from '../../../testkit/service/fake/dialects';
import { FakeService } from '../../../testkit/service/fake/fakeService';
import { type Answer, startScriptedService } from '../../../testkit/service/fake/scriptedService';
import { startSpeaking } from '../../../testkit/service/fake/speaking';
import { systemTime } from '../../../testkit/time/leapingTime';

/*
 * The options for the local service. Any other service may charge for an edit, and do nothing of what they ask for.
 */

beforeAll(startEngine);

const FINE = {
	fineControl: { silence_min_seconds: 1.5, true_peak_dbtp: '-2', de_ess: false },
	transcriptAndNotes: { word_check: true },
	costAndSafety: { review_hours: 3 },
};

const SENT = {
	silence_min_seconds: 1.5,
	true_peak_dbtp: -2,
	de_ess: false,
	word_check: true,
	review_hours: 3,
};

const WAYS: Readonly<Record<string, INodeParameters>> = {
	createEdit: {},
	audioEditing: { recordingFrom: 'url' },
};

interface Setting {
	readonly dialects?: readonly Dialect[];
	readonly account?: Answer;
	readonly files?: number;
}

/** Runs a node for files of a service that says that it is local, unless a dialect or an answer says otherwise. */
async function run(
	type: string,
	parameters: INodeParameters,
	{ dialects = [], account, files = 1 }: Setting = {},
) {
	const fake = new FakeService(systemTime, { serviceName: 'local' });
	const service = await startScriptedService((request) =>
		account && request.path === '/v1/account' ? account : fake.answer(request),
	);
	fake.origin = service.url;
	const speaking = await startSpeaking(dialects, service.url);
	try {
		const items = Array.from({ length: files }, (_, index) => ({
			json: { fileUrl: `https://files.example.com/${index}.wav` },
		}));
		const spec = { type, parameters: { ...WAYS[type], ...parameters } };
		const ended = await runChain(speaking, chain(spec), items);
		const { error } = ended.data.resultData;
		return {
			error,
			out: error ? [] : itemsOf(ended, type),
			bodies: speaking.seen
				.filter(({ method }) => method === 'POST')
				.map(({ body }) => JSON.parse(body) as { input: { local?: object } }),
			accounts: speaking.seen.filter(({ path }) => path === '/v1/account').length,
		};
	} finally {
		await speaking.stop();
		await service.stop();
	}
}

describe.each(Object.keys(WAYS))('%s', (type) => {
	it('sends them to a local service, and asks once which service it is', async () => {
		const { error, bodies, accounts } = await run(type, FINE, { files: 3 });
		expect(error).toBeUndefined();
		expect(bodies.map(({ input }) => input.local)).toEqual([SENT, SENT, SENT]);
		expect(accounts).toBe(1);
	});

	it('sends and asks nothing without them', async () => {
		const { bodies, accounts } = await run(type, {});
		expect(bodies[0].input).not.toHaveProperty('local');
		expect(accounts).toBe(0);
	});

	it.each(['local-ignored', 'local-refused'] as const)(
		'sends no request with them to a service with %s',
		async (dialect) => {
			const { error, bodies } = await run(type, FINE, { dialects: [dialect] });
			expect(error?.message).toMatch(
				/^0\.wav: only the local service has 'Pauses From \(Seconds\)', .* and 2 more; this is another service/,
			);
			expect((error as { description?: string }).description).toMatch(
				/Not submitted, and not charged\..*'Fine Control \(Local Service\)'/,
			);
			expect(bodies).toEqual([]);
		},
	);

	it.each<[string, Answer]>([
		['has no account', { status: 404, body: { detail: 'Not Found' } }],
		['fails', { status: 500, body: 'no' }],
		['says nothing of itself', { body: { credit: { total: 5 } } }],
		['says it is another', { body: { credit: { total: 5 }, meta: { service: 'Local' } } }],
		['cuts its answer', { cut: true }],
	])('sends no request with them to a service that %s', async (_what, account) => {
		const { error, bodies } = await run(type, FINE, { account });
		expect(error).toBeDefined();
		expect(bodies).toEqual([]);
	});

	it.each<[object, string]>([
		[{ silence_min_seconds: 0 }, "'Pauses From (Seconds)': Number must be greater than"],
		[{ speaker_leveling: 'much' }, "'Speaker Leveling (0 to 1)': Expected number"],
		[{ crossfade_ms: 1e9 }, "'Fade at Cuts (Milliseconds)': Number must be less than"],
		[{ de_ess: 'yes' }, "'De-Esser' must be true or false, not 'yes'"],
	])('refuses %j', async (fineControl, message) => {
		const { error, bodies } = await run(type, { fineControl } as INodeParameters);
		expect(error?.message).toContain(message);
		expect(bodies).toEqual([]);
	});
});
