import type { INodeParameters } from 'n8n-workflow';

import { fullResult } from '../../../testkit/service/fullResult';
import { groupedFormats } from '../../../testkit/n8n/grouped';
import { readFile } from '../../../testkit/n8n/n8nEngine';
import { finished, status, useScriptedEdits } from '../../../testkit/service/scriptedEdits';
import type { Answer } from '../../../testkit/service/fake/scriptedService';
import { runOne } from '../../../testkit/service/useService';

const edits = useScriptedEdits();
const FILE_ANSWER: Answer = { body: 'bytes of a file', headers: { 'Content-Type': 'audio/mpeg' } };

/** Downloads what the result lists, and returns the fields with the names of the files. */
const listed = async (result: object, parameters: INodeParameters, more: Answer = {}) => {
	const links = JSON.stringify(result).match(/http:[^"]+/g) ?? [];
	const answer = { ...FILE_ANSWER, headers: { ...FILE_ANSWER.headers, ...more.headers } };
	edits.script = {
		'/v2/edits/a': [status('a', 'SUCCESS', result)],
		...Object.fromEntries(links.map((link) => [new URL(link).pathname, [answer]])),
	};
	const { out, hints } = await edits.run('getResult', ['a'], parameters);
	const files = Object.entries(out[0].binary!).map(([field, file]) => [field, file.fileName]);
	return { files, hints: hints.join() };
};

const link = (path: string) => `${edits.service.url}/${path}`;

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

	it.each([401, 403, 404, 500])(
		'names the link as what failed, even if the edit cannot be read again (%d)',
		async (again) => {
			edits.script = {
				'/v2/edits/a': [finished('a', edits.service.url), { status: again, body: {} }],
				'/download/a': [{ status: 410 }],
			};
			const { run } = await edits.run('getResult', ['a']);
			expect(run.data.resultData.error?.message).toMatch(
				/download the edited file: there is no file at the download link/,
			);
		},
	);

	it('puts merged audio and markers into their own fields', async () => {
		const result = {
			merged_audio_url: [link('m.wav?signature=x')],
			timestamps_markers_urls: [link('m.txt')],
		};
		const headers = { 'Content-Disposition': "attachment; filename*=UTF-8''m%C3%A9rged" };
		const parameters = { download: ['merged', 'markers'], binaryPropertyName: 'audio' };
		expect((await listed(result, parameters, { headers })).files).toEqual([
			['audio_merged_1', 'mérged'],
			['audio_markers_1', 'mérged'],
		]);
	});

	it('fetches each link once, and both of two that differ only in their query', async () => {
		const links = ['audacity', 'reaper', 'audacity'].map((format) =>
			link(`m.csv?format=${format}`),
		);
		const { files } = await listed({ timestamps_markers_urls: links }, { download: ['markers'] });
		expect(files.map(([field]) => field)).toEqual(['data_markers_1', 'data_markers_2']);
	});
});

describe('Get Result, of other files', () => {
	it("fetches the sound of 'Audio for Edit List' with the merged audio, after a mix", async () => {
		const result = { merged_audio_url: [link('mix')], audio_for_edl_urls: [link('uncut')] };
		const { files } = await listed(result, { download: ['merged'] });
		expect(files).toEqual([
			['data_merged_1', 'mix'],
			['data_merged_2', 'uncut'],
		]);
	});

	it('refuses a page instead of the merged audio, but not instead of markers', async () => {
		const result = { merged_audio_url: [link('m.wav')], timestamps_markers_urls: [link('m.html')] };
		const page = { body: '<html></html>', headers: { 'Content-Type': 'text/html' } };
		edits.script = {
			'/v2/edits/a': [status('a', 'SUCCESS', result)],
			'/m.wav': [page],
			'/m.html': [page],
		};
		const { error } = await edits.run('getResult', ['a'], { download: ['merged'] });
		expect(error?.message).toContain(
			'ould not download the merged file: the link returned no audio',
		);
		const { out } = await edits.run('getResult', ['a'], { download: ['markers'] });
		expect(Object.keys(out[0].binary!)).toEqual(['data_markers_1']);
	});

	it('fetches no more than 20 files of one kind, and says so', async () => {
		const merged_audio_url = Array.from({ length: 100 }, (_, at) => link(`m${at}.wav`));
		const { files, hints } = await listed({ merged_audio_url }, { download: ['merged'] });
		expect(files).toHaveLength(20);
		expect(hints).toContain(
			"edit a: the result has 100 files for 'Merged Audio', and only the first 20",
		);
	});
});

const FILELESS = status('a', 'SUCCESS', { statistics: {} });

