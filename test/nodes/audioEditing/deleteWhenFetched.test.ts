import { systemTime } from '../../../testkit/time/leapingTime';
import { useRecordingService } from '../../../testkit/service/recordingService';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { callAsTool } from '../../../testkit/n8n/callAsTool';
import { EngineCredentials } from '../../../testkit/n8n/engineCredentials';
import { testNode } from '../../../testkit/n8n/engineNodeTypes';
import { itemsOf, startEngine } from '../../../testkit/n8n/n8nEngine';
import { OUR_NODES } from '../../../testkit/n8n/ourNodes';
import { chain } from '../../../testkit/n8n/workflows';

const service = useRecordingService();

beforeEach(() => Object.assign(service.seconds, { 'a.wav': 35, 'broken.wav': 300 }));

const NODE = 'audioEditing';

const ON = { recordingFrom: 'url', costAndSafety: { deleteWhenFetched: true } };

type Given = Parameters<typeof service.edit>;

/** Runs the node with the option, and waits until everything after it has ended, too. */
async function edit(items: Given[0], more: INodeParameters = {}, settings: Given[2] = {}) {
	const ended = await service.edit(items, { ...ON, ...more }, settings);
	const deletedBefore = [...service.deleted];
	await systemTime.sleep(120_000);
	return { ...ended, deletedBefore };
}

/** Runs the node with a node after it. `onNext` gets the function that stops the execution. */
async function editBefore(onNext: (stop: () => void) => Promise<unknown>, onDelete = false) {
	let stop = () => {};
	if (onDelete) service.fault = ({ method }) => void (method === 'DELETE' && stop());
	const probe = testNode(async () => {
		await onNext(stop);
		return [];
	});
	const ended = await service.edit(['a.wav'], ON, {
		workflow: chain({ type: NODE, parameters: ON }, { type: 'probe' }),
		nodeTypes: { ...OUR_NODES, 'n8n-nodes-audio-editing.probe': probe },
		onStart: (end) => (stop = end),
	});
	await systemTime.sleep(120_000);
	return ended;
}

it('Delete Edit When Fetched deletes nothing for an agent, which got links instead of files', async () => {
	const [answer] = await callAsTool(service, {
		nodeName: NODE,
		parameters: { ...ON, fileUrls: 'https://files.example.com/a.wav' },
	});
	await systemTime.sleep(120_000);
	expect(answer).toMatch(/links.*edit-1/);
	expect(service.deleted).toEqual([]);
});

describe('Delete Edit When Fetched', () => {
	it('deletes an edit on the service after the node has ended, and says so in the log', async () => {
		const { out, deletedBefore, log } = await edit(['a.wav']);
		expect(out[0].binary).toHaveProperty('data');
		expect(deletedBefore).toEqual([]);
		expect(service.deleted).toEqual(['edit-1']);
		expect(log.join()).toContain(
			"edit edit-1 ('a.wav') deleted on the service, since its files are in n8n",
		);
	});

	it.each([
		['a file of markers that was not chosen', ['edited'], 1, false],
		['a file of markers that was fetched', ['edited', 'markers'], 1, true],
		['more files of markers than are fetched', ['edited', 'markers'], 21, false],
		['no file of markers yet, although they were chosen', ['edited', 'markers'], 0, false],
	])('of an edit with %s', async (_what, download, count, isDeleted) => {
		const link = (what: string) => `${service.url}/files/${what}`;
		const result = {
			download_url: link('edit-1'),
			merged_audio_url: [link('edit-1')],
			timestamps_markers_urls: Array.from({ length: count }, (_, at) =>
				link(`edit-1.csv?part=${at}`),
			),
		};
		service.fault = ({ method, path }) =>
			method === 'GET' && path.startsWith('/v2/edits/')
				? { body: { task_id: 'edit-1', status: 'SUCCESS', result } }
				: undefined;
		const { hints } = await edit(['a.wav'], { download, export_timestamps: true });
		expect(service.deleted).toEqual(isDeleted ? ['edit-1'] : []);
		const kept = 'edit edit-1: not deleted, because n8n lacks 1 of its files.';
		expect(hints.join().includes(kept)).toBe(!isDeleted);
	});

	it('deletes nothing if n8n keeps files in memory, where a crash would lose them', async () => {
		await startEngine('default');
		const { out, hints } = await edit(['a.wav']);
		await startEngine();
		expect(out[0].binary?.data.id).toBeUndefined();
		expect(service.deleted).toEqual([]);
		expect(hints.join()).toContain(
			'edit edit-1: not deleted, because this n8n keeps files in memory',
		);
	});

	it('deletes with the key, although n8n evaluates no expressions after an execution', async () => {
		await editBefore(async () => {
			const noExpressions = jest.spyOn(EngineCredentials.prototype, 'authenticate');
			noExpressions.mockRejectedValue(new Error('No bridge acquired for this context'));
		});
		jest.restoreAllMocks();
		const [deletion] = service.seen.filter(({ method }) => method === 'DELETE');
		expect(deletion.headers['x-api-key']).toMatch(/^edit-\d+$/);
		expect(service.deleted).toEqual(['edit-1']);
	});
});

