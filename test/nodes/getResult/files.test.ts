import { fullResult } from '../../support/fullResult';
import { groupedFormats } from '../../support/grouped';
import { itemsOf, readFile } from '../../support/n8nEngine';
import { finished, status, useScriptedEdits } from '../../support/scriptedEdits';
import type { Answer } from '../../support/scriptedService';
import { chain, runChain } from '../../support/workflows';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

const edits = useScriptedEdits();

const FILE_ANSWER: Answer = { body: 'bytes of a file', headers: { 'Content-Type': 'audio/mpeg' } };

describe('Get Result', () => {
	it('downloads the edited file under its name, without the key', async () => {
		edits.script = {
			'/v2/edits/a': [finished('a', edits.service.url)],
			'/download/a': [FILE_ANSWER],
		};
		const { out } = await edits.run('getResult', ['a']);
		const { data } = out[0].binary!;
		expect(data).toMatchObject({ fileName: 'episode-edited.mp3', mimeType: 'audio/mpeg' });
		expect((await readFile(data)).toString()).toBe('bytes of a file');
		const download = edits.service.seen.find(({ path }) => path.startsWith('/download/'));
		expect(download?.headers).not.toHaveProperty('x-api-key');
	});

	it('puts merged audio and markers into their own fields', async () => {
		const result = {
			filename: 'all.wav',
			merged_audio_url: [`${edits.service.url}/merged/m.wav?signature=x`],
			timestamps_markers_urls: [`${edits.service.url}/markers/m.txt`],
			download_url: `${edits.service.url}/download/a`,
		};
		const disposition = { 'Content-Disposition': "attachment; filename*=UTF-8''m%C3%A9rged.wav" };
		edits.script = {
			'/v2/edits/a': [status('a', 'SUCCESS', result)],
			'/merged/m.wav': [{ ...FILE_ANSWER, headers: { ...FILE_ANSWER.headers, ...disposition } }],
			'/markers/m.txt': [FILE_ANSWER],
		};
		const { out } = await edits.run('getResult', ['a'], {
			download: ['merged', 'markers'],
			binaryPropertyName: 'audio',
		});
		const names = Object.entries(out[0].binary!).map(([field, file]) => [field, file.fileName]);
		expect(names).toEqual([
			['audio_merged_1', 'mérged.wav'],
			['audio_markers_1', 'm.txt'],
		]);
	});

	const listed = async (result: Record<string, string[]>, download: string[]) => {
		const links = Object.values(result).flat();
		edits.script = {
			'/v2/edits/a': [status('a', 'SUCCESS', result)],
			...Object.fromEntries(links.map((link) => [new URL(link).pathname, [FILE_ANSWER]])),
		};
		const { run, out } = await edits.run('getResult', ['a'], { download });
		const hints = run.data.resultData.runData.getResult[0].hints ?? [];
		return { fields: Object.keys(out[0].binary!), hints: JSON.stringify(hints) };
	};

	it('fetches each link once, and both of two that differ only in their query', async () => {
		const link = (format: string) => `${edits.service.url}/markers.csv?format=${format}`;
		const links = [link('audacity'), link('reaper'), link('audacity')];
		const { fields } = await listed({ timestamps_markers_urls: links }, ['markers']);
		expect(fields).toEqual(['data_markers_1', 'data_markers_2']);
	});

	it("fetches the sound of 'Audio for EDL' with the merged audio, after a mix", async () => {
		const [mix, uncut] = [`${edits.service.url}/mix.wav`, `${edits.service.url}/uncut.wav`];
		const result = { merged_audio_url: [mix], audio_for_edl_urls: [uncut] };
		expect((await listed(result, ['merged'])).fields).toEqual(['data_merged_1', 'data_merged_2']);
		const alone = await listed({ audio_for_edl_urls: [uncut] }, ['merged']);
		expect(alone.fields).toEqual(['data_merged_1']);
	});

	it('fetches no more than 20 files of one kind, and says so', async () => {
		const merged = Array.from({ length: 100 }, (_, at) => `${edits.service.url}/m${at}.wav`);
		const { fields, hints } = await listed({ merged_audio_url: merged }, ['merged']);
		expect(fields).toHaveLength(20);
		expect(hints).toContain(
			"edit a: the result has 100 files for 'Merged Audio', and only the first 20",
		);
	});

	it('returns only the links if nothing is to be downloaded', async () => {
		edits.script = { '/v2/edits/a': [finished('a', edits.service.url)] };
		const { out } = await edits.run('getResult', ['a'], { download: [] });
		expect(out[0].binary).toBeUndefined();
		expect(out[0].json.downloadUrl).toContain('/download/a');
	});

	it('waits a little for a result that comes after SUCCESS', async () => {
		edits.script = {
			'/v2/edits/a': [
				status('a', 'SUCCESS'),
				status('a', 'SUCCESS'),
				finished('a', edits.service.url),
			],
			'/download/a': [FILE_ANSWER],
		};
		const { out } = await edits.run('getResult', ['a']);
		expect(out[0].binary?.data.fileName).toBe('episode-edited.mp3');
	});

	it.each<[string, Answer, RegExp, RegExp]>([
		[
			'is not finished',
			status('a', 'EDITING'),
			/Edit a is not finished yet: its status is EDITING/,
			/Wait For Edit node before/,
		],
		[
			'may not exist',
			status('a', 'PENDING'),
			/its status is PENDING/,
			/unknown, deleted or expired/,
		],
		['failed', status('a', 'FAILURE'), /ended with status FAILURE/, /create a new edit/],
		[
			'has no file',
			status('a', 'SUCCESS', { statistics: {} }),
			/no edited file to download/,
			/Fetch it again in a minute/,
		],
	])('says that the edit %s', async (_name, answer, message, advice) => {
		edits.script = { '/v2/edits/a': [answer] };
		const { error } = await edits.run('getResult', ['a']);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(advice);
	});
});

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

it.each<[string, (url: string) => unknown, string[]]>([
	['a list', (url) => [`${url}/m/1.edl`, `${url}/m/2.txt`], ['1.edl', '2.txt']],
	['one link', (url) => `${url}/m/1.edl`, ['1.edl']],
	[
		'an object of names and links',
		(url) => ({ 'cuts.edl': `${url}/m/1.edl`, audacity: `${url}/m/2.txt?s=1` }),
		['cuts.edl', 'audacity.txt'],
	],
])('downloads markers that come as %s', async (_shape, markers, names) => {
	edits.script = {
		'/v2/edits/a': [
			status('a', 'SUCCESS', { timestamps_markers_urls: markers(edits.service.url) }),
		],
		'/m/1.edl': [{ body: 'cut 1' }],
		'/m/2.txt': [{ body: 'cut 2' }],
	};
	const { run, error } = await edits.run('getResult', ['a'], { download: ['markers'] });
	if (error) throw error;
	const files = Object.values(itemsOf(run, 'getResult')[0].binary ?? {});
	expect(files.map(({ fileName }) => fileName)).toEqual(names);
});
