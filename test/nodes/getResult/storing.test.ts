/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they make streams */
import { Readable } from 'stream';
import type { IExecuteFunctions } from 'n8n-workflow';

import { Client } from '../../../api/client';
import { success } from '../../../api/failure';
import type { Download } from '../../../api/transport';
import { withHead } from '../../../nodes/core/fetch/content';
import { fetchFile } from '../../../nodes/core/fetch/fetchFile';
import { runOf } from '../../../testkit/n8n/nodeContext';
import { finished, status, useScriptedEdits } from '../../../testkit/service/scriptedEdits';
import { systemTime } from '../../../testkit/time/leapingTime';

const edits = useScriptedEdits();

/** Fetches a file that n8n stores like this. */
async function fetchStored(
	store: IExecuteFunctions['helpers']['prepareBinaryData'],
	sizeBytes = 4,
	shortLengths?: Set<number>,
) {
	const close = jest.fn();
	const content = Readable.from([Buffer.from('RIFF')]) as Download['content'];
	const headers = { 'content-type': 'audio/wav', 'content-length': String(sizeBytes) };
	const client = { openDownload: async () => success({ content, headers, close }) };
	const helpers: Partial<IExecuteFunctions['helpers']> = { prepareBinaryData: store };
	const fetched = fetchFile(
		runOf({ helpers: helpers as IExecuteFunctions['helpers'] }),
		Object.assign(Object.create(Client.prototype) as Client, client),
		{
			url: 'https://files.example.com/a.wav',
			isMedia: true,
			itemIndex: 2,
			doing: 'download the edited file',
			editId: 'e-1',
			shortLengths,
		},
	);
	const outcome = await fetched.then(
		(result) => ({ result, thrown: undefined }),
		(thrown: Error & { description?: string }) => ({ result: undefined, thrown }),
	);
	expect(close).toHaveBeenCalled();
	return outcome;
}

const fails = (code: string) => async () => {
	throw Object.assign(new Error('it failed'), { code });
};

describe('a file that n8n cannot store', () => {
	it.each('EACCES EDQUOT EFBIG EIO EMFILE ENOSPC EROFS'.split(' '))(
		'because of %s is not the fault of the network, and is not fetched again',
		async (code) => {
			const { thrown } = await fetchStored(fails(code));
			expect(thrown?.message).toBe(
				'Could not download the edited file: n8n could not store the file (edit e-1) [item 2]',
			);
			expect(thrown?.description).toMatch(new RegExp(`^Reason: ${code}\\. Free disk space`));
		},
	);

	it('because the connection broke may be fetched again', async () => {
		const { result } = await fetchStored(fails('ECONNRESET'));
		expect(result).toMatchObject({ ok: false, failure: { kind: 'broken', target: 'link' } });
	});
});

describe('a file of which the same few bytes are missing again', () => {
	const fetchAgain = async (storedBytes: number) => {
		const stored = async () => ({ data: '', mimeType: 'audio/wav', bytes: storedBytes });
		return (await fetchStored(stored, 100_000, new Set([storedBytes]))).result;
	};

	it('is whole: its host has sent it encoded, which makes it a little longer', async () => {
		expect(await fetchAgain(99_900)).toMatchObject({ ok: true });
	});

	it('is not whole if no encoding adds so much', async () => {
		expect(await fetchAgain(99_000)).toMatchObject({ ok: false, failure: { kind: 'broken' } });
	});
});

it('a stream that has failed is not given to n8n, which would wait for its end', async () => {
	const head = Buffer.from('RIFF');
	const broken = Readable.from([head]).on('error', () => undefined);
	broken.destroy(new Error('cut off'));
	expect(() => withHead(broken as Download['content'], head)).toThrow('cut off');
	const closed = Readable.from([head]).destroy();
	expect(() => withHead(closed as Download['content'], head)).toThrow('closed before the end');
});

it('leaves no timer after a file is stored', async () => {
	const { result } = await fetchStored(async () => ({ data: '', mimeType: 'audio/wav', bytes: 4 }));
	expect(result).toMatchObject({ ok: true });
	expect(systemTime.sleeping).toBe(0);
});

it('looks for a late result when the service asks for it, and not before', async () => {
	const late = { task_id: 'a', status: 'SUCCESS', poll_after_seconds: 70, result: {} };
	edits.script = {
		'/v2/edits/a': [{ body: late }, finished('a', edits.service.url)],
		'/download/a': [{ body: 'RIFF', headers: { 'Content-Type': 'audio/wav' } }],
	};
	const beganAtMs = systemTime.now();
	const { out, error } = await edits.run('getResult', ['a']);
	expect(error).toBeUndefined();
	expect(out).toHaveLength(1);
	expect((systemTime.now() - beganAtMs) / 1_000).toBeCloseTo(70, 0);
	edits.script['/v2/edits/b'] = [status('b', 'SUCCESS'), finished('b', edits.service.url)];
	edits.script['/download/b'] = edits.script['/download/a'];
	const againAtMs = systemTime.now();
	await edits.run('getResult', ['b']);
	expect((systemTime.now() - againAtMs) / 1_000).toBeCloseTo(5, 0);
});

describe('the host of a file', () => {
	const FILE = { body: 'RIFF', headers: { 'Content-Type': 'audio/wav' } };
	const seen = () => edits.service.seen.map(({ path }) => path.split('?')[0]);
	const fetchAfter = async (code: number) => {
		edits.script = {
			'/v2/edits/a': [finished('a', edits.service.url)],
			'/download/a': (number) => (number === 1 ? { status: code } : FILE),
		};
		return await edits.run('getResult', ['a']);
	};

	it.each([401, 403, 404, 410])('is asked with a fresh link after the status %d', async (code) => {
		expect((await fetchAfter(code)).out).toHaveLength(1);
		expect(seen()).toEqual(['/v2/edits/a', '/download/a', '/v2/edits/a', '/download/a']);
	});

	it.each([500, 503, 408])('is asked with the same link after the status %d', async (code) => {
		expect((await fetchAfter(code)).out).toHaveLength(1);
		expect(seen()).toEqual(['/v2/edits/a', '/download/a', '/download/a']);
	});

	it('is given up if it stays unavailable: a fresh link would not help', async () => {
		edits.script = {
			'/v2/edits/a': [finished('a', edits.service.url)],
			'/download/a': [{ status: 500 }],
		};
		const { error } = await edits.run('getResult', ['a']);
		expect(error?.message).toMatch(/temporarily unavailable/);
		expect(seen()).toEqual(['/v2/edits/a', ...Array<string>(4).fill('/download/a')]);
	});
});