describe('Delete Edit When Fetched, when the node is ended', () => {
	it('deletes nothing after Stop, even if the node has ended: n8n may still be storing its outputs', async () => {
		const { run, out, log } = await editBefore(async (stop) => {
			stop();
			await systemTime.sleep(60_000);
		});
		expect(run.status).toBe('canceled');
		expect(out[0].binary).toHaveProperty('data');
		expect(service.deleted).toEqual([]);
		expect(log.join()).toContain('these edits were not deleted');
	});

	it('has the file in n8n if Stop comes while its edit is deleted', async () => {
		const { run, out } = await editBefore(async () => await systemTime.sleep(60_000), true);
		expect(run.status).toBe('canceled');
		expect(service.deleted).toEqual(['edit-1']);
		expect(out[0]?.binary).toHaveProperty('data');
	});

	it('deletes nothing if Stop ends the node, because n8n drops its files', async () => {
		const { run } = await edit(['a.wav', 'broken.wav'], {}, { stopAfterSeconds: 100 });
		expect(run.status).toBe('canceled');
		expect(service.deleted).toEqual([]);
	});

	it('deletes nothing if a failure ends the node, because n8n drops its files', async () => {
		const { error } = await edit(['a.wav', 'broken.wav']);
		expect(error?.message).toMatch(/^broken\.wav could not be edited/);
		expect(service.deleted).toEqual([]);
	});
});

const CONTINUE = { settings: { onError: 'continueErrorOutput' as const } };

describe('Delete Edit When Fetched, with failures', () => {
	it('deletes those that were fetched if failed items leave the node', async () => {
		const { out } = await edit(['a.wav', 'broken.wav'], {}, CONTINUE);
		expect(service.deleted).toEqual([out[0].json.editId]);
	});

	it('a deletion that is refused loses no file, and is in the log', async () => {
		service.fault = ({ method }) =>
			method === 'DELETE' ? { status: 403, body: { detail: 'it is locked' } } : undefined;
		const { out, log } = await edit(['a.wav']);
		expect(out[0].binary).toHaveProperty('data');
		expect(log.join()).toMatch(/these edits were not deleted.*: edit-1 \('a\.wav', 403\)/);
	});

	describe('two items with the same unfinished edit', () => {
		/** The item of an edit that was not finished in time, twice. */
		async function unfinished(): Promise<INodeExecutionData[]> {
			service.seconds['a.wav'] = 300;
			const parameters = { maximumWaitMinutes: 2, whenTimeIsUp: 'passOn' };
			const [item] = (await edit(['a.wav'], parameters)).out;
			expect(item.json.finished).toBe(false);
			return [item, item];
		}

		it('have it deleted once', async () => {
			expect((await edit(await unfinished())).out).toHaveLength(2);
			expect(service.deleted).toEqual(['edit-1']);
		});

		it('keep it if one of them could not fetch a file', async () => {
			const items = await unfinished();
			let downloads = 0;
			service.fault = ({ path }) =>
				path.startsWith('/files/') && ++downloads > 1 ? { status: 404 } : undefined;
			const { run, out } = await edit(items, {}, CONTINUE);
			expect(out).toHaveLength(1);
			expect(itemsOf(run, NODE, 1)).toHaveLength(1);
			expect(service.deleted).toEqual([]);
		});
	});
});
