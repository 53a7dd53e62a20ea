/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they compress */
import { gzipSync } from 'zlib';

import type { ByteStream } from '../../api/fileBody';
import { systemTime } from '../../api/time';
import type { Transport } from '../../api/transport';
import { useTransport } from '../../testkit/service/useTransport';

const MB = 1_024 * 1_024;
/** Four intervals, so that nothing is left over for the next test. */
const FILE_BYTES = 80 * MB;

/** What V8 waits for before it frees memory outside its heap. */
const RESERVED_BYTES = 64 * MB;

const service = useTransport();

beforeEach(() => {
	service.answer =
		({ method }) =>
		(response) =>
			response.end(method === 'GET' ? Buffer.alloc(FILE_BYTES) : '');
});

afterEach(() => jest.restoreAllMocks());

/** Counts the reservations, and lets each fail if asked. */
function watchReservations({ fail }: { fail: boolean }): () => number {
	const reserve = Buffer.alloc.bind(Buffer);
	let reservations = 0;
	jest.spyOn(Buffer, 'alloc').mockImplementation((sizeBytes, ...rest) => {
		if (sizeBytes !== RESERVED_BYTES) return reserve(sizeBytes, ...rest);
		reservations += 1;
		if (fail) throw new RangeError('Array buffer allocation failed');
		return reserve(sizeBytes, ...rest);
	});
	return () => reservations;
}

async function open(transport: Transport): Promise<ByteStream> {
	const opened = await transport.open(`${service.url}/down`);
	if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
	return opened.value.content;
}

async function sizeOf(content: ByteStream): Promise<number> {
	let sizeBytes = 0;
	for await (const chunk of content) sizeBytes += (chunk as Buffer).length;
	return sizeBytes;
}

it.each([
	['reserves what V8 waits for after every 20 MB of a download', false],
	['downloads completely where nothing can be reserved', true],
])('%s, also if it is read later', async (_what, fail) => {
	const reservations = watchReservations({ fail });
	await service.withTransport(async (transport) => {
		const content = await open(transport);
		await systemTime.sleep(50);
		expect(await sizeOf(content)).toBe(FILE_BYTES);
	});
	expect(reservations()).toBe(4);
});

it('reserves what V8 waits for after every 20 MB of an upload', async () => {
	await service.withTransport(async (transport) => {
		const content = await open(transport);
		const reservations = watchReservations({ fail: false });
		const file = { content, sizeBytes: FILE_BYTES, contentType: 'audio/wav' };
		expect(await transport.put(`${service.url}/up`, file)).toMatchObject({ ok: true });
		expect(service.seen.at(-1)?.body).toHaveLength(FILE_BYTES);
		// Four of the download that the upload reads, and four of the upload.
		expect(reservations()).toBe(8);
	});
});

it('counts transfers at the same time together, because they share the memory', async () => {
	const size = 10 * MB;
	service.answer = () => (response) => response.end(Buffer.alloc(size));
	const reservations = watchReservations({ fail: false });
	await service.withTransport(async (transport) => {
		const contents = await Promise.all([open(transport), open(transport)]);
		expect(await Promise.all(contents.map(sizeOf))).toEqual([size, size]);
	});
	expect(reservations()).toBe(1);
});

it('ends a call whose compressed response is too large when it is unpacked', async () => {
	const body = gzipSync(Buffer.alloc(20 * MB, ' '));
	const request = { method: 'GET', path: '/v2/x', maxBytes: 16 * MB } as const;
	const called = await service.call({ body, headers: { 'Content-Encoding': 'gzip' } }, request);
	expect(called).toMatchObject({ failure: { kind: 'tooLarge' } });
});
