import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { failureOf } from '../../../testkit/n8n/failures';
import { systemTime } from '../../../testkit/time/leapingTime';
import { itemsOf, readFile } from '../../../testkit/n8n/n8nEngine';
import {
	fileItem,
	fileItems,
	type RecordingService,
	useRecordingService,
} from '../../../testkit/service/recordingService';
import { runOne } from '../../../testkit/service/useService';
import { streamOf } from '../../../testkit/service/fake/scriptedService';

const service = useRecordingService();

const pathsOf = (method: string) =>
	service.seen.filter((request) => request.method === method).map(({ path }) => path);

const fetches = () => pathsOf('GET').filter((path) => path.startsWith('/files/'));

const submissions = () => pathsOf('POST').filter((path) => path === '/v2/edits');

const sourcesOf = (items: readonly INodeExecutionData[]) =>
	items.map(({ json }) => json.sourceFileName);

const NAMES = ['a.wav', 'b.wav', 'c.wav', 'd.wav', 'e.wav'];

describe('one recording', () => {
	it('goes from its only file, in any field, to the edited file in `data`, beside its json', async () => {
		const item = await fileItem('episode 12.wav', { guest: 'Ada', title: 'mine' }, 'recording');
		const { out } = await service.edit([item], { preset: 'fullEdit' });
		const { json, pairedItem, binary } = out[0];
		expect(json).toEqual({
			editId: 'edit-1',
			sourceFileName: 'episode 12.wav',
			editedFileName: 'episode 12.wav',
			finished: true,
			guest: 'Ada',
			title: 'mine',
			edit: expect.objectContaining({
				status: 'SUCCESS',
				summary: 'Short.',
				title: 'About episode 12.wav',
			}),
		});
		expect(pairedItem).toEqual({ item: 0 });
		expect(Object.keys(binary!)).toEqual(['data']);
		expect((await readFile(binary!.data)).toString()).toBe('edited edit-1');
		expect(service.uploaded).toEqual(['episode 12.wav']);
		const [{ body }] = service.seen.filter(({ path }) => path === '/v2/edits');
		expect(JSON.parse(body)).toMatchObject({
			input: { upload_type: 'singletrack', config: { fillers: true, remove_noise: true } },
		});
	});

	it('puts the edited file into the field that the form names', async () => {
		const { out } = await service.edit(await fileItems('a.wav'), { outputField: 'edited' });
		expect(Object.keys(out[0].binary!)).toEqual(['edited']);
	});

	it.each([
		['data', 'data_input'],
		['My_recording', 'My_recording'],
	])('kept from the field %s goes into the field %s', async (field, kept) => {
		const items = [await fileItem('a.wav', {}, field)];
		const [{ binary = {} }] = (await service.edit(items, { keepInputFiles: true })).out;
		expect(Object.keys(binary)).toEqual(['data', kept]);
		expect((await readFile(binary[kept])).toString()).toBe('RIFF a.wav');
	});

	it('is not deleted if the edited file is not fetched', async () => {
		const parameters = { download: ['markers'], export_timestamps: true };
		const options = { deleteWhenFetched: true };
		const { error } = await service.edit(await fileItems('a.wav'), { ...parameters, ...options });
		expect(error?.message).toMatch(/the edited file, but this node does not fetch it \[item 0\]/);
		expect(service.seen).toEqual([]);
	});
});

