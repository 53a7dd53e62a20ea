/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they break files on purpose */
import { Container } from '@n8n/di';
import { appendFileSync, createReadStream, readdirSync, rmSync, truncateSync } from 'fs';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, INodeParameters } from 'n8n-workflow';
import { basename, join } from 'path';
import { storeFile } from '../../../testkit/n8n/n8nEngine';
import type { Answer } from '../../../testkit/service/fake/scriptedService';
import { accept, runOne, useService } from '../../../testkit/service/useService';

let put: (number: number) => Answer = () => ({ body: '' });

let puts = 0;

const service = useService((request, number) =>
	request.method === 'PUT' ? put(++puts) : accept(request, number),
);

beforeEach(() => {
	put = () => ({ body: '' });
});

async function upload(binary: IBinaryData, parameters: INodeParameters = {}) {
	const items = [{ json: {}, binary: { My_recording: binary } }];
	const { run, out, error, hints } = await runOne(service, 'upload', parameters, items);
	return { out: out[0]?.json, error, hints, text: JSON.stringify(run.data.resultData) };
}

const CONTENT = Buffer.from('RIFF and so on');

describe('a refused format', () => {
	const ADVICE =
		'Some services accept only WAV, MP3, FLAC and M4A: convert the file to one of these.';

	it.each([
		['take.ogg', 'audio/ogg', 415, true],
		['take.aiff', 'audio/aiff', 400, true],
		['take.mp4', 'video/mp4', 422, true],
		['take.ogg', 'audio/ogg', 403, false],
		['take.wav', 'audio/wav', 415, false],
		['take.m4a', 'audio/mp4', 422, false],
	])(
		'%s (%s), refused with %d, names the common formats: %s',
		async (name, type, status, isNamed) => {
			put = () => ({ status, body: { detail: 'not this' } });
			const { error, hints } = await upload(await storeFile(CONTENT, name, type));
			expect(error?.description?.includes(ADVICE)).toBe(isNamed);
			expect(hints).toEqual([]);
		},
	);
});

it('streams the file with its length and type, without the key', async () => {
	const { out, text, hints } = await upload(await storeFile(CONTENT, 'take 1.wav', 'audio/wav'));
	expect(out).toEqual({
		fileUrl: `${service.url}/put/take%201.wav`,
		fileName: 'take 1.wav',
		sourceFileName: 'take 1.wav',
		sizeBytes: CONTENT.length,
		contentType: 'audio/wav',
	});
	const [ask, send] = service.seen;
	expect(ask).toMatchObject({ method: 'POST', path: '/v2/upload?filename=take%201.wav' });
	expect(ask.headers['x-api-key']).toBe(service.apiKey);
	expect(send.body).toBe(CONTENT.toString());
	expect(send.headers).toMatchObject({ 'content-type': 'audio/wav', 'content-length': '14' });
	expect(send.headers).not.toHaveProperty('x-api-key');
	expect(send.headers).not.toHaveProperty('transfer-encoding');
	expect(text).not.toContain('put-secret');
	expect(hints).toEqual([]);
});

it('takes name and type from the options', async () => {
	const options = { fileName: '../../../other name.flac', contentType: 'audio/flac' };
	const { out } = await upload(await storeFile(CONTENT, 'x.bin', 'application/x'), options);
	expect(out).toMatchObject({ fileName: 'other name.flac', contentType: 'audio/flac' });
});

it.each(['aiff', 'aac', 'ogg', 'mkv', 'avi', 'webm', 'mov'])(
	'does not hint at a format that the service lists: %s',
	async (extension) => {
		const { hints } = await upload(await storeFile(CONTENT, `a.${extension}`, 'audio/x-any'));
		expect(hints).toEqual([]);
	},
);

it('takes a type that is given, whatever the content is', async () => {
	const options = { contentType: 'application/octet-stream' };
	const wave = Buffer.from('RIFF....WAVE and so on');
	const { out } = await upload(await storeFile(wave, 'x.bin', 'audio/wav'), options);
	expect(out).toMatchObject({ contentType: 'application/octet-stream', fileName: 'x.bin' });
});

it('says that a file is empty, and where to look', async () => {
	const { error } = await upload(await storeFile(Buffer.alloc(0), 'a.wav', 'audio/wav'));
	expect(error?.message).toBe('a.wav is empty [item 0]');
	expect(error?.description).toBe('Nothing was sent. Check the node that created the file.');
	expect(service.seen).toEqual([]);
});

it('says which of several files was refused', async () => {
	put = (number) => (number === 2 ? { status: 403 } : { body: '' });
	const [a, b] = await Promise.all(
		['a.wav', 'b.wav'].map(async (name) => await storeFile(CONTENT, name, 'audio/wav')),
	);
	puts = 0;
	const items = [{ json: {}, binary: { a, b } }];
	const { error } = await runOne(service, 'upload', { recordingFrom: 'all' }, items);
	expect(error?.message).toMatch(/^a\.wav, b\.wav: could not upload 'b\.wav': /);
});

