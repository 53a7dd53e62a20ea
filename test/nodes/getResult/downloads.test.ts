/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they compress */
import { randomBytes } from 'crypto';
import { type INodeParameters, sleep } from 'n8n-workflow';
import { Readable } from 'stream';
import { gzipSync } from 'zlib';

import { Client } from '../../../api/client';
import { type Result, success } from '../../../api/failure';
import { HIDES_NOTHING } from '../../../api/secrets';
import { fetchFile } from '../../../nodes/core/fetch/fetchFile';
import { NodeRun } from '../../../nodes/core/run/nodeRun';
import { systemTime } from '../../../testkit/time/leapingTime';
import { readFile, startEngine } from '../../../testkit/n8n/n8nEngine';
import { useScriptedEdits } from '../../../testkit/service/scriptedEdits';
import type { Answer, Reply } from '../../../testkit/service/fake/scriptedService';
import { serviceContext } from '../../../testkit/n8n/serviceContext';
import { runOne } from '../../../testkit/service/useService';

const CONTENT = 'bytes of a file';
const FILE: Answer = { body: CONTENT, headers: { 'Content-Type': 'audio/mpeg' } };
const edits = useScriptedEdits();
const { service } = edits;
const seen = () => service.seen.map(({ path }) => path.split('?')[0]);

/** An edit whose link changes with each request: /file/1, /file/2 … */
const edit =
	(more: object = {}, top: object = {}) =>
	(look: number): Answer => {
		const download_url = `${service.url}/file/${look}?signature=link-secret`;
		const result = { filename: 'episode.mp3', download_url, ...more };
		return { body: { task_id: 'a', status: 'SUCCESS', result, ...top } };
	};

/** Gets the result of an edit; the replies are the first and the second download. */
async function run(replies: Reply[], parameters: INodeParameters = {}, more: object = {}) {
	const [first, second = first] = replies;
	edits.script = { '/v2/edits/a': edit(more), '/file/1': [first], '/file/2': [second] };
	const items = [{ json: { editId: 'a' } }];
	const ended = await runOne(service, 'getResult', parameters, items);
	const [item] = ended.out;
	const content = item?.binary?.data && (await readFile(item.binary.data));
	return { ...ended, item, content };
}

/** Sends a part of a file, then cuts the connection, or leaves it open. */
const part =
	(content: string | Buffer, end: 'cut' | 'open', headers: object = {}): Reply =>
	(response) => {
		response.writeHead(200, { 'Content-Length': content.length, ...headers });
		response.write(content.slice(0, content.length / 2));
		if (end === 'cut') void sleep(20).then(() => response.destroy());
	};

it.each(['filesystem', 'default'] as const)(
	'a download with binaries kept in %s ends when the execution is stopped',
	async (mode) => {
		await startEngine(mode);
		edits.script = { '/v2/edits/a': edit(), '/file/1': [part(CONTENT, 'open')] };
		let stoppedMs = 0;
		const stopLater = async (stop: () => void) => {
			while (!seen().includes('/file/1')) await sleep(20);
			await sleep(100);
			stoppedMs = Date.now();
			stop();
		};
		const items = [{ json: { editId: 'a' } }];
		const ended = await runOne(service, 'getResult', {}, items, {
			onStart: (stop) => void stopLater(stop),
		});
		expect(Date.now() - stoppedMs).toBeLessThan(5_000);
		await startEngine();
		expect(ended.run.status).toBe('canceled');
		await sleep(200);
		expect(seen()).toEqual(['/v2/edits/a', '/file/1']);
		expect(await service.connections()).toBeLessThanOrEqual(1);
	},
);

it.each([
	[
		'audio/mp4',
		/^'?episode\.m4a'?: n8n cannot play audio\/mp4.*'Export Format \(MP3, WAV …\)' to MP3 when you create the edit/,
	],
	['video/quicktime', /cannot play video\/quicktime.* Download the file to play it\.$/],
	['audio/wav', undefined],
	['audio/mpeg', undefined],
	['audio/ogg', undefined],
	['video/mp4', undefined],
	['video/ogg', undefined],
	['video/webm', undefined],
])('says why n8n has no View for an edited file of the type %s', async (type, said) => {
	const file = { body: CONTENT, headers: { 'Content-Type': type } };
	const { hints } = await run([file], {}, { filename: 'episode.m4a' });
	const found = hints.filter((hint) => hint.includes("'View'"));
	expect(found).toEqual(said === undefined ? [] : [expect.stringMatching(said)]);
});

