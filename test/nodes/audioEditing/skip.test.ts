import type { INodeParameters, INodeType, IRun } from 'n8n-workflow';

import { testNode } from '../../../testkit/n8n/engineNodeTypes';
import { itemsOf } from '../../../testkit/n8n/n8nEngine';
import { OUR_NODES } from '../../../testkit/n8n/ourNodes';
import { useProcessedData } from '../../../testkit/n8n/processedData';
import {
	fileItem,
	fileItems,
	useRecordingService,
} from '../../../testkit/service/recordingService';
import type { SeenRequest } from '../../../testkit/service/fake/scriptedService';
import { systemTime } from '../../../testkit/time/leapingTime';
import { chain, type NodeSpec, runChain } from '../../../testkit/n8n/workflows';

const NODE = 'audioEditing';
const BY_FILE = { skipEdited: 'nameAndSize' };
const store = useProcessedData();
const service = useRecordingService();

/** Runs the node on these files, in its own execution. */
async function execution(
	names: readonly string[],
	more: INodeParameters = {},
	settings: NodeSpec['settings'] = { onError: 'continueErrorOutput' },
) {
	return await service.edit(await fileItems(...names), { ...BY_FILE, ...more }, { settings });
}

const namesIn = ({ run }: { run: IRun }, output: number) =>
	itemsOf(run, NODE, output).map(({ json }) => json.sourceFileName);

const isSubmission = ({ method, path }: SeenRequest) => method === 'POST' && path === '/v2/edits';

describe('a recording that an earlier execution submitted', () => {
	it('leaves by the output for skipped ones, and is neither uploaded nor charged again', async () => {
		await execution(['a.wav', 'b.wav']);
		const ended = await execution(['a.wav', 'b.wav', 'c.wav']);
		expect(namesIn(ended, 0)).toEqual(['c.wav']);
		expect(namesIn(ended, 1)).toEqual(['a.wav', 'b.wav']);
		expect(ended.hints).toContain('1 edited, 2 skipped (edited before)');
		const [skipped] = itemsOf(ended.run, NODE, 1);
		expect(skipped.json).toMatchObject({ skipped: true });
		expect(skipped.json.skipReason).toContain('the file name and size');
		expect(skipped.binary).toHaveProperty('data');
		expect(service.uploaded).toHaveLength(3);
		expect(service.charged).toHaveLength(3);
	});

	it('leaves by the third output if unfinished edits have one, too', async () => {
		const parameters = { whenTimeIsUp: 'secondOutput' };
		await execution(['a.wav'], parameters);
		const ended = await execution(['a.wav'], parameters);
		expect([0, 1, 2].map((output) => namesIn(ended, output))).toEqual([[], [], ['a.wav']]);
	});

	it('is edited once if two items of one execution have it', async () => {
		const ended = await execution(['a.wav', 'a.wav', 'a.wav']);
		expect(namesIn(ended, 0)).toEqual(['a.wav']);
		expect(namesIn(ended, 1)).toEqual(['a.wav', 'a.wav']);
		expect(service.charged).toEqual(['a.wav']);
	});
});

it('an item keeps its fields and its file, whatever output it leaves by', async () => {
	service.seconds['slow.wav'] = 600;
	const parameters = { whenTimeIsUp: 'secondOutput', maximumWaitMinutes: 2 };
	await execution(['old.wav'], parameters);
	const names = ['new.wav', 'slow.wav', 'old.wav', 'broken.wav'];
	const items = await Promise.all(names.map(async (name) => await fileItem(name, { guest: name })));
	const { run } = await service.edit(
		items,
		{ ...BY_FILE, ...parameters, keepInputFiles: true, outputField: 'edited' },
		{ settings: { onError: 'continueErrorOutput' } },
	);
	const byOutput = [0, 1, 2, 3].map((output) => itemsOf(run, NODE, output));
	expect(byOutput.map((some) => some.map(({ json }) => json.guest))).toEqual(
		names.map((name) => [name]),
	);
	// n8n itself makes the items of the error output, without files.
	const files = byOutput.slice(0, 3).flatMap((some) => some.map(({ binary }) => binary?.data));
	expect(files.map((file) => file?.fileName)).toEqual(names.slice(0, 3));
});

it('does not submit an item that waits for the same recording once a failure ends the node', async () => {
	service.fault = (request) => (isSubmission(request) ? { status: 422 } : undefined);
	const { error } = await service.edit(Array(3).fill('a.wav'), { skipEdited: 'url' });
	expect(error?.message).toContain('[item 0]');
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
		const settings = { onError: 'continueErrorOutput' } as const;
		const { run } = await execution(['broken.wav'], parameters);
		const later = await service.edit(itemsOf(run, NODE, 1), parameters, { settings });
		expect(namesIn(later, 3)).toEqual(['broken.wav']);
		await execution(['broken.wav'], parameters);
		expect(service.charged).toEqual(['broken.wav', 'broken.wav']);
	});
});

