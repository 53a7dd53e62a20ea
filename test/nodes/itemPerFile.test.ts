import { fullResult } from '../support/fullResult';
import { groupedFormats } from '../support/grouped';
import { itemsOf, readFile } from '../support/n8nEngine';
import { status, useScriptedEdits } from '../support/scriptedEdits';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const edits = useScriptedEdits();

const FILE_ANSWER = { body: 'bytes of a file', headers: { 'Content-Type': 'audio/mpeg' } };

async function getResults(parameters: Parameters<typeof edits.run>[2], ids = ['a']) {
	const answers = ids.map((id) => [
		`/v2/edits/${id}`,
		[status(id, 'SUCCESS', fullResult(edits.service.url))],
	]);
	edits.script = { ...Object.fromEntries(answers), '/download/full': [FILE_ANSWER] };
	const { out, error } = await edits.run('getResult', ids, parameters);
	if (error) throw error;
	return out;
}

const ON = { options: { oneItemPerFile: true } };

describe('One Item per File', () => {
	it('returns each file as its own item in one field, including texts', async () => {
		const formats = groupedFormats(['subtitlesSrt', 'socialPosts']);
		const out = await getResults({ ...ON, ...formats });
		expect(out.map(({ json, binary }) => [json.kind, json.fileName, Object.keys(binary!)])).toEqual(
			[
				['edited', 'episode 12.mp3', ['data']],
				['subtitlesSrt', 'episode 12.srt', ['data']],
				['socialPosts', 'episode 12-newsletter.md', ['data']],
				['socialPosts', 'episode 12-linkedin.txt', ['data']],
				['socialPosts', 'episode 12-thread.txt', ['data']],
			],
		);
		for (const { binary, json } of out) expect(binary!.data.fileName).toBe(json.fileName);
		expect((await readFile(out[0].binary!.data)).toString()).toBe('bytes of a file');
		expect((await readFile(out[1].binary!.data)).toString()).toMatch(/^1\n00:00:00,000 -->/);
	});

	it('keeps the known fields of the edit and the item it came from', async () => {
		const out = await getResults({ ...ON, ...groupedFormats(['transcriptText']) }, ['a', 'b']);
		expect(out.map(({ json, pairedItem }) => [json.editId, json.title, pairedItem])).toEqual([
			['a', 'Bread & Time', { item: 0 }],
			['a', 'Bread & Time', { item: 0 }],
			['b', 'Bread & Time', { item: 1 }],
			['b', 'Bread & Time', { item: 1 }],
		]);
	});

	it('puts the files into the field named in the form', async () => {
		const out = await getResults({ ...ON, binaryPropertyName: 'audio' });
		expect(out.map(({ binary }) => Object.keys(binary!))).toEqual([['audio']]);
	});

	it('returns the item without files if there are none', async () => {
		const out = await getResults({ ...ON, download: [] });
		expect(out).toHaveLength(1);
		expect(out[0].binary).toBeUndefined();
		expect(out[0].json.editId).toBe('a');
	});

	it('is off by default', async () => {
		const out = await getResults({
			...groupedFormats(['subtitlesSrt']),
			returnAs: 'files',
		});
		expect(out.map(({ binary }) => Object.keys(binary!))).toEqual([['data', 'data_srt']]);
		expect(out[0].json).not.toHaveProperty('kind');
	});
});

it('Delete deletes an edit once, however many of its files come in', async () => {
	edits.script = { '/v2/edits/a': [{}], '/v2/edits/b': [{}] };
	const items = ['a', 'a', 'b', 'a'].map((editId) => ({
		json: { editId, sourceFileName: `${editId}.wav` },
	}));
	const run = await runChain(edits.service, chain({ type: 'delete' }), items);
	const out = itemsOf(run, 'delete');
	expect(edits.service.seen.map(({ method, path }) => [method, path])).toEqual([
		['DELETE', '/v2/edits/a'],
		['DELETE', '/v2/edits/b'],
	]);
	expect(out.map(({ json }) => json)).toEqual(
		items.map(({ json }) => ({ deleted: true, ...json })),
	);
});
