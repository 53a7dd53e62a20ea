import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { callAsTool } from '../support/callAsTool';
import { itemsOf, startEngine } from '../support/n8nEngine';
import {
	type Answer,
	type ScriptedService,
	startScriptedService,
} from '../support/scriptedService';
import { type NodeSpec, chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/scaledTime'));

let service: ScriptedService;
let answer: (number: number) => Answer;

beforeAll(async () => {
	await startEngine();
	let created = 0;
	service = await startScriptedService(() => {
		created += 1;
		return answer(created);
	});
});

beforeEach(() => {
	let edits = 0;
	service.seen.length = 0;
	answer = () => ({ body: { id: `edit-${++edits}` } });
});

afterAll(async () => {
	await service.stop();
});

const FILE = 'https://files.example.com/a.wav';

async function create(
	parameters: INodeParameters = {},
	items: IDataObject[] = [{ fileUrl: FILE }],
	settings: NodeSpec['settings'] = {},
) {
	const workflow = chain({ type: 'createEdit', parameters, settings });
	const run = await runChain(
		service,
		workflow,
		items.map((json) => ({ json })),
	);
	const bodies = service.seen.map(({ body }) => JSON.parse(body) as { input: IDataObject });
	return { run, out: itemsOf(run, 'createEdit'), error: run.data.resultData.error, bodies };
}

describe('presets and options', () => {
	it.each<[string, IDataObject]>([
		['enhance', { remove_noise: true, normalize: true }],
		['studioPolish', { remove_noise: true, normalize: true, studio_sound: true }],
		[
			'fullEdit',
			{
				remove_noise: true,
				normalize: true,
				fillers: true,
				long_silences: true,
				mouth_sounds: true,
				breath: true,
				stutters: true,
			},
		],
		['transcriptOnly', { transcription: true }],
		['fullAnalysis', { transcription: true, summarize: true, social_content: true }],
		['none', {}],
	])('%s sends its keys', async (preset, config) => {
		const { bodies } = await create({ preset });
		expect(bodies).toEqual([{ input: { files: [FILE], config, upload_type: 'singletrack' } }]);
	});

	it('options override the preset; words for yes and no become booleans', async () => {
		const { bodies } = await create({
			preset: 'fullEdit',
			options: { breath: 'natural', remove_noise: 'false', fillers: false, target_lufs: -18 },
		});
		expect(bodies[0].input.config).toEqual({
			breath: 'natural',
			remove_noise: false,
			fillers: false,
			target_lufs: -18,
			normalize: true,
			long_silences: true,
			mouth_sounds: true,
			stutters: true,
		});
	});

	it('JSON is taken as it is', async () => {
		const { bodies } = await create({ configure: 'json', configJson: '{"fillers": true}' });
		expect(bodies[0].input.config).toEqual({ fillers: true });
	});

	it('noise reduction goes to its own endpoint', async () => {
		await create({ jobType: 'noise' });
		expect(service.seen.map(({ path }) => path)).toEqual(['/v2/noise']);
	});

	it('a template is named', async () => {
		const templateId = { __rl: true, mode: 'id', value: '12' };
		const { bodies, out } = await create({ configure: 'template', templateId });
		expect(bodies[0].input).toMatchObject({ template_id: 12, config: {} });
		expect(out[0].json.templateId).toBe(12);
	});
});

describe('tracks', () => {
	it('several URLs in one item are tracks of one recording', async () => {
		const fileUrls = `${FILE}\nhttps://files.example.com/b.wav`;
		const { bodies } = await create({ fileUrls, options: { merge: true } });
		expect(bodies[0].input).toMatchObject({
			files: [FILE, 'https://files.example.com/b.wav'],
			upload_type: 'multitrack',
		});
	});

	it('all items may be the tracks of one recording: one edit, paired with all of them', async () => {
		const items = ['a', 'b', 'c'].map((name) => ({ fileUrl: `https://f.example.com/${name}.wav` }));
		const { out, bodies } = await create({ itemsAre: 'tracks' }, items);
		expect(bodies).toHaveLength(1);
		expect(bodies[0].input.files).toHaveLength(3);
		expect(out).toHaveLength(1);
		expect(out[0].pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	});

	it('items are recordings of their own otherwise', async () => {
		const { out, bodies } = await create({}, [{ fileUrl: FILE }, { fileUrl: FILE }]);
		expect(bodies).toHaveLength(2);
		expect(out.map(({ json, pairedItem }) => [json.editId, pairedItem])).toEqual([
			['edit-1', { item: 0 }],
			['edit-2', { item: 1 }],
		]);
	});
});

describe('what cannot work is said before a request is spent', () => {
	it.each<[string, INodeParameters, RegExp]>([
		['merge without tracks', { options: { merge: true } }, /'Merge Tracks' needs several tracks/],
		[
			'EDL audio without video',
			{ options: { audio_for_edl: true } },
			/'Audio for EDL' works for video/,
		],
		[
			'music without noise removal',
			{ options: { keep_music: true, remove_noise: 'false' } },
			/'Keep Music'/,
		],
		[
			'a target without normalize',
			{ preset: 'none', options: { target_lufs: -16 } },
			/'Target Loudness'/,
		],
		['a target out of range', { options: { target_lufs: -3 } }, /'Target Loudness \(LUFS\)'/],
		['an unknown key', { configure: 'json', configJson: '{"filers": true}' }, /filers/],
		['a list as configuration', { configure: 'json', configJson: '[]' }, /Configuration \(JSON\)/],
		['broken JSON', { configure: 'json', configJson: '{"a": ' }, /not valid JSON/],
		['no file', { fileUrls: '={{ $json.nothing }}' }, /'File URLs' is empty/],
		['a path', { fileUrls: '/home/me/a.wav' }, /not an http or https URL/],
		[
			'a template that is no number',
			{ configure: 'template', templateId: { __rl: true, mode: 'id', value: '={{ "x" }}' } },
			/whole number/,
		],
		['an unknown preset', { preset: '={{ "Enhance" }}' }, /'Preset' is not known: 'Enhance'/],
	])('%s', async (_name, parameters, message) => {
		const { error } = await create(parameters);
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Nothing was sent.');
		expect(service.seen).toEqual([]);
	});
});

it('a signed URL is delivered to the service and to nobody else', async () => {
	const signedUrl = 'https://bucket.example.com/out.mp3?X-Amz-Signature=topsecret';
	const { run, bodies } = await create({ options: { signed_url: signedUrl } });
	expect(bodies[0].input.config).toMatchObject({ signed_url: signedUrl });
	const outputs = itemsOf(run, 'createEdit');
	expect(outputs[0].json.config).toMatchObject({
		signed_url: 'https://bucket.example.com/out.mp3',
	});
	expect(JSON.stringify(run.data.executionData?.contextData)).not.toContain('topsecret');
});

describe('one bad item', () => {
	const bad = (number: number): Answer =>
		number === 2
			? {
					status: 422,
					body: { detail: [{ loc: ['body', 'input', 'files', 0], msg: 'no', type: 'x' }] },
				}
			: { body: { id: `edit-${number}` } };
	const items = ['a', 'b', 'c'].map((name) => ({ fileUrl: `https://f.example.com/${name}.wav` }));

	beforeEach(() => {
		let calls = 0;
		answer = () => bad(++calls);
	});

	it('goes to the error output, the others go on', async () => {
		const { run } = await create({}, items, { onError: 'continueErrorOutput' });
		expect(itemsOf(run, 'createEdit', 0).map(({ json }) => json.editId)).toEqual([
			'edit-1',
			'edit-3',
		]);
		const [failed] = itemsOf(run, 'createEdit', 1);
		expect(failed.json.error).toContain('files.0: no');
		expect(failed.error).toMatchObject({ httpCode: '422', context: { itemIndex: 1 } });
		expect(failed.pairedItem).toEqual({ item: 1 });
	});

	it('stays in its place when the workflow continues', async () => {
		const { out } = await create({}, items, { onError: 'continueRegularOutput' });
		expect(out.map(({ json }) => json.editId)).toEqual(['edit-1', undefined, 'edit-3']);
		expect(out[1].error).toMatchObject({ httpCode: '422' });
	});

	it('ends the node otherwise, with the ids that were paid for', async () => {
		const { error } = await create({}, items);
		expect(error?.message).toContain('[item 1]');
		expect(error?.description).toContain('Created in this run, and paid for: edit-1.');
	});
});

describe('never twice', () => {
	const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
	const items = [
		{ fileUrl: 'https://f.example.com/a.wav' },
		{ fileUrl: 'https://f.example.com/b.wav' },
	];

	it('Retry On Fail submits only what was not accepted', async () => {
		let calls = 0;
		answer = () => {
			calls += 1;
			return calls === 2
				? { status: 409, body: { detail: 'busy' } }
				: { body: { id: `edit-${calls}` } };
		};
		const { out, bodies } = await create({}, items, RETRY);
		expect(out.map(({ json }) => json.editId)).toEqual(['edit-1', 'edit-3']);
		expect(bodies.map(({ input }) => (input.files as string[])[0])).toEqual([
			items[0].fileUrl,
			items[1].fileUrl,
			items[1].fileUrl,
		]);
	});

	it('a submission that may have been taken is not repeated, not even by Retry On Fail', async () => {
		answer = () => ({ cut: true });
		const { error } = await create({}, [items[0]], RETRY);
		expect(service.seen).toHaveLength(1);
		expect(error?.message).toMatch(/not sent again/);
	});

	it('an item whose request looks different in the second run is the same item', async () => {
		let calls = 0;
		answer = () => (++calls === 2 ? { status: 409 } : { body: { id: `edit-${calls}` } });
		const options = {
			signed_url: '=https://b.example.com/x?t={{ $now.toMillis() + Math.random() }}',
		};
		const { out } = await create({ options }, items, RETRY);
		expect(out.map(({ json }) => json.editId)).toEqual(['edit-1', 'edit-3']);
		expect(service.seen).toHaveLength(3);
	});

	it('names what was paid for also when the last try refuses to send again', async () => {
		let calls = 0;
		answer = () => (++calls === 2 ? { status: 500 } : { body: { id: `edit-${calls}` } });
		const { error } = await create({}, items, RETRY);
		expect(service.seen).toHaveLength(2);
		expect(error?.message).toMatch(/not sent again/);
		expect(error?.description).toContain('paid for: edit-1.');
	});

	it('reads every item before the first is submitted', async () => {
		const { error } = await create({}, [items[0], { fileUrl: 'no url' }]);
		expect(error?.message).toMatch(/'File URLs'.*\[item 1\]/);
		expect(service.seen).toEqual([]);
	});

	it('an agent that tries a tool again does not pay again', async () => {
		answer = () => ({ status: 500, body: { detail: 'down' } });
		const told = await callAsTool(service, 'createEdit', { fileUrls: FILE }, 5);
		expect(service.seen).toHaveLength(1);
		expect(told).toMatch(/not sent again/);
	});

	it('a refused submission is repeated after 429', async () => {
		let calls = 0;
		answer = () => {
			calls += 1;
			return calls < 3
				? { status: 429, body: { error: { code: 'E9001', message: 'slow down' } } }
				: { body: { id: 'edit-1' } };
		};
		const { out } = await create();
		expect(out[0].json.editId).toBe('edit-1');
		expect(service.seen).toHaveLength(3);
	});
});
