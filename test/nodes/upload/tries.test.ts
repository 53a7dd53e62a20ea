/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they make streams */
import { Readable } from 'stream';

import { Client } from '../../../api/client';
import { type RequestFailure, type Result, failed, success } from '../../../api/failure';
import type { FileBody } from '../../../api/fileBody';
import { uploadFiles } from '../../../nodes/core/upload/uploadFiles';
import { FailFast, type Service } from '../../../nodes/core/run/service';
import { runOf } from '../../../testkit/n8n/nodeContext';

const failure = (kind: RequestFailure['kind'], status?: number): Result<never> =>
	failed({ kind, request: 'PUT of the file', target: 'link', status });

/** Uploads one file, whose transfers end like this; the last end repeats. */
async function uploadAfter(...ends: ReadonlyArray<Result<undefined>>) {
	const links: string[] = [];
	const sent: string[] = [];
	const opened: Readable[] = [];
	const client = Object.assign(Object.create(Client.prototype) as Client, {
		requestUpload: async (name: string) => {
			links.push(`https://store.example.com/${name}?sig=${links.length}`);
			return success({ signedUrl: links.at(-1)! });
		},
		putFile: async (signedUrl: string) => {
			sent.push(signedUrl);
			return ends[Math.min(sent.length, ends.length) - 1];
		},
	});
	const run = runOf({});
	const service = { client, failFast: new FailFast() } as Partial<Service> as Service;
	run.openService = async () => service;
	const source = {
		fileName: 'a.wav',
		sourceFileName: 'a.wav',
		contentType: 'audio/wav',
		sizeBytes: 4,
		binary: { data: '', mimeType: 'audio/wav' },
		open: async () => {
			opened.push(Readable.from([Buffer.from('RIFF')]));
			return opened.at(-1) as FileBody['content'];
		},
	};
	const uploaded = uploadFiles(run, 0, [source], { fields: ['data'], given: {} });
	const outcome = await uploaded.catch((error: Error) => error.message);
	return { outcome, links, sent, opened };
}

const DONE = success(undefined);

describe('a transfer to a signed URL', () => {
	it.each<[string, Result<never>]>([
		['breaks off', failure('broken')],
		['meets a 503', failure('status', 503)],
	])('that %s is tried three times, each with a new URL', async (_what, end) => {
		const { outcome, links, sent } = await uploadAfter(end);
		expect(outcome).toMatch(/ould not upload the file/);
		expect(links).toHaveLength(3);
		expect(sent).toEqual(links);
	});

	it('that succeeds at the third try gives the URL of that try, without its signature', async () => {
		const { outcome, sent } = await uploadAfter(failure('broken'), failure('timeout'), DONE);
		expect(sent).toHaveLength(3);
		expect(outcome).toMatchObject([{ fileUrl: 'https://store.example.com/a.wav' }]);
	});

	it('that is refused is not tried again', async () => {
		expect((await uploadAfter(failure('status', 403))).sent).toHaveLength(1);
	});

	it("closes n8n's copy of the file, however it ends", async () => {
		const { opened } = await uploadAfter(failure('broken'), DONE);
		expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true]);
	});
});