describe('several recordings', () => {
	it('come out in the order of the input, each fetched when it is ready', async () => {
		Object.assign(service.seconds, { 'a.wav': 900, 'b.wav': 300 });
		const { out } = await service.edit(await fileItems(...NAMES));
		expect(sourcesOf(out)).toEqual(NAMES);
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual(NAMES.map((_, item) => ({ item })));
		const [slow, slower] = ['b.wav', 'a.wav'].map((name) => out[NAMES.indexOf(name)].json.editId);
		expect(fetches().slice(-2)).toEqual([`/files/${slow}`, `/files/${slower}`]);
		// The first file is fetched long before the last edit is done.
		const paths = service.seen.map(({ path }) => path);
		const lastPoll = paths.lastIndexOf(`/v2/edits/${slower}`);
		expect(paths.indexOf(fetches()[0])).toBeLessThan(lastPoll - 10);
	});

	it('do not sink with a bad one, whose failure names file and edit', async () => {
		const items = await fileItems('a.wav', 'broken.wav', 'c.wav');
		const settings = { onError: 'continueErrorOutput' } as const;
		const { run, out } = await service.edit(items, {}, { settings });
		expect(sourcesOf(out)).toEqual(['a.wav', 'c.wav']);
		const [bad] = itemsOf(run, 'audioEditing', 1);
		expect(failureOf(bad)!.message).toMatch(
			/^broken\.wav could not be edited: .* \(edit edit-\d\) \[item 1\]$/,
		);
		const editId = expect.stringMatching(/^edit-\d$/) as string;
		expect(bad.json).toMatchObject({ editId, sourceFileName: 'broken.wav' });
	});

	it.each(['audioEditing', 'upload'])(
		"do not sink in %s with an expression that fails for the first item's own options",
		async (type) => {
			const items = await fileItems('a.wav', 'b.wav', 'c.wav');
			items[0].json.isNamed = true;
			const fileName = "={{ $json.isNamed ? $('Names').item.json.name : '' }}";
			const settings = { onError: 'continueErrorOutput' } as const;
			const access = { url: service.url, apiKey: `options-of-${type}` };
			const parameters = { files: { fileName } };
			const { run, out } = await runOne(access, type, parameters, items, { settings });
			expect(sourcesOf(out)).toEqual(['b.wav', 'c.wav']);
			expect(itemsOf(run, type, 1)).toHaveLength(1);
		},
	);

	it('are all checked before the first upload', async () => {
		const { error } = await service.edit([await fileItem('a.wav'), { json: {} }]);
		expect(error?.message).toBe('The item has no files [item 1]');
		expect(service.seen).toEqual([]);
	});
});

describe('several recordings of which one fails', () => {
	it('end with the first failure, which names what was charged', async () => {
		Object.assign(service.seconds, { 'broken.wav': 31, 'c.wav': 3_000 });
		const { error } = await service.edit(await fileItems('broken.wav', 'c.wav'));
		expect(error?.message).toMatch(/^broken\.wav could not be edited: .* \(edit edit-\d\)/);
		expect(error?.description).toMatch(/ Created in this run: edit-\d \('c\.wav'\)\.$/);
		expect(fetches()).toEqual([]);
		// Both edits after 3, 10, 20, 30 and 40 s.
		expect(pathsOf('GET').length).toBeLessThanOrEqual(10);
	});

	it('are not uploaded any more after a failure that ends the node', async () => {
		service.fault = ({ path }) =>
			path === '/v2/upload?filename=a.wav' ? { status: 422 } : undefined;
		const options = { transfersAtOnce: 1 };
		const { error } = await service.edit(await fileItems(...NAMES), options);
		expect(error?.message).toContain('[item 0]');
		expect(pathsOf('POST')).toEqual(['/v2/upload?filename=a.wav']);
	});

	it('are not tried again for minutes after a failure that ends the node', async () => {
		const startedAtMs = systemTime.now();
		const limited = { status: 429, headers: { 'Retry-After': '60' } };
		service.fault = ({ path, body }) => {
			if (path !== '/v2/edits') return undefined;
			return body.includes('/u0.wav') ? { status: 422 } : limited;
		};
		const { error } = await service.edit(Array.from({ length: 20 }, (_, n) => `u${n}.wav`));
		expect(error?.message).toContain('[item 0]');
		expect(systemTime.now() - startedAtMs).toBeLessThan(60_000);
		expect(service.charged).toEqual([]);
	});

	it('are not submitted any more after a failure that ends the node', async () => {
		service.fault = ({ path, body }) =>
			path === '/v2/edits' && body.includes('/u2.wav') ? { status: 422 } : undefined;
		const { error } = await service.edit(Array.from({ length: 60 }, (_, n) => `u${n}.wav`));
		expect(error?.message).toContain('[item 2]');
		expect(service.charged.length).toBeLessThan(8);
	});
});

