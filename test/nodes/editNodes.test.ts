import { readFile } from '../support/n8nEngine';
import { finished, status, useScriptedEdits } from '../support/scriptedEdits';
import type { Answer } from '../support/scriptedService';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

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

describe('Delete', () => {
	it('deletes each edit and reports it', async () => {
		edits.script = { '/v2/edits/a': [{ body: {} }], '/v2/edits/b%3A1': [{ body: 'gone' }] };
		const { out } = await edits.run('delete', ['a', 'b:1']);
		expect(out.map(({ json }) => json)).toEqual([
			{ deleted: true, editId: 'a', sourceFileName: 'a.wav' },
			{ deleted: true, editId: 'b:1', sourceFileName: 'b:1.wav' },
		]);
		expect(edits.service.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
			'DELETE /v2/edits/a',
			'DELETE /v2/edits/b%3A1',
		]);
	});
});

describe('responses that are not from the service', () => {
	it.each<[string, Answer, RegExp]>([
		['a web page', { body: '<!doctype html><html>Hi</html>' }, /this base URL leads to a web page/],
		['another JSON', { body: { hello: 1 } }, /sent an unexpected response/],
		[
			'a redirect',
			{ status: 302, headers: { Location: 'https://other.example/x?token=t' } },
			/redirects to another address/,
		],
	])('%s', async (_name, answer, message) => {
		edits.script = { '/v2/edits/a': [answer] };
		const { error } = await edits.run('getResult', ['a']);
		expect(error?.message).toMatch(message);
		expect(error?.message).not.toContain('token');
	});
});
