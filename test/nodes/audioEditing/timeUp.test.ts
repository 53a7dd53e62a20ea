import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { callAsTool } from '../../../testkit/n8n/callAsTool';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import {
	fileItem,
	fileItems,
	useRecordingService,
} from '../../../testkit/service/recordingService';

const service = useRecordingService();
const sourcesOf = (items: readonly INodeExecutionData[]) =>
	items.map(({ json }) => json.sourceFileName);

beforeEach(() => Object.assign(service.seconds, { 'slow.wav': 600 }));

describe('when the time is up', () => {
	const TWO_MINUTES = { maximumWaitMinutes: 2 };

	it("the item goes on if the form says so, and is another node's source", async () => {
		const parameters = { ...TWO_MINUTES, whenTimeIsUp: 'passOn' };
		const { out } = await service.edit(await fileItems('slow.wav'), parameters);
		expect(out[0].json).toMatchObject({ editId: 'edit-1', finished: false });
		await service.edit(out, {}, { settings: { id: 'another' } });
		expect(service.charged).toEqual(['slow.wav', 'slow.wav']);
	});

	it('a hint says how many recordings are edited, and how many still run', async () => {
		const parameters = { ...TWO_MINUTES, whenTimeIsUp: 'passOn' };
		const { hints } = await service.edit(await fileItems('slow.wav', 'quick.wav'), parameters);
		expect(hints).toContain('1 edited, 1 still running');
	});

	it('three rounds of a loop over the second output are one submission', async () => {
		const parameters = { maximumWaitMinutes: 4, whenTimeIsUp: 'secondOutput' };
		const later = await fileItem('slow.wav', { guest: 'Ada' }, 'recording');
		let items = [later, await fileItem('quick.wav', {}, 'recording')];
		const edited: INodeExecutionData[] = [];
		const submittedAt = new Set<unknown>();
		for (let round = 1; round <= 3; round++) {
			const { run, out, error } = await service.edit(items, parameters);
			expect(error).toBeUndefined();
			edited.push(...out);
			items = itemsOf(run, 'audioEditing', 1);
			for (const { json } of items) submittedAt.add((json.edit as IDataObject).submittedAt);
			expect(items).toHaveLength(round < 3 ? 1 : 0);
		}
		expect([...submittedAt]).toEqual([expect.stringMatching(/^2026-/)]);
		expect([...service.charged].sort()).toEqual(['quick.wav', 'slow.wav']);
		expect(service.uploaded).toHaveLength(2);
		expect(sourcesOf(edited)).toEqual(['quick.wav', 'slow.wav']);
		expect(edited[1].json).toMatchObject({ guest: 'Ada', finished: true });
		expect(edited[1].json.edit).not.toHaveProperty('nodeId');
		expect(Object.keys(edited[1].binary!)).toEqual(['data']);
	});

	it('an edit goes on whatever the fields of its recording say by now', async () => {
		const options = { ...TWO_MINUTES, whenTimeIsUp: 'passOn' };
		const { out } = await service.edit(await fileItems('slow.wav'), options);
		const gone = '={{ $("Nobody").item.json.name }}';
		const broken = {
			configure: 'json',
			configJson: gone,
			binaryPropertyName: gone,
			fileName: gone,
			skipEdited: 'value',
			skipValue: gone,
		};
		const { out: edited, error } = await service.edit(out, broken);
		expect(error).toBeUndefined();
		expect(edited[0].json).toMatchObject({ editId: 'edit-1', finished: true });
		expect(service.charged).toEqual(['slow.wav']);
	});
});

it('a tool goes on with the same edit when the model calls it again', async () => {
	const answers = await callAsTool(service, {
		nodeName: 'audioEditing',
		parameters: {
			maximumWaitMinutes: 2,
			whenTimeIsUp: 'passOn',
			fileUrls: "={{ $fromAI('fileUrl', '', 'string') }}",
		},
		inputs: Array(6).fill({ fileUrl: 'https://f.example.com/slow.wav' }),
	});
	expect(answers[0]).toContain('finished\\":false');
	expect(answers[5]).toContain('finished\\":true');
	expect(service.charged).toEqual(['slow.wav']);
});