it('several recordings are not fetched any more after a failure that ends the node', async () => {
	service.fault = ({ path }) => (path.startsWith('/files/') ? { status: 404 } : undefined);
	const { error } = await service.edit(['a.wav', 'b.wav', 'c.wav'], { transfersAtOnce: 1 });
	expect(error?.message).toContain('could not download the edited file');
	expect(new Set(fetches()).size).toBe(1);
});

it('several recordings are downloaded at once', async () => {
	let begun = () => {};
	const second = new Promise<void>((resolve) => (begun = resolve));
	async function* afterTheSecond() {
		await second;
		yield Buffer.from('sound');
	}
	service.fault = ({ path }) => {
		if (!path.startsWith('/files/')) return undefined;
		if (new Set(fetches()).size === 2) begun();
		return { body: streamOf(afterTheSecond()) };
	};
	const { out } = await service.edit(['a.wav', 'b.wav']);
	expect(out).toHaveLength(2);
});

describe('never twice', () => {
	const RETRY = { settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } };

	it('Retry On Fail goes on where it was: no second upload, no second charge', async () => {
		let refusals = 0;
		service.fault = ({ path }) =>
			path.startsWith('/files/') && ++refusals < 9 ? { status: 500 } : undefined;
		const { out, error } = await service.edit(await fileItems('a.wav', 'b.wav'), {}, RETRY);
		expect(error).toBeUndefined();
		expect(out).toHaveLength(2);
		expect(service.uploaded.sort()).toEqual(['a.wav', 'b.wav']);
		expect(service.charged.sort()).toEqual(['a.wav', 'b.wav']);
	});

	it('an upload is not repeated if the submission was refused', async () => {
		service.fault = ({ path }) =>
			path === '/v2/edits' && submissions().length === 1 ? { status: 422 } : undefined;
		const { out } = await service.edit(await fileItems('a.wav'), {}, RETRY);
		expect(out).toHaveLength(1);
		expect(service.uploaded).toEqual(['a.wav']);
		expect(service.charged).toEqual(['a.wav']);
	});

	it('a field error of the input does not make Retry On Fail run the node again', async () => {
		const error = { message: 'an earlier node failed' };
		const options = { deleteWhenFetched: true };
		const { out } = await service.edit([await fileItem('a.wav', { error })], options, RETRY);
		expect(fetches()).toHaveLength(1);
		await systemTime.sleep(2_000);
		expect(service.deleted).toHaveLength(1);
		expect(out[0].json).toMatchObject({ finished: true });
		const [kept] = (await service.edit([await fileItem('b.wav', { error })])).out;
		expect(kept.json.error).toEqual(error);
	});
});

describe('the failure of a charged edit', () => {
	const WAY =
		/enter its ID in an Audio Editing Get Result node.*A new execution may create another edit/;
	const adviceOf = async (name: string, parameters: INodeParameters = {}) =>
		(await service.edit(await fileItems(name), parameters)).error?.description;

	it.each<[string, RecordingService['fault'], INodeParameters]>([
		[
			'has no link',
			({ path }) =>
				path.startsWith('/v2/edits/')
					? { body: { task_id: 'edit-1', status: 'SUCCESS', result: {} } }
					: undefined,
			{},
		],
		[
			'has a dead link',
			({ path }) => (path.startsWith('/files/') ? { status: 404 } : undefined),
			{},
		],
		['is refused', ({ path }) => (path.startsWith('/v2/edits/') ? { status: 401 } : undefined), {}],
		['is not finished', () => undefined, { maximumWaitMinutes: 0 }],
	])('that %s says how to get its result without a second charge', async (_how, fault, form) => {
		service.fault = fault;
		const advice = await adviceOf('a.wav', form);
		expect(advice).toMatch(WAY);
		expect(advice).not.toMatch(/run (this node|it) again/i);
	});

	it('does not promise a result that the service could not make', async () => {
		expect(await adviceOf('broken.wav')).not.toMatch(WAY);
	});
});
