import type { INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';

import { failureOf } from '../../support/failures';
import { systemTime } from '../../support/leapingTime';
import { itemsOf, readFile, storeFile } from '../../support/n8nEngine';
import { type RecordingService, useRecordingService } from '../../support/recordingService';
import { chain, type NodeSpec, runChain } from '../../support/workflows';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

const NODE = 'audioEditing';

const service = useRecordingService();

async function fileItem(name: string, json = {}, field = 'data'): Promise<INodeExecutionData> {
	const binary = await storeFile(Buffer.from(`RIFF ${name}`), name, 'audio/wav');
	return { json, binary: { [field]: binary } };
}

const urlItem = (name: string): INodeExecutionData => ({
	json: { fileUrl: `https://files.example.com/${name}` },
});

let runs = 0;

async function edit(
	items: INodeExecutionData[],
	parameters: INodeParameters = {},
	settings: NodeSpec['settings'] = {},
): Promise<IRun> {
	const access = { url: service.url, apiKey: `key-${++runs}` };
	return await runChain(access, chain({ type: NODE, parameters, settings }), items);
}

const pathsOf = (method: string) =>
	service.seen.filter((request) => request.method === method).map(({ path }) => path);

describe('one recording', () => {
	it('goes from its only file, in any field, to the edited file in `data`, beside its json', async () => {
		const item = await fileItem('episode 12.wav', { guest: 'Ada', title: 'mine' }, 'recording');
		const run = await edit([item], { preset: 'fullEdit' });
		const [made] = itemsOf(run, NODE);
		expect(made.json).toEqual({
			guest: 'Ada',
			title: 'mine',
			editId: 'edit-1',
			sourceFileName: 'episode 12.wav',
			finished: true,
			edit: expect.objectContaining({
				editId: 'edit-1',
				status: 'SUCCESS',
				title: 'About episode%2012.wav',
				summary: 'Short.',
			}),
		});
		expect(made.pairedItem).toEqual({ item: 0 });
		expect(Object.keys(made.binary!)).toEqual(['data']);
		expect((await readFile(made.binary!.data)).toString()).toBe('edited edit-1');
		expect(service.uploaded).toEqual(['episode%2012.wav']);
		const [body] = service.seen.filter(({ path }) => path === '/v2/edits');
		expect(JSON.parse(body.body)).toMatchObject({
			input: { upload_type: 'singletrack', config: { fillers: true, remove_noise: true } },
		});
	});

	it.each([
		['data', 'data_input'],
		['My_recording', 'My_recording'],
	])('kept from the field %s goes into the field %s', async (field, kept) => {
		const items = [await fileItem('a.wav', {}, field)];
		const [{ binary = {} }] = itemsOf(await edit(items, { keepInputFiles: true }), NODE);
		expect(Object.keys(binary)).toEqual(['data', kept]);
		expect((await readFile(binary[kept])).toString()).toBe('RIFF a.wav');
	});

	it.each([
		['nothing', []],
		['only markers', ['markers']],
		['all but the edited file', ['markers', 'merged']],
	])('is not deleted if %s is fetched', async (_what, download) => {
		const outputs = { export_timestamps: true, video: true, audio_for_edl: true };
		const parameters = { download, ...outputs, options: { deleteWhenFetched: true } };
		const { error } = (await edit([await fileItem('a.wav')], parameters)).data.resultData;
		expect(error?.message).toMatch(/would delete the edited file, which is not fetched \[item 0\]/);
		expect(service.seen).toEqual([]);
	});
});

describe('several recordings', () => {
	const names = ['a.wav', 'b.wav', 'c.wav', 'd.wav', 'e.wav'];

	it('come out in the order of the input, each fetched when it is ready', async () => {
		Object.assign(service.seconds, { 'a.wav': 900, 'b.wav': 300 });
		const run = await edit(await Promise.all(names.map(async (name) => await fileItem(name))));
		const made = itemsOf(run, NODE);
		expect(made.map(({ json }) => json.sourceFileName)).toEqual(names);
		expect(made.map(({ pairedItem }) => pairedItem)).toEqual(names.map((_, item) => ({ item })));
		const fetched = pathsOf('GET').filter((path) => path.startsWith('/files/'));
		const idOf = (name: string) =>
			made.find(({ json }) => json.sourceFileName === name)!.json.editId;
		expect(fetched.slice(-2)).toEqual([`/files/${idOf('b.wav')}`, `/files/${idOf('a.wav')}`]);
		// The first file is fetched long before the last edit is done.
		const paths = service.seen.map(({ path }) => path);
		expect(paths.indexOf(fetched[0])).toBeLessThan(
			paths.lastIndexOf(`/v2/edits/${idOf('a.wav')}`) - 10,
		);
	});

	it('do not sink with a bad one, whose failure names file and edit', async () => {
		const items = await Promise.all(['a.wav', 'broken.wav', 'c.wav'].map((n) => fileItem(n)));
		const run = await edit(items, {}, { onError: 'continueErrorOutput' });
		const good = itemsOf(run, NODE).map(({ json }) => json.sourceFileName);
		expect(good).toEqual(['a.wav', 'c.wav']);
		const [bad] = itemsOf(run, NODE, 1);
		expect(failureOf(bad)!.message).toMatch(
			/^Edit edit-\d ended with status FAILURE.*\(source file 'broken\.wav'\) \[item 1\]$/,
		);
		const editId = expect.stringMatching(/^edit-\d$/) as string;
		expect(bad.json).toMatchObject({ editId, sourceFileName: 'broken.wav' });
	});

	it.each(['audioEditing', 'upload'])(
		"do not sink in %s with an expression that fails for the first item's own options",
		async (type) => {
			const items = await Promise.all(['a.wav', 'b.wav', 'c.wav'].map((name) => fileItem(name)));
			items[0].json.isNamed = true;
			const options = { fileName: "={{ $json.isNamed ? $('Names').item.json.name : '' }}" };
			const settings = { onError: 'continueErrorOutput' } as const;
			const access = { url: service.url, apiKey: `key-${++runs}` };
			const workflow = chain({ type, parameters: { options }, settings });
			const run = await runChain(access, workflow, items);
			const names = itemsOf(run, type).map(({ json }) => json.sourceFileName);
			expect(names).toEqual(['b.wav', 'c.wav']);
			expect(itemsOf(run, type, 1)).toHaveLength(1);
		},
	);

	it('are all checked before the first upload', async () => {
		const items = [await fileItem('a.wav'), { json: {} }];
		const run = await edit(items);
		expect(run.data.resultData.error?.message).toBe('The item has no file [item 1]');
		expect(service.seen).toEqual([]);
	});

	it('end with the first failure, which names what was charged', async () => {
		Object.assign(service.seconds, { 'broken.wav': 31, 'c.wav': 3_000 });
		const items = await Promise.all(['broken.wav', 'c.wav'].map(async (n) => await fileItem(n)));
		const { error } = (await edit(items)).data.resultData;
		expect(error?.message).toContain("(source file 'broken.wav')");
		expect(error?.description).toMatch(/Created in this run, and charged: edit-\d, edit-\d\./);
		expect(pathsOf('GET').filter((path) => path.startsWith('/files/'))).toEqual([]);
		expect(pathsOf('GET').length).toBeLessThan(6);
	});

	it('are not uploaded any more after a failure that ends the node', async () => {
		service.fault = ({ path }) =>
			path === '/v2/upload?filename=a.wav' ? { status: 422 } : undefined;
		const items = await Promise.all(names.map(async (name) => await fileItem(name)));
		const { error } = (await edit(items, { options: { transfersAtOnce: 1 } })).data.resultData;
		expect(error?.message).toContain('[item 0]');
		expect(pathsOf('POST')).toEqual(['/v2/upload?filename=a.wav']);
	});

	it('are not tried again for minutes after a failure that ends the node', async () => {
		const startedAtMs = systemTime.now();
		service.fault = ({ path, body }) => {
			if (path !== '/v2/edits') return undefined;
			return body.includes('/u0.wav')
				? { status: 422 }
				: { status: 429, headers: { 'Retry-After': '60' } };
		};
		const items = Array.from({ length: 20 }, (_, n) => urlItem(`u${n}.wav`));
		const { error } = (await edit(items, { recordingFrom: 'url' })).data.resultData;
		expect(error?.message).toContain('[item 0]');
		expect(systemTime.now() - startedAtMs).toBeLessThan(60_000);
		expect(service.charged).toEqual([]);
	});

	it('are not submitted any more after a failure that ends the node', async () => {
		const refused = ({ path, body }: { path: string; body: string }) =>
			path === '/v2/edits' && body.includes('/u2.wav') ? { status: 422 } : undefined;
		service.fault = refused;
		const items = Array.from({ length: 60 }, (_, n) => urlItem(`u${n}.wav`));
		const { error } = (await edit(items, { recordingFrom: 'url' })).data.resultData;
		expect(error?.message).toContain('[item 2]');
		expect(service.charged.length).toBeLessThan(8);
	});
});

describe('never twice', () => {
	const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	it('Retry On Fail goes on where it was: no second upload, no second charge', async () => {
		let refusals = 0;
		service.fault = ({ path }) =>
			path.startsWith('/files/') && ++refusals < 9 ? { status: 500 } : undefined;
		const items = await Promise.all(['a.wav', 'b.wav'].map(async (name) => await fileItem(name)));
		const run = await edit(items, {}, RETRY);
		expect(run.data.resultData.error).toBeUndefined();
		expect(itemsOf(run, NODE)).toHaveLength(2);
		expect(service.uploaded.sort()).toEqual(['a.wav', 'b.wav']);
		expect(service.charged.sort()).toEqual(['a.wav', 'b.wav']);
	});

	it('an upload is not repeated if the submission was refused', async () => {
		let submissions = 0;
		service.fault = ({ method, path }) =>
			method === 'POST' && path === '/v2/edits' && ++submissions === 1
				? { status: 422 }
				: undefined;
		const run = await edit([await fileItem('a.wav')], {}, RETRY);
		expect(itemsOf(run, NODE)).toHaveLength(1);
		expect(service.uploaded).toEqual(['a.wav']);
		expect(service.charged).toEqual(['a.wav']);
	});

	it('a field error of the input does not make Retry On Fail run the node again', async () => {
		const error = { message: 'an earlier node failed' };
		const options = { deleteWhenFetched: true };
		const [made] = itemsOf(
			await edit([await fileItem('a.wav', { error })], { options }, RETRY),
			NODE,
		);
		expect(pathsOf('GET').filter((path) => path.startsWith('/files/'))).toHaveLength(1);
		await systemTime.sleep(2_000);
		expect(service.deleted).toHaveLength(1);
		expect(made.json).toMatchObject({ finished: true });
		const [kept] = itemsOf(await edit([await fileItem('b.wav', { error })]), NODE);
		expect(kept.json.error).toEqual(error);
	});
});

describe('the failure of a charged edit', () => {
	const way = /Edit edit-1 is charged\. A new execution may create another one.*Get Result/;
	const failing = async (fault: RecordingService['fault'], parameters: INodeParameters = {}) => {
		service.fault = fault;
		const { error } = (await edit([await fileItem('a.wav')], parameters)).data.resultData;
		return error?.description;
	};

	it('says how to get its result without a second charge', async () => {
		const status = ({ method, path }: { method: string; path: string }) =>
			method === 'GET' && path.startsWith('/v2/edits/');
		const noLink = { body: { task_id: 'edit-1', status: 'SUCCESS', result: {} } };
		const unfetched = await failing((request) => (status(request) ? noLink : undefined));
		expect(unfetched).toMatch(way);
		expect(unfetched).not.toMatch(/run (this node|it) again/i);
		service.reset();
		const gone = ({ path }: { path: string }) =>
			path.startsWith('/files/') ? { status: 404 } : undefined;
		expect(await failing(gone)).toMatch(way);
		service.reset();
		expect(await failing((request) => (status(request) ? { status: 401 } : undefined))).toMatch(
			way,
		);
		service.reset();
		expect(await failing(() => undefined, { maximumWaitMinutes: 0 })).toMatch(way);
	});

	it('does not promise a result that the service could not make', async () => {
		const run = await edit([await fileItem('broken.wav')]);
		expect(run.data.resultData.error?.description).not.toMatch(way);
	});
});

describe('when the time is up', () => {
	beforeEach(() => Object.assign(service.seconds, { 'slow.wav': 600 }));

	it('the item fails, and says where its edit is', async () => {
		const run = await edit([await fileItem('slow.wav')], { maximumWaitMinutes: 2 });
		expect(run.data.resultData.error?.message).toMatch(
			/^Edit edit-1 did not finish in time.*\(source file 'slow\.wav'\) \[item 0\]$/,
		);
	});

	it('the item goes on if the form says so', async () => {
		const parameters = { maximumWaitMinutes: 2, whenTimeIsUp: 'passOn' };
		const [item] = itemsOf(await edit([await fileItem('slow.wav')], parameters), NODE);
		expect(item.json).toMatchObject({ editId: 'edit-1', finished: false });
	});

	it('three rounds of a loop over the second output are one submission', async () => {
		const parameters = { maximumWaitMinutes: 4, whenTimeIsUp: 'secondOutput' };
		const later = await fileItem('slow.wav', { guest: 'Ada' }, 'recording');
		let items = [later, await fileItem('quick.wav', {}, 'recording')];
		const edited: INodeExecutionData[] = [];
		for (let round = 1; round <= 3; round++) {
			const run = await edit(items, parameters);
			expect(run.data.resultData.error).toBeUndefined();
			edited.push(...itemsOf(run, NODE));
			items = itemsOf(run, NODE, 1);
			if (round < 3) expect(items).toHaveLength(1);
		}
		expect(items).toEqual([]);
		expect(service.charged).toEqual(expect.arrayContaining(['slow.wav', 'quick.wav']));
		expect(service.charged).toHaveLength(2);
		expect(service.uploaded).toHaveLength(2);
		expect(edited.map(({ json }) => json.sourceFileName)).toEqual(['quick.wav', 'slow.wav']);
		expect(edited[1].json).toMatchObject({ guest: 'Ada', finished: true });
		expect(edited[1].json.edit).not.toHaveProperty('nodeId');
		expect(Object.keys(edited[1].binary!)).toEqual(['data']);
	});

	it("another node's unfinished edit is this node's source", async () => {
		const parameters = { maximumWaitMinutes: 2, whenTimeIsUp: 'passOn' };
		const [item] = itemsOf(await edit([await fileItem('slow.wav')], parameters), NODE);
		await edit([item], {}, { id: 'another' });
		expect(service.charged).toEqual(['slow.wav', 'slow.wav']);
	});
});
