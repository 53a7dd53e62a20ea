import type { INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';

import { EngineCredentials } from '../../support/engineCredentials';
import { systemTime } from '../../support/leapingTime';
import { itemsOf, type LogLine, startEngine } from '../../support/n8nEngine';
import { OUR_NODES } from '../../support/ourNodes';
import { Probe } from '../../support/probeNode';
import { useRecordingService } from '../../support/recordingService';
import { chain, type NodeSpec, runChain } from '../../support/workflows';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

const NODE = 'audioEditing';

const service = useRecordingService();

let runs = 0;

beforeEach(() => Object.assign(service.seconds, { 'a.wav': 35, 'broken.wav': 300 }));

const itemOf = (name: string, json = {}): INodeExecutionData => ({
	json: { fileUrl: `https://files.example.com/${name}`, ...json },
});

interface Execution {
	readonly parameters?: INodeParameters;
	readonly settings?: NodeSpec['settings'];
	/** Called when the execution begins. */
	readonly onStart?: (stop: () => void) => void;
	/** The node after it. */
	readonly next?: Probe;
}

interface Ended {
	readonly run: IRun;
	/** What n8n had of the node's output when the execution ended. */
	readonly made: readonly INodeExecutionData[];
	/** What was deleted when the node had ended. */
	readonly deletedBefore: readonly string[];
	readonly log: string;
}

/** Runs the node with the option, and waits until everything after it has ended, too. */
async function edit(
	items: INodeExecutionData[],
	{ parameters, settings, onStart, next }: Execution = {},
): Promise<Ended> {
	const log: LogLine[] = [];
	const given = { recordingFrom: 'url', options: { deleteWhenFetched: true }, ...parameters };
	const specs: NodeSpec[] = [{ type: NODE, parameters: given, settings }];
	const workflow = chain(...specs, ...(next ? [{ type: 'probe' }] : []));
	const access = { url: service.url, apiKey: `delete-${++runs}` };
	const run = await runChain(access, workflow, items, {
		onLog: (line) => log.push(line),
		onStart,
		...(next && { nodeTypes: { ...OUR_NODES, 'n8n-nodes-audio-editing.probe': next } }),
	});
	const made = itemsOf(run, NODE);
	const deletedBefore = [...service.deleted];
	await systemTime.sleep(120_000);
	return { run, made, deletedBefore, log: log.map(({ message }) => message).join('\n') };
}

/** Stops the execution this many seconds after the first request. */
const after =
	(seconds: number): Execution['onStart'] =>
	(stop) =>
		void service
			.begun()
			.then(async () => await systemTime.sleep(seconds * 1_000))
			.then(stop);

it('deletes an edit at the service after the node has ended, and says so in the log', async () => {
	const { run, deletedBefore, log } = await edit([itemOf('a.wav')]);
	expect(itemsOf(run, NODE)[0].binary).toHaveProperty('data');
	expect(deletedBefore).toEqual([]);
	expect(service.deleted).toEqual(['edit-1']);
	expect(log).toContain('edit edit-1 deleted at the service, since its files are in n8n');
});

it.each([
	['a file of markers that was not chosen', ['edited'], 1, false],
	['a file of markers that was fetched', ['edited', 'markers'], 1, true],
	['more files of markers than are fetched', ['edited', 'markers'], 21, false],
	['no file of markers yet, although they were chosen', ['edited', 'markers'], 0, false],
])('of an edit with %s', async (_what, download, count, isDeleted) => {
	const link = (what: string) => `${service.url}/files/${what}`;
	const result = {
		download_url: link('a.wav'),
		merged_audio_url: [link('a.wav')],
		timestamps_markers_urls: Array.from({ length: count }, (_, at) => link(`m.csv?part=${at}`)),
	};
	service.fault = ({ method, path }) =>
		method === 'GET' && path.startsWith('/v2/edits/')
			? { body: { task_id: 'edit-1', status: 'SUCCESS', result } }
			: undefined;
	const { run } = await edit([itemOf('a.wav')], {
		parameters: { download, export_timestamps: true },
	});
	expect(service.deleted).toEqual(isDeleted ? ['edit-1'] : []);
	const hints = JSON.stringify(run.data.resultData.runData[NODE][0].hints ?? []);
	const kept = 'edit edit-1: not deleted, because n8n lacks 1 of its files.';
	expect(hints.includes(kept)).toBe(!isDeleted);
});

it('deletes nothing if n8n keeps files in memory, where a crash would lose them', async () => {
	await startEngine('default');
	const { run } = await edit([itemOf('a.wav')]);
	await startEngine();
	expect(itemsOf(run, NODE)[0].binary?.data.id).toBeUndefined();
	expect(service.deleted).toEqual([]);
	const hints = JSON.stringify(run.data.resultData.runData[NODE][0].hints);
	expect(hints).toContain('edit edit-1: not deleted, because this n8n keeps files in memory');
});

it('deletes with the key, although n8n evaluates no expressions after an execution', async () => {
	const next = new Probe(async () => {
		const noExpressions = jest.spyOn(EngineCredentials.prototype, 'authenticate');
		noExpressions.mockRejectedValue(new Error('No bridge acquired for this context'));
	});
	await edit([itemOf('a.wav')], { next });
	jest.restoreAllMocks();
	const [deletion] = service.seen.filter(({ method }) => method === 'DELETE');
	expect(deletion.headers['x-api-key']).toBe(`delete-${runs}`);
	expect(service.deleted).toEqual(['edit-1']);
});

it('deletes nothing after Stop, even if the node has ended: n8n may still be storing its outputs', async () => {
	let stopIt = () => {};
	const next = new Probe(async () => {
		stopIt();
		await systemTime.sleep(60_000);
	});
	const onStart: Execution['onStart'] = (stop) => {
		stopIt = stop;
	};
	const { run, made, log } = await edit([itemOf('a.wav')], { onStart, next });
	expect(run.status).toBe('canceled');
	expect(made[0].binary).toHaveProperty('data');
	expect(service.deleted).toEqual([]);
	expect(log).toContain('these edits were not deleted');
});

it('has the file in n8n if Stop comes while its edit is deleted', async () => {
	let stopIt = () => {};
	service.fault = ({ method }) => {
		if (method === 'DELETE') stopIt();
		return undefined;
	};
	const next = new Probe(async () => await systemTime.sleep(60_000));
	const onStart: Execution['onStart'] = (stop) => {
		stopIt = stop;
	};
	const { run, made } = await edit([itemOf('a.wav')], { onStart, next });
	expect(run.status).toBe('canceled');
	expect(service.deleted).toEqual(['edit-1']);
	expect(made[0]?.binary).toHaveProperty('data');
});

it('deletes nothing if Stop ends the node, because n8n drops its files', async () => {
	const { run } = await edit([itemOf('a.wav'), itemOf('broken.wav')], { onStart: after(100) });
	expect(run.status).toBe('canceled');
	expect(service.deleted).toEqual([]);
});

it('deletes nothing if a failure ends the node, because n8n drops its files', async () => {
	const { run } = await edit([itemOf('a.wav'), itemOf('broken.wav')]);
	expect(run.data.resultData.error?.message).toContain("'broken.wav'");
	expect(service.deleted).toEqual([]);
});

it('deletes those that were fetched if failed items leave the node', async () => {
	const settings = { onError: 'continueErrorOutput' } as const;
	const { run } = await edit([itemOf('a.wav'), itemOf('broken.wav')], { settings });
	const [made] = itemsOf(run, NODE);
	expect(service.deleted).toEqual([made.json.editId]);
});

it('a deletion that is refused loses no file, and is in the log', async () => {
	service.fault = ({ method }) =>
		method === 'DELETE' ? { status: 403, body: { detail: 'it is locked' } } : undefined;
	const { run, log } = await edit([itemOf('a.wav')]);
	expect(itemsOf(run, NODE)[0].binary).toHaveProperty('data');
	expect(log).toMatch(/these edits were not deleted.*: edit-1 \(403\)/);
});

describe('two items with the same unfinished edit', () => {
	/** The item of an edit that was not finished in time, twice. */
	async function unfinished(): Promise<INodeExecutionData[]> {
		service.seconds['a.wav'] = 300;
		const parameters = { maximumWaitMinutes: 2, whenTimeIsUp: 'passOn' };
		const [item] = itemsOf((await edit([itemOf('a.wav')], { parameters })).run, NODE);
		expect(item.json.finished).toBe(false);
		return [item, item];
	}

	it('have it deleted once', async () => {
		const { run } = await edit(await unfinished());
		expect(itemsOf(run, NODE)).toHaveLength(2);
		expect(service.deleted).toEqual(['edit-1']);
	});

	it('keep it if one of them could not fetch a file', async () => {
		const items = await unfinished();
		let downloads = 0;
		service.fault = ({ path }) =>
			path.startsWith('/files/') && ++downloads > 1 ? { status: 404 } : undefined;
		const settings = { onError: 'continueErrorOutput' } as const;
		const { run } = await edit(items, { settings });
		expect(itemsOf(run, NODE)).toHaveLength(1);
		expect(itemsOf(run, NODE, 1)).toHaveLength(1);
		expect(service.deleted).toEqual([]);
	});
});
