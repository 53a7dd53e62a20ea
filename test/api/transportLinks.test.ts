/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they make streams */
import { Readable } from 'stream';
import type { RequestFailure, Result } from '../../api/failure';
import type { ByteStream } from '../../api/fileBody';

import { useTransport } from '../../testkit/service/useTransport';

const service = useTransport();

const streamOf = (...chunks: string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

async function textOf(content: ByteStream): Promise<string> {
	let text = '';
	for await (const chunk of content) text += String(chunk);
	return text;
}

const failedWith = (failure: Partial<RequestFailure>) => ({ ok: false, failure });

const failedPut = (failure: Partial<RequestFailure>) =>
	failedWith({ request: 'PUT of the file', target: 'link', wasSent: true, ...failure });

function valueOf<T>(outcome: Result<T>): T {
	if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure));
	return outcome.value;
}

describe('an upload to a signed URL', () => {
	const put = async (content: Readable | Buffer, sizeBytes: number) => {
		let outcome: Result<undefined> | undefined;
		await service.withTransport(async (transport) => {
			const file = { content: content as ByteStream, sizeBytes, contentType: 'audio/wav' };
			outcome = await transport.put(`${service.url}/up/a.wav?sig=signature1`, file);
		});
		return outcome!;
	};

	it('sends the whole file with its type and length, without the key', async () => {
		expect(await put(streamOf('RIFF', 'data'), 8)).toEqual({ ok: true, value: undefined });
		expect(await put(Buffer.from('RIFFdata'), 8)).toEqual({ ok: true, value: undefined });
		for (const { method, path, headers, body } of service.seen) {
			expect({ method, path, body }).toEqual({
				method: 'PUT',
				path: '/up/a.wav?sig=signature1',
				body: 'RIFFdata',
			});
			expect(headers).toMatchObject({ 'content-type': 'audio/wav', 'content-length': '8' });
			expect(JSON.stringify(headers)).not.toContain(service.apiKey);
		}
		expect(service.seen).toHaveLength(2);
	});

	it.each([
		['shorter', 9, 'it has 8 instead of 9 bytes'],
		['longer', 5, 'it has 8 instead of 5 bytes'],
	])('fails if the file is %s than announced', async (_title, sizeBytes, said) => {
		const outcome = await put(streamOf('RIFF', 'data'), sizeBytes);
		expect(outcome).toEqual(failedPut({ kind: 'wrongSize', said }));
	});

	it('reports a refusal without the path and signature of the link', async () => {
		service.answer = () => (response) => response.writeHead(403).end('bad signature1');
		expect(await put(Buffer.from('RIFF'), 4)).toEqual(
			failedPut({ kind: 'status', origin: service.url, status: 403, said: 'bad (hidden)' }),
		);
	});
});

describe('a download link', () => {
	it('opens without the key and streams its content', async () => {
		service.answer = () => (response) => {
			response.setHeader('Content-Type', 'audio/mpeg');
			response.end('bytes');
		};
		await service.withTransport(async (transport) => {
			const { content, headers } = valueOf(await transport.open(`${service.url}/a?sig=signature1`));
			expect(headers['content-type']).toBe('audio/mpeg');
			expect(content).toBeInstanceOf(Readable);
			expect(await textOf(content)).toBe('bytes');
		});
		const [{ method, headers }] = service.seen;
		expect(method).toBe('GET');
		expect(headers['accept-encoding']).toBe('identity');
		expect(JSON.stringify(headers)).not.toContain(service.apiKey);
	});

	it('closes its connection even if part of the content was not read', async () => {
		service.answer = () => (response) => void response.write('the first of many bytes');
		await service.withTransport(async (transport) => {
			const { content, close } = valueOf(await transport.open(`${service.url}/a`));
			content.on('error', () => {});
			close();
			expect(content.destroyed).toBe(true);
			await service.closed();
		});
	});

	it('leaves no connection open after an endless answer to an upload, which has arrived', async () => {
		service.answer = () => (response) => void response.write('x'.repeat(20_000));
		await service.withTransport(async (transport) => {
			const file = { content: Buffer.from('RIFF'), sizeBytes: 4, contentType: 'audio/wav' };
			expect(await transport.put(`${service.url}/up`, file)).toMatchObject({ ok: true });
			await service.closed();
		});
	});

	it('leaves no connection open after an endless error response', async () => {
		service.answer = () => (response) => {
			response.writeHead(404);
			response.write('x'.repeat(20_000));
		};
		await service.withTransport(async (transport) => {
			expect(await transport.open(`${service.url}/a/secret`)).toMatchObject({
				failure: { kind: 'status', request: 'GET of the file', status: 404, target: 'link' },
			});
			await service.closed();
		});
	});
});
