import { systemTime } from '../../support/leapingTime';
import { itemsOf } from '../../support/n8nEngine';
import type { Answer } from '../../support/scriptedService';
import { useService } from '../../support/useService';
import { chain, runChain } from '../../support/workflows';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

const GOOD: Answer = { body: 'bytes', headers: { 'Content-Type': 'audio/mpeg' } };

let file: (number: number) => Answer;

let result: Record<string, unknown>;

let onRead: () => Answer;

const service = useService(({ path }, number) => {
	if (!path.startsWith('/v2/edits/')) return file(number);
	return { body: { task_id: 'e', status: 'SUCCESS', result }, ...onRead() };
});

beforeEach(() => {
	onRead = () => ({});
	result = { filename: 'a.mp3', download_url: `${service.url}/d?sig=1` };
});

async function getResult(download: string[] = ['edited']) {
	const parameters = { editId: 'e', download };
	const run = await runChain(service, chain({ type: 'getResult', parameters }));
	const downloads = service.seen.filter(({ path }) => !path.startsWith('/v2/')).length;
	const { error } = run.data.resultData;
	return { item: itemsOf(run, 'getResult')[0], error, downloads };
}

const typed = (type: string): Answer => ({
	body: '<Error><Code>ExpiredToken</Code></Error>',
	headers: { 'Content-Type': type },
});

describe.each<[string, Answer, RegExp]>([
	[
		'204',
		{ status: 204, body: '', headers: { 'Content-Type': 'audio/mpeg' } },
		/returned no audio or video.* the file is empty/,
	],
	[
		'an empty response of length 0',
		{ body: '', headers: { 'Content-Type': 'audio/mpeg', 'Content-Length': '0' } },
		/returned no audio or video.* the file is empty/,
	],
	[
		'an empty response without a length',
		{ body: '', headers: { 'Content-Type': 'audio/mpeg', 'Transfer-Encoding': 'chunked' } },
		/returned no audio or video.* the file is empty/,
	],
	[
		'text/plain',
		typed('text/plain; charset=utf-8'),
		/returned no audio or video.* it is text\/plain/,
	],
	['XML', typed('application/xml'), /returned no audio or video.* it is application\/xml/],
	['text/xml', typed('text/xml'), /returned no audio or video/],
	['problem+json', typed('application/problem+json'), /returned no audio or video/],
])('%s instead of the recording', (_name, answer, message) => {
	it('is requested again from a fresh link', async () => {
		file = (number) => (number === 1 ? answer : GOOD);
		const { item, downloads } = await getResult();
		expect(item.binary?.data.bytes).toBe(5);
		expect(downloads).toBe(2);
	});

	it('is refused if it is the same again', async () => {
		file = () => answer;
		const { error, downloads } = await getResult();
		expect(error?.message).toMatch(/Could not download the edited file of edit e: /);
		expect(`${error?.message} ${error?.description}`).toMatch(message);
		expect(downloads).toBe(2);
	});
});

it('finds each file of markers again in a list that has another order by then', async () => {
	const links = ['a', 'b'].map((name) => `${service.url}/${name}.csv?sig=1`);
	result.timestamps_markers_urls = links;
	file = (number) => {
		result.timestamps_markers_urls = [...links].reverse();
		return number === 1 ? { status: 403 } : { body: 'x', headers: { 'Content-Type': 'text/csv' } };
	};
	const { item } = await getResult(['markers']);
	const names = Object.values(item.binary ?? {}).map(({ fileName }) => fileName);
	expect(names).toEqual(['a.csv', 'b.csv']);
	const paths = service.seen.map(({ path }) => path).filter((path) => path.endsWith('.csv?sig=1'));
	expect(paths).toEqual(['/a.csv?sig=1', '/a.csv?sig=1', '/b.csv?sig=1', '/b.csv?sig=1']);
});

it('a list of markers may be empty', async () => {
	result.timestamps_markers_urls = [`${service.url}/m?sig=1`];
	file = () => ({ body: '', headers: { 'Content-Type': 'text/plain' } });
	const { item, error } = await getResult(['markers']);
	expect(error).toBeUndefined();
	expect(item.binary).toHaveProperty('data_markers_1');
});

it('Stop while a fresh link is asked for ends the node as stopped, not as an expired link', async () => {
	let stop = () => {};
	let reads = 0;
	file = () => ({ status: 403 });
	onRead = () => {
		if (++reads < 2) return {};
		stop();
		return { stall: true };
	};
	const workflow = chain({ type: 'getResult', parameters: { editId: 'e' } });
	const run = await runChain(service, workflow, undefined, { onStart: (end) => (stop = end) });
	// n8n ends the execution at once; the node ends after this.
	await systemTime.sleep(1_000);
	expect(run.data.resultData.error?.message).toContain('the execution was stopped');
});

describe('Delete', () => {
	let answers: Answer[] = [];

	const service = useService((_request, number) => answers[number - 1]);

	const GONE: Answer = { status: 404, body: { detail: 'Not Found' } };

	async function deleteOne() {
		const parameters = { editId: 'edit-1' };
		const run = await runChain(service, chain({ type: 'delete', parameters }));
		return run.data.resultData.error;
	}

	it.each<[string, Answer]>([
		['was cut off', { cut: true }],
		['got a 504 from a gateway', { status: 504 }],
	])('counts 404 as deleted after a try that %s', async (_name, first) => {
		answers = [first, GONE];
		expect(await deleteOne()).toBeUndefined();
		expect(service.seen).toHaveLength(2);
	});
});