it.each([
	['fail', 0],
	['passOn', 1],
])(
	'a recording whose edit was not finished in time is not charged again (%s)',
	async (whenTimeIsUp, output) => {
		service.seconds['slow.wav'] = 200;
		const parameters = { maximumWaitMinutes: 2, whenTimeIsUp };
		await execution(['slow.wav'], parameters);
		// One that failed was not output, so the next execution goes on with it.
		expect(namesIn(await execution(['slow.wav'], parameters), output)).toEqual(['slow.wav']);
		expect(service.charged).toEqual(['slow.wav']);
	},
);

it.each([
	[{ skipEdited: 'url' }, /is set to 'By URL', and the recording is a file \[item 0\]/],
	[
		{ ...BY_FILE, recordingFrom: 'url' },
		/is set to 'By File Name and Size', and the recording is a URL/,
	],
	[{ skipEdited: 'value', skipValue: '={{ "" }}' }, /'Your Own Value' is empty/],
])('%j is refused before anything is sent', async (parameters, message) => {
	const item = await fileItem('a.wav', { fileUrl: 'https://f.example.com/a.wav' });
	const { error } = await service.edit([item], parameters);
	expect(error?.message).toMatch(message);
	expect(service.seen).toEqual([]);
});

describe("'By URL' is refused for a file from Upload, which has a new URL each time,", () => {
	const KEEP_URL = { fileUrls: '={{ $json.fileUrl ?? $json.fileUrls }}' };
	const PUBLIC = 'https://f.example.com/public.wav';
	const AND_ANOTHER = {
		fileUrls: `={{ [$json.fileUrl ?? $json.fileUrls, "${PUBLIC}"].flat() }}`,
	};
	const BY_URL = { skipEdited: 'url', recordingFrom: 'url' };
	const refusal =
		/cannot recognize a file from Audio Editing Upload by its URL: each upload has its own URL/;
	const upload = { type: 'upload', parameters: { recordingFrom: 'all' } };
	const onlyUrls = { type: 'onlyUrls' };

	/** A node that drops all but the URLs of its items, as Edit Fields can. */
	function onlyUrlsNode(): INodeType {
		return testNode(async (context) =>
			context.getInputData().map(({ json: { fileUrl, fileUrls } }) => ({
				json: { ...(fileUrl ? { fileUrl } : { fileUrls }) },
			})),
		);
	}

	it.each([
		['createEdit', {}],
		['createEdit', KEEP_URL],
		['createEdit', AND_ANOTHER],
		[NODE, {}],
		[NODE, KEEP_URL],
		[NODE, AND_ANOTHER],
	])('in %s (%j), with one file or two', async (type, more) => {
		const [one, other] = await fileItems('a.wav', 'b.wav');
		const two = { json: {}, binary: { ...one.binary, other: other.binary!.data } };
		const nodeTypes = { ...OUR_NODES, 'n8n-nodes-audio-editing.onlyUrls': onlyUrlsNode() };
		for (const item of [one, two]) {
			for (const between of [[], [onlyUrls]]) {
				const parameters = { ...BY_URL, ...more };
				const workflow = chain(upload, ...between, { type, parameters });
				const run = await runChain(service, workflow, [item], { nodeTypes });
				expect(run.data.resultData.error?.message).toMatch(refusal);
			}
		}
		expect(service.charged).toEqual([]);
	});

	it.each(['createEdit', NODE])('but not in %s for a public URL beside uploads', async (type) => {
		const parameters = { ...BY_URL, fileUrls: PUBLIC };
		const workflow = chain(upload, { type, parameters });
		const run = await runChain(service, workflow, await fileItems('a.wav'));
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
		const { error } = await execution(names, {}, {});
		expect(error?.message).toMatch(/^broken\.wav could not be edited: /);
		expect(error?.message).not.toContain('stopped');
		expect(error?.description).toContain('The next execution fetches the results');
	});

	it('the others are not asked about while n8n stores that', async () => {
		let hasFailed = false;
		service.seconds['good.wav'] = 3_000;
		service.fault = ({ path }) => {
			if (path !== '/v2/edits/edit-1') return undefined;
			hasFailed = true;
			return { body: { task_id: 'edit-1', status: 'FAILURE' } };
		};
		store.afterRead = async () => {
			if (hasFailed) await systemTime.sleep(60_000);
		};
		await execution(['good.wav', 'other.wav'], {}, {});
		const paths = service.seen.map(({ path }) => path);
		const later = paths.slice(paths.indexOf('/v2/edits/edit-1') + 1);
		// One poll may be under way.
		expect(later.length).toBeLessThanOrEqual(1);
	});
});
