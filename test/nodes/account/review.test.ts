import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { makeRecording } from '../../../testkit/media/recording';
import { itemsOf, readFile, startEngine, storeFile } from '../../../testkit/n8n/n8nEngine';
import { expectToFit } from '../../../testkit/n8n/outputSchemas';
import { chain, runChain } from '../../../testkit/n8n/workflows';
import type { Answer, SeenRequest } from '../../../testkit/service/fake/scriptedService';
import { type LocalService, startLocalService } from '../../../testkit/service/localService';
import { runOne, useService } from '../../../testkit/service/useService';

const QUESTION = { resource: 'review', operation: 'getDoubtful' };
const DECISION = { resource: 'review', operation: 'decide' };

describe('with the local service', () => {
	// The clock of the nodes may move on while an edit waits for its review.
	const local = {} as LocalService;
	beforeAll(async () => {
		await startEngine();
		Object.assign(local, await startLocalService(['--status-calls-per-minute', '100000']));
	});
	afterAll(async () => {
		await local.stop();
	});
	const recording = makeRecording({ partsSeconds: [2, 1.5, 2, 2.5, 2, 0.5, 2] });

	/** An edit that waits for its review, with its doubtful cuts as items. */
	async function questions(): Promise<INodeExecutionData[]> {
		const data = await storeFile(recording, 'talk.wav', 'audio/wav');
		const config = { preset: 'none', long_silences: true, remove_noise: 'false', review: true };
		const steps = [{ type: 'upload' }, { type: 'createEdit', parameters: config }];
		const created = await runChain(local, chain(...steps), [{ json: {}, binary: { data } }]);
		expect(created.data.resultData.error).toBeUndefined();
		const [{ json }] = itemsOf(created, 'createEdit');
		for (;;) {
			const { out, error } = await runOne(local, 'account', QUESTION, [{ json }]);
			if (error === undefined) return out;
			// Until the cuts are found, the error says so.
			expect(error.description).toContain('The cuts are still being found');
		}
	}

	/** The item of the edit's result, once there is one. */
	async function resultOf(json: IDataObject): Promise<INodeExecutionData> {
		for (;;) {
			const { out, error } = await runOne(local, 'getResult', {}, [{ json }]);
			if (error === undefined) return out[0];
			expect(error.message).toMatch(/not finished|POSTPROCESSING|still/);
		}
	}

	const decide = async (items: INodeExecutionData[], parameters: INodeParameters = {}) =>
		await runOne(local, 'account', { ...DECISION, ...parameters }, items);

	it('asks about the cuts with both clips, and finishes the edit as the items decide', async () => {
		const items = await questions();
		expect(items).toHaveLength(2);
		for (const { json, binary = {} } of items) {
			expectToFit({ type: 'account', resource: 'review', operation: 'getDoubtful' }, json);
			expect(json).toMatchObject({ sourceFileName: 'talk.wav', revision: 0, kind: 'long_silence' });
			expect(json.question).toMatch(/^Cut a pause of \d\.\d s at 0:0\d\? /);
			expect(Object.keys(binary)).toEqual(['before', 'after']);
			for (const clip of Object.values(binary)) {
				expect(clip.mimeType).toBe('audio/mpeg');
				expect((await readFile(clip)).length).toBeGreaterThan(20_000);
			}
		}
		const decided = items.map(({ json }, index) => {
			return { json: { ...json, keep: index === 0 } as IDataObject };
		});
		const { out, error } = await decide(decided);
		expect(error).toBeUndefined();
		const [{ json, pairedItem }] = out;
		expectToFit({ type: 'account', resource: 'review', operation: 'decide' }, json);
		expect([out.length, pairedItem]).toEqual([1, [{ item: 0 }, { item: 1 }]]);
		expect(json).toMatchObject({ approvedBy: 'n8n', decided: 2, kept: 1 });
		// The same items again, as after a retry of the execution, approve nothing twice.
		expect((await decide(decided)).error).toBeUndefined();
		const approvals = local.log.filter((line) => line.includes('approved by'));
		expect(approvals).toHaveLength(1);
		const { binary = {} } = await resultOf(json);
		const edited = await readFile(binary.data);
		const made = decided.filter((item) => !item.json.keep);
		const removed = made.map((item) => Number(item.json.end) - Number(item.json.start));
		const bytesGone = 2 * removed.reduce((sum, samples) => sum + samples, 0);
		expect(soundOf(edited)).toHaveLength(soundOf(recording).length - bytesGone);
		const [kept] = decided;
		const earlier = made.filter((item) => Number(item.json.end) <= Number(kept.json.start));
		const moved = earlier.length > 0 ? bytesGone : 0;
		const [from, to] = [2 * Number(kept.json.start), 2 * Number(kept.json.end)];
		const back = soundOf(edited).subarray(from - moved, to - moved);
		expect(back.equals(soundOf(recording).subarray(from, to))).toBe(true);
	}, 60_000);

	it('takes a list, refuses what came too late, and says what to do once it is decided', async () => {
		const [first, second] = await questions();
		const { start, end, editId } = first.json;
		const decisions = JSON.stringify([{ start, end, keep: true }]);
		const late = { decisions, revision: '7', decidedBy: 'Ann' };
		const { said } = await decide([first], late);
		expect(said).toMatch(/^talk\.wav: could not approve the cuts: .*\(edit .*\) \[item 0\]/);
		expect(said).toContain('Get the doubtful cuts again.');
		const { out } = await decide([first], { decisions, decidedBy: 'Ann' });
		expect(out[0].json).toMatchObject({ approvedBy: 'Ann', decided: 1, kept: 1 });
		const other = { json: { ...second.json, keep: true } };
		expect((await decide([other])).error).toBeDefined();
		for (;;) {
			const { error } = await runOne(local, 'account', QUESTION, [first]);
			if (!/is approved/.test(error?.message ?? '')) {
				expect(error?.message).toMatch(
					new RegExp(`already decided: the edit is finished \\(edit ${String(editId)}\\)`),
				);
				expect(error?.description).toContain('Audio Editing Get Result');
				break;
			}
		}
	}, 60_000);
});

function soundOf(wav: Buffer): Buffer {
	const data = wav.indexOf('data');
	return wav.subarray(data + 8, data + 8 + wav.readUInt32LE(data + 4));
}

describe('with any service', () => {
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
});
