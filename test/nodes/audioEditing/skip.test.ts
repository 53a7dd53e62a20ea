import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IRun,
} from 'n8n-workflow';
import { itemsOf, storeFile } from '../../support/n8nEngine';
import { OUR_NODES } from '../../support/ourNodes';
import { Probe } from '../../support/probeNode';
import { useProcessedData } from '../../support/processedData';
import { useRecordingService } from '../../support/recordingService';
import type { SeenRequest } from '../../support/scriptedService';
import { chain, type NodeSpec, runChain } from '../../support/workflows';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

const NODE = 'audioEditing';

const BY_FILE = { skipEdited: 'nameAndSize' };

const CONTINUE = { onError: 'continueErrorOutput' } as const;

const store = useProcessedData();

const service = useRecordingService();

let executions = 0;

async function fileItem(name: string, content = name): Promise<INodeExecutionData> {
	const data = await storeFile(Buffer.from(`RIFF ${content}`), name, 'audio/wav');
	return { json: { night: 1 }, binary: { data } };
}

/** A node that drops all but the URLs of its items, as Edit Fields can. */
function onlyUrlsNode(): INodeType {
	const keep = async function (this: IExecuteFunctions) {
		return [
			this.getInputData().map(({ json: { fileUrl, fileUrls } }) => ({
				json: { ...(fileUrl ? { fileUrl } : { fileUrls }) },
			})),
		];
	};
	return Object.assign(new Probe(async () => {}), { execute: keep });
}

async function execution(
	names: readonly string[],
	parameters: INodeParameters = BY_FILE,
	settings: NodeSpec['settings'] = CONTINUE,
): Promise<IRun> {
	const items = await Promise.all(names.map(async (name) => await fileItem(name)));
	const access = { url: service.url, apiKey: `key-${++executions}` };
	return await runChain(access, chain({ type: NODE, parameters, settings }), items);
}

const namesIn = (run: IRun, output: number) =>
	itemsOf(run, NODE, output).map(({ json }) => json.sourceFileName);

const isSubmission = ({ method, path }: SeenRequest) => method === 'POST' && path === '/v2/edits';

describe('a recording that an earlier execution submitted', () => {
	it('leaves by the output for skipped ones, and is neither uploaded nor charged again', async () => {
		await execution(['a.wav', 'b.wav']);
		const run = await execution(['a.wav', 'b.wav', 'c.wav']);
		expect(namesIn(run, 0)).toEqual(['c.wav']);
		expect(namesIn(run, 1)).toEqual(['a.wav', 'b.wav']);
		const [skipped] = itemsOf(run, NODE, 1);
		expect(skipped.json).toMatchObject({ night: 1, skipped: true });
		expect(skipped.json.skipReason).toContain('its file name and size');
		expect(skipped.binary).toHaveProperty('data');
		expect(service.uploaded).toHaveLength(3);
		expect(service.charged).toHaveLength(3);
	});

	it('leaves by the third output if unfinished edits have one, too', async () => {
		const parameters = { ...BY_FILE, whenTimeIsUp: 'secondOutput' };
		await execution(['a.wav'], parameters);
		const run = await execution(['a.wav'], parameters);
		expect([0, 1, 2].map((output) => namesIn(run, output))).toEqual([[], [], ['a.wav']]);
	});

	it('is edited once if two items of one execution have it', async () => {
		const run = await execution(['a.wav', 'a.wav', 'a.wav']);
		expect(namesIn(run, 0)).toEqual(['a.wav']);
		expect(namesIn(run, 1)).toEqual(['a.wav', 'a.wav']);
		expect(service.charged).toEqual(['a.wav']);
	});
});

it('does not submit an item that waits for the same recording once a failure ends the node', async () => {
	service.fault = (request) => (isSubmission(request) ? { status: 422 } : undefined);
	const parameters = { skipEdited: 'url', recordingFrom: 'url' };
	const json = { fileUrl: 'https://f.example.com/a.wav' };
	const access = { url: service.url, apiKey: `key-${++executions}` };
	const workflow = chain({ type: NODE, parameters });
	const run = await runChain(access, workflow, [{ json }, { json }, { json }]);
	expect(run.data.resultData.error?.message).toContain('[item 0]');
	expect(service.seen.filter(isSubmission)).toHaveLength(1);
});