describe('a host that sends gzip although nobody asked for it', () => {
	const GZIP = { 'Content-Type': 'audio/flac', 'Content-Encoding': 'gzip' };

	it.each([
		['longer than the encoded one', Buffer.alloc(5_000, 'a')],
		['shorter than the encoded one', randomBytes(5_000)],
	])('delivers a file that is %s', async (_what, file) => {
		const body = gzipSync(file);
		const headers = { ...GZIP, 'Content-Length': String(body.length) };
		expect((await run([{ body, headers }])).content).toEqual(file);
	});

	it('does not deliver a file that is cut off', async () => {
		const { error } = await run([part(gzipSync(randomBytes(5_000)), 'cut', GZIP)]);
		expect(error?.message).toMatch(/the connection was lost/);
	});
});

it('content that ends too early counts as broken off, and is closed', async () => {
	const content = Readable.from([Buffer.from(CONTENT.slice(0, 4))]);
	const headers = { 'content-length': String(CONTENT.length), 'content-type': 'audio/mpeg' };
	const close = jest.fn();
	const never = { call: jest.fn(), put: jest.fn(), openOwn: jest.fn() };
	const client = new Client({
		...never,
		hiderFor: () => HIDES_NOTHING,
		open: async () => success({ content, headers, close }),
	});
	const { context } = serviceContext();
	context.helpers.prepareBinaryData = async (stream) => {
		await (stream as Readable).toArray();
		return { data: '', mimeType: '', bytes: 4 };
	};
	const about = { itemIndex: 0, doing: 'download it', editId: 'a' };
	const file = { url: 'https://f.example/f', isMedia: true, ...about };
	const outcome: Result<unknown> = await fetchFile(new NodeRun(context), client, file);
	expect(outcome).toMatchObject({
		ok: false,
		failure: { kind: 'broken', target: 'link', said: 'only 4 of 15 bytes arrived' },
	});
	expect(close).toHaveBeenCalled();
});

const EMPTY = /returned no audio or video.* the file is empty/;
const TEXT = '<Error><Code>ExpiredToken</Code></Error>';
const empty = (headers: Record<string, string>, status = 200): Answer => ({
	status,
	body: '',
	headers: { 'Content-Type': 'audio/mpeg', ...headers },
});
const typed = (type: string): Answer => ({ body: TEXT, headers: { 'Content-Type': type } });

// The fault matrix has the other statuses, and what breaks off.
describe.each<[string, Answer, RegExp]>([
	['410', { status: 410 }, /no file at the download link|has expired/],
	['204', empty({}, 204), EMPTY],
	['an empty response of length 0', empty({ 'Content-Length': '0' }), EMPTY],
	['an empty response without a length', empty({ 'Transfer-Encoding': 'chunked' }), EMPTY],
	['text/plain', typed('text/plain; charset=utf-8'), /no audio or video.* it is text\/plain/],
	['XML', typed('application/xml'), /returned no audio or video.* it is application\/xml/],
])('%s instead of the recording', (_name, answer, message) => {
	it('is requested again from a fresh link', async () => {
		expect((await run([answer, FILE])).content?.toString()).toBe(CONTENT);
		expect(seen()).toEqual(['/v2/edits/a', '/file/1', '/v2/edits/a', '/file/2']);
	});

	it('is refused if it is the same again', async () => {
		const { error, said } = await run([answer]);
		expect(error?.message).toMatch(/ould not download the edited file: .* \(edit a\)/);
		expect(said).toMatch(message);
		expect(seen()).toHaveLength(4);
	});
});

it('no fresh link is asked for where none can help', async () => {
	const { error } = await run([{ status: 400 }]);
	expect(error?.message).toContain('Could not download the edited file');
	expect(seen()).toEqual(['/v2/edits/a', '/file/1']);
});

it('a link with a number and 64 digits is an ordinary signed one, and no address of an execution', async () => {
	const download_url = `${service.url}/file/1?expires=9&signature=${'a'.repeat(64)}`;
	const { item, content } = await run([FILE], { simplify: false }, { download_url });
	expect(content?.toString()).toBe(CONTENT);
	expect(item.json.result).toMatchObject({ download_url });
});

