import type { IDataObject } from 'n8n-workflow';

import type { Answer, SeenRequest } from '../../../testkit/service/fake/scriptedService';
import { runOne, useService } from '../../../testkit/service/useService';

const QUESTION = { resource: 'review', operation: 'getDoubtful' };
const DECISION = { resource: 'review', operation: 'decide' };

let account: IDataObject = {};
const answers: Record<string, Answer> = {};
const service = useService(({ method, path }: SeenRequest) =>
	path === '/v1/account' ? { body: account } : (answers[`${method} ${path}`] ?? { status: 404 }),
);
const seen = () => service.seen.map(({ method, path }) => `${method} ${path}`);
const CUTS = '/local/edits/edit-1/cuts';
const item = (json: IDataObject = {}) => ({
	json: { editId: 'edit-1', revision: 0, start: 1, end: 2, keep: true, ...json },
});

beforeEach(() => {
	const meta = { service: 'local' };
	account = { credit: { total: 1, subscription: 1, payg: 0 }, meta };
	answers[`PUT ${CUTS}`] = { body: { title: 'a.wav', state: 'approved', revision: 1 } };
});

it.each([QUESTION, DECISION])('refuses another service than the local one: %p', async (what) => {
	account = { ...account, meta: {} };
	const { said } = await runOne(service, 'account', what, [item()]);
	expect(said).toMatch(/Only the local service has reviews/);
	expect(seen()).toEqual(['GET /v1/account']);
});

it.each([
	[{ keep: 'false' }, /no valid 'keep': "false"/],
	[{ keep: undefined }, /no valid 'keep': nothing/],
	[{ start: -1 }, /no valid 'start': -1/],
	[{ end: 1.5 }, /no valid 'end': 1.5/],
	[{ revision: undefined }, /'Revision' must be a whole number/],
	[{ editId: '../x' }, /'Edit ID'/],
])('refuses %p before any request', async (json, message) => {
	const { error } = await runOne(service, 'account', DECISION, [item(json)]);
	expect(error?.message).toMatch(message);
	expect(seen()).toEqual([]);
});

it.each(['={{ undefined }}', '={{ "" }}', '{}', '[1]', '[{"start":1,"end":2}]', 'x'])(
	'refuses the decisions %s',
	async (decisions) => {
		const { error } = await runOne(service, 'account', { ...DECISION, decisions }, [item()]);
		expect(error?.message).toMatch(/Decision|not valid JSON/);
		expect(seen()).toEqual([]);
	},
);

it('approves each edit once, whatever the order of its items, and refuses contradictions', async () => {
	answers['PUT /local/edits/edit-2/cuts'] = answers[`PUT ${CUTS}`];
	const items = [item(), item({ editId: 'edit-2' }), item({ start: 5, end: 6 }), item()];
	const { out } = await runOne(service, 'account', DECISION, items);
	expect(out.map(({ json }) => [json.editId, json.decided])).toEqual([
		['edit-1', 2],
		['edit-2', 1],
	]);
	expect(seen().filter((call) => call.startsWith('PUT'))).toHaveLength(2);
	service.seen.length = 0;
	const settings = { onError: 'continueRegularOutput' as const };
	const both = [item(), item({ keep: false }), item({ editId: 'edit-2' })];
	const ended = await runOne(service, 'account', DECISION, both, { settings });
	expect(ended.out.map(({ error }) => error?.message)).toEqual([
		expect.stringMatching(/contradict each other \(edit edit-1\) \[item 0\]/),
		undefined,
	]);
	const mixed = [item(), item({ start: 5, end: 6, revision: 1 })];
	const { error } = await runOne(service, 'account', DECISION, mixed);
	expect(error?.message).toMatch(/different values of 'Revision'/);
});

it('sends the key for clips to the service only, and never to where it redirects', async () => {
	const cut = {
		kind: 'breath',
		start: 1,
		end: 2,
		start_seconds: 0,
		end_seconds: 1,
		doubt: 1,
		reason: 'new',
	};
	const review = { title: 'a.wav', state: 'waiting', revision: 0, doubtful: [cut, { kind: 7 }] };
	answers[`GET ${CUTS}?doubtful=5`] = { body: review };
	const Location = 'https://elsewhere.example.com/before.mp3';
	answers[`GET ${CUTS}/1-2/before.mp3`] = { status: 302, headers: { Location } };
	const { said } = await runOne(service, 'account', QUESTION, [item()]);
	expect(said).toMatch(
		/fetch the clip 'before' of the cut at 0\.0 s: .*redirects.*\(edit edit-1\)/,
	);
	const headers = { 'Content-Type': 'audio/mpeg' };
	answers[`GET ${CUTS}/1-2/before.mp3`] = { body: Buffer.from('ID3'), headers };
	answers[`GET ${CUTS}/1-2/after.mp3`] = { body: Buffer.alloc(0), headers };
	const empty = await runOne(service, 'account', QUESTION, [item()]);
	expect(empty.said).toMatch(/clip 'after'/);
});
