import { Readable } from 'node:stream';

import { freeChunksEarly } from '../../api/freeChunksEarly';

const MB = 1_024 * 1_024;

/** A stream of 40 MB in chunks of 1 MB. */
const file = () => Readable.from(Array.from({ length: 40 }, () => Buffer.allocUnsafe(MB)));

async function sizeOf(content: Readable): Promise<number> {
	let sizeBytes = 0;
	for await (const chunk of content) sizeBytes += (chunk as Buffer).length;
	return sizeBytes;
}

const alloc = jest.spyOn(Buffer, 'alloc');
const reservations = () => alloc.mock.calls.filter(([sizeBytes]) => sizeBytes === 64 * MB);

beforeEach(() => alloc.mockClear());

it('reserves what V8 waits for after every 16 MB', async () => {
	const content = file();
	freeChunksEarly(content);
	expect(await sizeOf(content)).toBe(40 * MB);
	expect(reservations()).toHaveLength(2);
});

it('leaves a stream that is read later complete', async () => {
	const content = file();
	freeChunksEarly(content);
	await new Promise(setImmediate);
	expect(content.readableFlowing).toBe(null);
	expect(await sizeOf(content)).toBe(40 * MB);
});

it('leaves a stream complete where nothing can be reserved', async () => {
	alloc.mockImplementation(() => {
		throw new RangeError('Array buffer allocation failed');
	});
	const content = file();
	freeChunksEarly(content);
	expect(await sizeOf(content)).toBe(40 * MB);
	expect(reservations()).toHaveLength(2);
	alloc.mockRestore();
});