describe('a recording is forgotten, and edited by the next execution,', () => {
	it.each<[string, (request: SeenRequest) => boolean, number]>([
		['if the service refused it', isSubmission, 422],
		['if it could not be uploaded', ({ method }) => method === 'PUT', 403],
	])('%s', async (_why, isHit, status) => {
		service.fault = (request) => (isHit(request) ? { status } : undefined);
		expect(namesIn(await execution(['a.wav']), 2)).toEqual(['a.wav']);
		expect(store.rows.size).toBeLessThanOrEqual(1);
		service.fault = () => undefined;
		expect(namesIn(await execution(['a.wav']), 0)).toEqual(['a.wav']);
		expect(service.charged).toEqual(['a.wav']);
	});

	it('if its edit ended in FAILURE', async () => {
		expect(namesIn(await execution(['broken.wav']), 2)).toEqual(['broken.wav']);
		await execution(['broken.wav']);
		expect(service.charged).toEqual(['broken.wav', 'broken.wav']);
	});

	it('if its edit ended in FAILURE after a round of the loop', async () => {
		service.seconds['broken.wav'] = 200;
		const parameters = { ...BY_FILE, whenTimeIsUp: 'secondOutput', maximumWaitMinutes: 2 };
		const access = { url: service.url, apiKey: `key-${++executions}` };
		const workflow = chain({ type: NODE, parameters, settings: CONTINUE });
		const first = await runChain(access, workflow, [await fileItem('broken.wav')]);
		const later = await runChain(access, workflow, itemsOf(first, NODE, 1));
		expect(namesIn(later, 3)).toEqual(['broken.wav']);
		await execution(['broken.wav'], parameters);
		expect(service.charged).toEqual(['broken.wav', 'broken.wav']);
	});
});

it.each(['fail', 'passOn'])(
	'a recording whose edit was not finished in time is not charged again (%s)',
	async (whenTimeIsUp) => {
		service.seconds['slow.wav'] = 600;
		const parameters = { ...BY_FILE, maximumWaitMinutes: 2, whenTimeIsUp };
		await execution(['slow.wav'], parameters);
		expect(namesIn(await execution(['slow.wav'], parameters), 1)).toEqual(['slow.wav']);
		expect(service.charged).toEqual(['slow.wav']);
	},
);

it.each([
	[{ skipEdited: 'url' }, /is set to 'By URL', and the recording is a file \[item 0\]/],
	[
		{ ...BY_FILE, recordingFrom: 'url' },
		/is set to 'By File Name and Size', and the recording is a URL/,
	],
	[{ skipEdited: 'value', skipValue: '={{ "" }}' }, /'Value of the Recording' is empty/],
])('%j is refused before anything is sent', async (parameters, message) => {
	const items = [
		{ ...(await fileItem('a.wav')), json: { fileUrl: 'https://f.example.com/a.wav' } },
	];
	const access = { url: service.url, apiKey: `key-${++executions}` };
	const run = await runChain(access, chain({ type: NODE, parameters }), items);
	expect(run.data.resultData.error?.message).toMatch(message);
	expect(service.seen).toEqual([]);
});

describe("'By URL' is refused for a file from Upload, which has a new URL each time,", () => {
	const KEEP_URL = { fileUrls: '={{ $json.fileUrl ?? $json.fileUrls }}' };
	const refusal = /cannot recognise a file from Upload by its URL: each upload has its own URL/;
	const upload = { type: 'upload', parameters: { recordingFrom: 'all' } };
	const onlyUrls = { type: 'onlyUrls' };

	it.each([
		['createEdit', {}],
		['createEdit', KEEP_URL],
		[NODE, { recordingFrom: 'url' }],
		[NODE, { recordingFrom: 'url', ...KEEP_URL }],
	])('in %s (%j), with one file or two', async (type, more) => {
		const two = {
			json: {},
			binary: {
				...(await fileItem('a.wav')).binary,
				other: (await fileItem('b.wav')).binary!.data,
			},
		};
		for (const item of [await fileItem('a.wav'), two]) {
			for (const between of [[], [onlyUrls]]) {
				const parameters = { skipEdited: 'url', ...more };
				const access = { url: service.url, apiKey: `key-${++executions}` };
				const workflow = chain(upload, ...between, { type, parameters });
				const run = await runChain(access, workflow, [item], {
					nodeTypes: { ...OUR_NODES, 'n8n-nodes-audio-editing.onlyUrls': onlyUrlsNode() },
				});
				expect(run.data.resultData.error?.message).toMatch(refusal);
			}
		}
		expect(service.charged).toEqual([]);
	});

	it.each(['createEdit', NODE])('but not in %s for a public URL beside uploads', async (type) => {
		const parameters = {
			skipEdited: 'url',
			recordingFrom: 'url',
			fileUrls: 'https://f.example.com/public.wav',
		};
		const access = { url: service.url, apiKey: `key-${++executions}` };
		const run = await runChain(access, chain(upload, { type, parameters }), [
			await fileItem('a.wav'),
		]);
		expect(run.data.resultData.error).toBeUndefined();
		expect(service.charged).toEqual(['public.wav']);
	});
});

describe('when an edit fails and ends the node', () => {
	it.each([
		['broken.wav', 'good.wav'],
		['good.wav', 'broken.wav'],
	])('the error names it, and not one that only waited: %s, %s', async (...names) => {
		Object.assign(service.seconds, { 'broken.wav': 31, 'good.wav': 3_000 });
		const { error } = (await execution(names, BY_FILE, {})).data.resultData;
		expect(error?.message).toMatch(/ended with status FAILURE.*'broken\.wav'/);
		expect(error?.message).not.toContain('stopped');
		expect(error?.description).toContain('A new execution skips these recordings: retry this one');
	});
});