it('finds each file of markers again in a list that has another order by then', async () => {
	const links = ['a', 'b'].map((name) => `${service.url}/${name}.csv?sig=1`);
	const file = { body: 'x', headers: { 'Content-Type': 'text/csv' } };
	const result = (urls: string[]) => edit({ timestamps_markers_urls: urls })(1);
	edits.script = {
		'/v2/edits/a': [result(links), result(links.toReversed())],
		'/a.csv': [{ status: 403 }, file],
		'/b.csv': [file],
	};
	const { out } = await edits.run('getResult', ['a'], { download: ['markers'] });
	const names = Object.values(out[0].binary ?? {}).map(({ fileName }) => fileName);
	expect(names).toEqual(['a.csv', 'b.csv']);
	expect(seen().filter((path) => path.endsWith('.csv'))).toEqual(['/a.csv', '/a.csv', '/b.csv']);
});

it('finds the right one of two files that differ in their query only', async () => {
	const links = ['a', 'b'].map((format) => `${service.url}/m.csv?format=${format}`);
	let asked = 0;
	const file = { body: 'x', headers: { 'Content-Type': 'text/csv' } };
	edits.script = {
		'/v2/edits/a': edit({ timestamps_markers_urls: links }),
		'/m.csv': () => (++asked === 2 ? { status: 403 } : file),
	};
	await edits.run('getResult', ['a'], { download: ['markers'] });
	const queries = service.seen.flatMap(({ path }) => path.split('m.csv?format=')[1] ?? []);
	expect(queries).toEqual(['a', 'b', 'b']);
});

it('a list of markers may be empty', async () => {
	edits.script = {
		'/v2/edits/a': edit({ timestamps_markers_urls: [`${service.url}/m?sig=1`] }),
		'/m': [{ body: '', headers: { 'Content-Type': 'text/plain' } }],
	};
	const { out } = await edits.run('getResult', ['a'], { download: ['markers'] });
	expect(out[0].binary).toHaveProperty('data_markers_1');
});

it('Stop while a fresh link is asked for ends the node as stopped, not as an expired link', async () => {
	let stop = () => {};
	edits.script = {
		'/v2/edits/a': (look) => {
			if (look === 1) return edit()(look);
			stop();
			return { stall: true };
		},
		'/file/1': [{ status: 403 }],
	};
	const items = [{ json: { editId: 'a' } }];
	const ended = await runOne(service, 'getResult', {}, items, { onStart: (end) => (stop = end) });
	// n8n ends the execution at once; the node ends after this.
	await systemTime.sleep(1_000);
	expect(ended.run.data.resultData.error?.message).toContain('the execution was stopped');
});

it('outputs the raw result as it came, except for a key that n8n takes for a failed item', async () => {
	const odd = { transcript: 7, merged_audio_url: 'https://a/m', statistics: { BREATH: null } };
	const top = { error: { code: 'E1' }, task_id: 12, new_key: [1] };
	edits.script = { '/v2/edits/a': edit(odd, top) };
	const { out } = await edits.run('getResult', ['a'], { download: [], simplify: false });
	expect(out[0].json).toEqual({
		editId: 'a',
		sourceFileName: 'a.wav',
		editedFileName: 'episode.mp3',
		finished: true,
		task_id: 12,
		status: 'SUCCESS',
		new_key: [1],
		serviceError: { code: 'E1' },
		result: {
			filename: 'episode.mp3',
			...odd,
			download_url: `${service.url}/file/1?signature=link-secret`,
		},
	});
});

describe('the name of a file', () => {
	it.each([
		['the link', {}, '1'],
		['the response', { 'Content-Disposition': 'attachment; filename="x;1.mp3"' }, 'x;1.mp3'],
	])('comes from %s if the result has an empty one', async (_what, more, name) => {
		const file = { body: CONTENT, headers: { 'Content-Type': 'audio/mpeg', ...more } };
		const { item } = await run([file], {}, { filename: '' });
		expect(item.binary?.data.fileName).toBe(name);
	});

	it('is that of the result, whatever the response says', async () => {
		const headers = { ...FILE.headers, 'Content-Disposition': 'attachment; filename="x.mp3"' };
		const { item } = await run([{ ...FILE, headers }]);
		expect(item.binary?.data.fileName).toBe('episode.mp3');
	});
});