it('hints at a format that the service does not list, but uploads it', async () => {
	const { out, hints } = await upload(await storeFile(CONTENT, 'score.mid', 'audio/midi'));
	expect(out).toMatchObject({ fileName: 'score.mid' });
	expect(hints).toEqual([expect.stringContaining('score.mid')]);
});

it('repeats a broken transfer with a new signed URL', async () => {
	let puts = 0;
	put = () => (++puts === 1 ? { cut: true } : { body: '' });
	const { out } = await upload(await storeFile(CONTENT, 'a.wav', 'audio/wav'));
	expect(out).toMatchObject({ fileName: 'a.wav' });
	expect(service.seen.map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST', 'PUT']);
	expect(service.seen[3].body).toBe(CONTENT.toString());
});

describe('before any request', () => {
	it.each([
		['', 'The item has no files [item 0]'],
		['audio', 'The item has no files [item 0]'],
	])('says that a form passed on no file, in the field %j', async (binaryPropertyName, message) => {
		for (const item of [{ json: {} }, { json: {}, binary: {} }]) {
			const { error } = await runOne(service, 'upload', { binaryPropertyName }, [item]);
			expect(error?.message).toBe(message);
			expect(error?.description).toMatch(
				/A form outputs no file if nobody chose one, or if the chosen file is empty/,
			);
		}
		expect(service.seen).toEqual([]);
	});
});

it('names up to 20 files of an item if the form names none', async () => {
	const saidOf = async (count: number) => {
		const named = Array.from({ length: count }, async (_file, index) => [
			`track${index + 1}`,
			await storeFile(CONTENT, `${index + 1}.wav`, 'audio/wav'),
		]);
		const item = { json: {}, binary: Object.fromEntries(await Promise.all(named)) };
		return (await runOne(service, 'upload', {}, [item])).said;
	};
	const all = await saidOf(20);
	expect(all).toContain('the item has several files, in the fields track1, track2, ');
	expect(all).toContain('track19, track20 [item 0]');
	expect(await saidOf(21)).not.toContain('track21');
	expect(service.seen).toEqual([]);
});

const SIZE_BYTES = 300_000;

async function uploadChanged(change: (path: string) => void, what = /(?<!\.metadata)$/) {
	const binary = await storeFile(Buffer.alloc(SIZE_BYTES, 'x'), 'talk.wav', 'audio/wav');
	const { N8N_USER_FOLDER: folder = '' } = process.env;
	const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((path) => path.includes(basename(binary.id!)) && what.test(path))
		.map((path) => join(folder, path));
	expect(paths).not.toEqual([]);
	paths.forEach(change);
	const items = [{ json: {}, binary: { data: binary } }];
	return (await runOne(service, 'upload', {}, items)).said;
}

describe("a changed file in n8n's store", () => {
	it.each([
		['content', /(?<!\.metadata)$/, ['POST']],
		['metadata', /\.metadata$/, []],
		['folder', /$/, []],
	])('names the file whose %s is gone, and sends nothing of it', async (_name, what, sent) => {
		const told = await uploadChanged((path) => rmSync(path), what);
		expect(told).toMatch(
			/^talk\.wav: could not upload the file: n8n can no longer read its copy.*\[item 0\]/,
		);
		expect(told).toMatch(/Run the workflow again from the node that created the file/);
		expect(service.seen.map(({ method }) => method)).toEqual(sent);
	});

	it.each([
		[
			'shorter than n8n says',
			(path: string) => truncateSync(path, 100_000),
			'100000 instead of 300000 bytes',
		],
		['cut to nothing', (path: string) => truncateSync(path, 0), '0 instead of 300000 bytes'],
		[
			'longer than n8n says',
			(path: string) => appendFileSync(path, 'y'.repeat(50_000)),
			'instead of 300000 bytes',
		],
	])('ends when the file is %s', async (_name, change, said) => {
		const told = await uploadChanged(change);
		expect(told).toContain(
			"talk.wav: could not upload the file: the size of n8n's copy of the file is wrong",
		);
		expect(told).toContain(said);
		// A retry would end the same way.
		expect(service.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});
});

describe("a file that n8n's store cannot open", () => {
	it('a file that is gone when it is opened fails its item and not all of n8n', async () => {
		const binary = await storeFile(Buffer.alloc(SIZE_BYTES, 'x'), 'talk.wav', 'audio/wav');
		const store = jest.spyOn(Container.get(BinaryDataService), 'getAsStream');
		store.mockImplementation(async () => createReadStream('/there/is/no/such/file'));
		const crashes: unknown[] = [];
		const noteCrash = (error: unknown) => crashes.push(error);
		process.on('uncaughtException', noteCrash);
		try {
			const items = [{ json: {}, binary: { data: binary } }];
			const { error } = await runOne(service, 'upload', {}, items);
			expect(error?.message).toMatch(/^talk\.wav: could not upload the file/);
			expect(crashes).toEqual([]);
		} finally {
			process.off('uncaughtException', noteCrash);
			store.mockRestore();
		}
	});
});
