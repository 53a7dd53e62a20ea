import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { makeRecording } from '../../../testkit/media/recording';
import { itemsOf, storeFile } from '../../../testkit/n8n/n8nEngine';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import {
	fileItem,
	fileItems,
	useRecordingService,
} from '../../../testkit/service/recordingService';

const TRACKS = { itemsAre: 'tracks' };
const NAMES = ['host.wav', 'guest.wav'];

useProcessedData();
const service = useRecordingService();

const bodies = () =>
	service.seen
		.filter(({ method, path }) => method === 'POST' && path === '/v2/edits')
		.map(({ body }) => JSON.parse(body) as { input: { upload_type: string; files: string[] } });

describe('the items of one recording', () => {
	it('become one edit of several tracks, and one item', async () => {
		const { out, error } = await service.edit(await fileItems(...NAMES), TRACKS);
		expect(error).toBeUndefined();
		expect(out).toHaveLength(1);
		expect(out[0].pairedItem).toEqual([{ item: 0 }, { item: 1 }]);
		expect(out[0].json).toMatchObject({
			sourceFileName: 'host.wav, guest.wav',
			sourceFileNames: NAMES,
			finished: true,
		});
		expect(service.uploaded).toEqual(NAMES);
		const [{ input }] = bodies();
		expect(bodies()).toHaveLength(1);
		expect(input.upload_type).toBe('multitrack');
		expect(input.files.map((file) => new URL(file).pathname.split('/').at(-1))).toEqual(NAMES);
	});

	it('are in fields that an expression names for each item', async () => {
		const items = [await fileItem('host.wav', { at: 'mic1' }, 'mic1')];
		items.push(await fileItem('guest.wav', { at: 'mic2' }, 'mic2'));
		const cover = await storeFile(Buffer.from('x'), 'cover.png', 'image/png');
		for (const { binary } of items) Object.assign(binary!, { cover });
		await service.edit(items, { ...TRACKS, binaryPropertyName: '={{ $json.at }}' });
		expect(service.uploaded).toEqual(NAMES);
	});

	it('may be URLs', async () => {
		await service.edit(NAMES, TRACKS);
		expect(bodies().map(({ input }) => input.files)).toEqual([
			NAMES.map((name) => `https://files.example.com/${name}`),
		]);
	});

	it('keep the files of all if the form says so, and the length is that of the longest', async () => {
		const tracks = [[1], [3]].map(async (partsSeconds, index): Promise<INodeExecutionData> => {
			const data = await storeFile(makeRecording({ partsSeconds }), NAMES[index], 'audio/wav');
			return { json: {}, binary: { data } };
		});
		const parameters = { ...TRACKS, keepInputFiles: true };
		const { out } = await service.edit(await Promise.all(tracks), parameters);
		const names = Object.values(out[0].binary ?? {}).map(({ fileName }) => fileName);
		expect(names.slice(1)).toEqual(NAMES);
		expect(out[0].json.edit).toMatchObject({ durationBeforeSeconds: 3 });
	});
});

describe('the items of one recording, if something happens,', () => {
	it('fail together, and nothing is charged', async () => {
		const items = [...(await fileItems('host.wav')), { json: {} }];
		const settings = { onError: 'continueErrorOutput' } as const;
		const { run } = await service.edit(items, TRACKS, { settings });
		const failed = itemsOf(run, 'audioEditing', 1);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([[{ item: 0 }, { item: 1 }]]);
		expect(service.charged).toEqual([]);
	});

	it('go on with their edit after the time was up, and are charged once', async () => {
		service.seconds['host.wav'] = 600;
		const parameters: INodeParameters = {
			...TRACKS,
			maximumWaitMinutes: 2,
			whenTimeIsUp: 'passOn',
		};
		const { out } = await service.edit(await fileItems(...NAMES), parameters);
		expect(out.map(({ json }) => json.finished)).toEqual([false]);
		const { out: edited } = await service.edit(out, TRACKS);
		expect(edited.map(({ json }) => json.finished)).toEqual([true]);
		expect(service.charged).toHaveLength(1);
	});

	it.each(['nameAndSize', 'content'])('are recognized together by %s', async (skipEdited) => {
		const execution = async () =>
			await service.edit(await fileItems(...NAMES), { ...TRACKS, skipEdited });
		await execution();
		const { run } = await execution();
		expect(itemsOf(run, 'audioEditing', 1)).toHaveLength(1);
		expect(service.charged).toHaveLength(1);
	});
});

it('one track that is to be merged is refused with the way to several', async () => {
	const { error } = await service.edit(await fileItems(...NAMES), { merge: true, normalize: true });
	expect(error?.message).toContain(
		"'Merge Tracks' needs several tracks, but there is only one file",
	);
	expect(error?.description).toContain("set 'Treat Input Items As' to 'Tracks of One Recording'");
	expect(service.charged).toEqual([]);
});