describe('Get Result without some files', () => {
	it.each<[string, () => unknown, string[]]>([
		['a list', () => [link('m/1.edl'), link('m/2.txt')], ['1.edl', '2.txt']],
		['one link', () => link('m/1.edl'), ['1.edl']],
		[
			'an object of names and links',
			() => ({ 'cuts.edl': link('m/1.edl'), audacity: link('m/2.txt?s=1') }),
			['cuts.edl', 'audacity.txt'],
		],
	])('downloads markers that come as %s', async (_shape, markers, names) => {
		const result = { timestamps_markers_urls: markers() };
		const { files } = await listed(result, { download: ['markers'] });
		expect(files.map(([, name]) => name)).toEqual(names);
	});

	it.each<[string, Answer, RegExp, RegExp]>([
		['is not finished', status('a', 'EDITING'), /not finished yet.* is EDITING/, /Wait For Edit/],
		['may not exist', status('a', 'PENDING'), /its status is PENDING/, /unknown, deleted or exp/],
		['has no file', FILELESS, /no edited file to download/, /Fetch it again in a minute/],
	])('says that the edit %s', async (_name, answer, message, advice) => {
		edits.script = { '/v2/edits/a': [answer] };
		const { error } = await edits.run('getResult', ['a']);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(advice);
	});
});

describe('Get Result, file by file', () => {
	it('returns each file as its own item on request, with the fields of its edit', async () => {
		const answers = ['a', 'b'].map((id) => [
			`/v2/edits/${id}`,
			[status(id, 'SUCCESS', fullResult(edits.service.url))],
		]);
		edits.script = { ...Object.fromEntries(answers), '/download/full': [FILE_ANSWER] };
		const { out } = await edits.run('getResult', ['a', 'b'], {
			files: { oneItemPerFile: true },
			...groupedFormats(['subtitlesSrt', 'socialPosts']),
		});
		const names = [
			'episode 12.mp3',
			'episode 12.srt',
			'episode 12-newsletter.md',
			'episode 12-linkedin.txt',
			'episode 12-thread.txt',
		];
		expect(out.map(({ json }) => json.editedFileName)).toEqual([...names, ...names]);
		expect(out.slice(0, 3).map(({ json }) => json.kind)).toEqual([
			'edited',
			'subtitlesSrt',
			'socialPosts',
		]);
		for (const [index, { json, binary, pairedItem }] of out.entries()) {
			const item = index < names.length ? 0 : 1;
			expect({ ...json, pairedItem }).toMatchObject({
				editId: 'ab'[item],
				title: 'Bread & Time',
				pairedItem: { item },
			});
			expect(Object.keys(binary!)).toEqual(['data']);
			expect(binary!.data.fileName).toBe(json.editedFileName);
		}
		expect((await readFile(out[0].binary!.data)).toString()).toBe('bytes of a file');
		expect((await readFile(out[1].binary!.data)).toString()).toMatch(/^1\n00:00:00,000 -->/);
	});
});

describe('Delete', () => {
	it('deletes an edit once, however many of its files come in', async () => {
		edits.script = { '/v2/edits/a': [{}], '/v2/edits/b%3A1': [{ body: 'gone' }] };
		const items = ['a', 'a', 'b:1', 'a'].map((editId) => ({
			json: { editId, sourceFileName: `${editId}.wav` },
		}));
		const { out } = await runOne(edits.service, 'delete', {}, items);
		expect(edits.service.seen.map(({ method, path }) => [method, path])).toEqual([
			['DELETE', '/v2/edits/a'],
			['DELETE', '/v2/edits/b%3A1'],
		]);
		const deleted = items.map(({ json }) => ({ deleted: true, ...json }));
		expect(out.map(({ json }) => json)).toEqual(deleted);
	});

	it.each<[string, Answer[], boolean]>([
		['got a 504 from a gateway', [{ status: 504 }, { status: 404 }], true],
		['the rate limit refused', [{ status: 429 }, { status: 404 }], false],
	])('knows after a try that %s whether 404 means deleted', async (_name, script, isDeleted) => {
		edits.script = { '/v2/edits/a': script };
		const { error } = await edits.run('delete', ['a']);
		expect(error === undefined).toBe(isDeleted);
		expect(edits.service.seen).toHaveLength(2);
	});
});

it.each<[what: string, returnAs: INodeParameters, isFile: boolean, download: string[]]>([
	['files beside the edited file', {}, true, ['edited']],
	['fields if it is not downloaded', {}, false, ['markers']],
	['fields beside it if the form says so', { returnAs: 'json' }, false, ['edited']],
	['files without it if the form says so', { returnAs: 'files' }, true, []],
])('the texts are %s', async (_what, returnAs, isFile, download) => {
	edits.script = {
		'/v2/edits/a': [status('a', 'SUCCESS', fullResult(edits.service.url))],
		'/download/full': [FILE_ANSWER],
		'/markers/m.txt': [FILE_ANSWER],
	};
	const parameters = { download, ...groupedFormats(['subtitlesSrt']), ...returnAs };
	const { out } = await edits.run('getResult', ['a'], parameters);
	expect('data_srt' in (out[0].binary ?? {})).toBe(isFile);
	expect('formats' in out[0].json).toBe(!isFile);
});
