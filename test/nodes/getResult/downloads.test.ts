/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they compress */
import { randomBytes, randomUUID } from 'crypto';
import { once } from 'events';
import { type INodeParameters, sleep } from 'n8n-workflow';
import { Readable } from 'stream';
import { gzipSync } from 'zlib';

import { Client } from '../../../api/client';
import { type Result, success } from '../../../api/failure';
import { HIDES_NOTHING } from '../../../api/secrets';
import { fetchFile, nameInDisposition } from '../../../nodes/GetResult/download/fetchFile';
import { NodeRun } from '../../../nodes/shared/run/nodeRun';
import { itemsOf, readFile, startEngine } from '../../support/n8nEngine';
import { Probe } from '../../support/probeNode';
import { whileHeldBack } from '../../support/requestsUnderWay';
import { useScriptedEdits } from '../../support/scriptedEdits';
import type { Reply } from '../../support/scriptedService';
import { chain, runChain } from '../../support/workflows';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

type Handler = (number: number) => Reply;

const CONTENT = 'bytes of a file';

const edits = useScriptedEdits();

const { service } = edits;

const seen = () => service.seen.map(({ path }) => path.split('?')[0]);

const give =
	(status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
	() => ({ status, body, headers });

const giveFile = give(200, CONTENT, {
	'Content-Type': 'audio/mpeg',
	'Content-Length': String(CONTENT.length),
});

/** Sends a part of the file, then cuts the connection, leaves it open, or lets its time pass. */
const givePart =
	(end: 'cut' | 'open' | 'stalled'): Handler =>
	() =>
	(response) => {
		response.writeHead(200, { 'Content-Type': 'audio/mpeg', 'Content-Length': CONTENT.length });
		response.write(CONTENT.slice(0, 4));
		if (end === 'cut') void sleep(20).then(() => response.destroy());
		const port = response.socket?.remotePort;
		if (end === 'stalled') void whileHeldBack(port, async () => await once(response, 'close'));
	};

/** Sends a file with gzip, although the node asked for it as it is. */
const giveGzip =
	(content: Buffer): Handler =>
	() => {
		const encoded = gzipSync(content);
		const headers = { 'Content-Type': 'audio/flac', 'Content-Encoding': 'gzip' };
		return { body: encoded, headers: { ...headers, 'Content-Length': String(encoded.length) } };
	};

/** An edit whose link changes with each request: /file/1, /file/2 … */
const edit =
	(more: object = {}, top: object = {}): Handler =>
	(look) => {
		const download_url = `${service.url}/file/${look}?signature=link-secret`;
		const result = { filename: 'episode.mp3', download_url, ...more };
		return { body: { task_id: 'a', status: 'SUCCESS', result, ...top } };
	};

async function run(parameters: INodeParameters = {}, onStart?: (stop: () => void) => void) {
	const access = { url: service.url, apiKey: randomUUID() };
	const items = [{ json: { editId: 'a' } }];
	const workflow = chain({ type: 'getResult', parameters });
	const result = await runChain(access, workflow, items, { onStart });
	const [item] = itemsOf(result, 'getResult');
	const { error, runData } = result.data.resultData;
	const hints = runData.getResult?.[0].hints?.map(({ message }) => message) ?? [];
	return { item, error, hints, status: result.status };
}

async function contentOf(item: Awaited<ReturnType<typeof run>>['item']): Promise<string> {
	return (await readFile(item.binary!.data)).toString();
}

describe.each(['filesystem', 'default'] as const)('a download with binaries kept in %s', (mode) => {
	beforeAll(async () => await startEngine(mode));
	afterAll(async () => await startEngine());

	it('ends when the execution is stopped', async () => {
		edits.script = { '/v2/edits/a': edit(), '/file/1': givePart('open') };
		const startedMs = Date.now();
		const { status } = await run({}, (stop) => {
			void stopWhenDownloading(stop);
		});
		expect(status).toBe('canceled');
		expect(Date.now() - startedMs).toBeLessThan(5_000);
		await sleep(200);
		expect(seen()).toEqual(['/v2/edits/a', '/file/1']);
		expect(await service.connections()).toBeLessThanOrEqual(1);
	});
});

it.each([
	[
		'audio/mp4',
		/^'?episode\.m4a'?: n8n does not play audio\/mp4.*'Export Format' to MP3 when you create the edit/,
	],
	['video/quicktime', /does not play video\/quicktime.* Download the file to play it\.$/],
	['audio/wav', undefined],
])('says why n8n has no View for an edited file of the type %s', async (type, said) => {
	const download: Handler = () => ({ body: CONTENT, headers: { 'Content-Type': type } });
	edits.script = { '/v2/edits/a': edit({ filename: 'episode.m4a' }), '/file/1': download };
	const { error, hints } = await run();
	expect(error).toBeUndefined();
	const found = hints.filter((hint) => hint.includes("'View'"));
	expect(found).toEqual(said === undefined ? [] : [expect.stringMatching(said)]);
});

describe('a host that sends gzip although nobody asked for it', () => {
	it.each([
		['longer than the encoded one', Buffer.alloc(5_000, 'a')],
		['shorter than the encoded one', randomBytes(5_000)],
	])('delivers a file that is %s', async (_what, content) => {
		const gzip = giveGzip(content);
		edits.script = { '/v2/edits/a': edit(), '/file/1': gzip, '/file/2': gzip };
		const { item, error } = await run();
		expect(error).toBeUndefined();
		expect(await readFile(item.binary!.data)).toEqual(content);
	});

	it('does not deliver a file that is cut off', async () => {
		const encoded = gzipSync(randomBytes(5_000));
		const cut: Handler = () => (response) => {
			response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': encoded.length });
			response.write(encoded.subarray(0, 3_000));
			void sleep(20).then(() => response.destroy());
		};
		edits.script = { '/v2/edits/a': edit(), '/file/1': cut, '/file/2': cut };
		expect((await run()).error?.message).toMatch(/the connection was lost/);
	});
});

it('content that ends too early counts as broken off, and is closed', async () => {
	const content = Readable.from([Buffer.from(CONTENT.slice(0, 4))]);
	const headers = { 'content-length': String(CONTENT.length) };
	const close = jest.fn();
	const open = async () => success({ content, headers, close });
	let outcome: Result<unknown> | undefined;
	const probe = new Probe(async (context) => {
		const client = new Client({
			open,
			call: jest.fn(),
			put: jest.fn(),
			hiderFor: () => HIDES_NOTHING,
		});
		const file = {
			url: `${service.url}/f`,
			isMedia: true,
			itemIndex: 0,
			doing: 'download the file',
		};
		outcome = await fetchFile(new NodeRun(context), client, file);
	});
	const access = { url: service.url, apiKey: randomUUID() };
	const nodeTypes = { 'n8n-nodes-audio-editing.probe': probe };
	await runChain(access, chain({ type: 'probe' }), [{ json: {} }], { nodeTypes });
	expect(outcome).toMatchObject({
		ok: false,
		failure: { kind: 'broken', target: 'link', said: 'only 4 of 15 bytes arrived' },
	});
	expect(close).toHaveBeenCalled();
});

async function stopWhenDownloading(stop: () => void): Promise<void> {
	while (!seen().includes('/file/1')) await sleep(20);
	await sleep(100);
	stop();
}

describe('a link', () => {
	it('with a number and 64 digits is an ordinary signed one, and no address of an execution', async () => {
		const download_url = `${service.url}/12345?expires=9&signature=${'a'.repeat(64)}`;
		edits.script = { '/v2/edits/a': edit({ download_url }), '/12345': giveFile };
		const { item, error } = await run({ simplify: false });
		expect(error).toBeUndefined();
		expect(await contentOf(item)).toBe(CONTENT);
		expect(item.json.result).toMatchObject({ download_url });
	});

	it.each([401, 403, 404, 410])(
		'that answers %d is replaced by a fresh one, once',
		async (status) => {
			edits.script = { '/v2/edits/a': edit(), '/file/1': give(status, {}), '/file/2': giveFile };
			const { item } = await run();
			expect(await contentOf(item)).toBe(CONTENT);
			expect(seen()).toEqual(['/v2/edits/a', '/file/1', '/v2/edits/a', '/file/2']);
		},
	);
});

it('takes the name from the link if the result has an empty one', async () => {
	edits.script = { '/v2/edits/a': edit({ filename: '' }), '/file/1': giveFile };
	const { item } = await run();
	expect(item.binary?.data.fileName).toBe('1');
});

it('outputs the raw result as it came, except for a key that n8n takes for a failed item', async () => {
	const odd = { transcript: 7, merged_audio_url: 'https://a/m', statistics: { BREATH: null } };
	edits.script = { '/v2/edits/a': edit(odd, { error: { code: 'E1' }, task_id: 12, new_key: [1] }) };
	const { item } = await run({ download: [], simplify: false });
	const download_url = `${service.url}/file/1?signature=link-secret`;
	expect(item.json).toEqual({
		editId: 'a',
		task_id: 12,
		status: 'SUCCESS',
		new_key: [1],
		serviceError: { code: 'E1' },
		result: { filename: 'episode.mp3', download_url, ...odd },
	});
});

/** Returns a UTF-8 header as Node.js passes it on. */
const asLatin1 = (text: string) => Buffer.from(text).toString('latin1');

it.each([
	['attachment; filename="a;b.mp3"', 'a;b.mp3'],
	["attachment; filename*=UTF-8'en'na%20me.mp3", 'na me.mp3'],
	['attachment; filename="plain.mp3"; filename*=UTF-8\'\'%C3%9Cn%C3%AF.mp3', 'Ünï.mp3'],
	["attachment; filename*=utf-8''x.mp3; filename=y.mp3", 'x.mp3'],
	['attachment; filename*="UTF-8\'\'x.mp3"', 'x.mp3'],
	["attachment; filename*=ISO-8859-1''%DCn%EF.mp3", 'Ünï.mp3'],
	['attachment; filename*=bare%20name.mp3', 'bare name.mp3'],
	['attachment; filename="say \\"hi\\".mp3"', 'say "hi".mp3'],
	['attachment; filename="Ünï 🎙.mp3"', 'Ünï 🎙.mp3'],
	['attachment; filename=100%.mp3', '100%.mp3'],
	['attachment; filename="a%20b.mp3"', 'a b.mp3'],
	['attachment;FileName = take 1.mp3 ; size=7', 'take 1.mp3'],
	['attachment; name="filename=x.mp3"; filename=y.mp3', 'y.mp3'],
	['filename=z.mp3', 'z.mp3'],
])('%s', (header, name) => {
	expect(nameInDisposition(asLatin1(header))).toBe(name);
});

it('reads real Latin-1', () => {
	expect(nameInDisposition('attachment; filename="\u00dcn\u00ef.mp3"')).toBe('Ünï.mp3');
});

it.each(['', 'attachment', 'attachment; filename=', 'attachment; filename=""', 'inline; size=1'])(
	'%j names no file',
	(header) => {
		expect(nameInDisposition(header)).toBeUndefined();
	},
);
