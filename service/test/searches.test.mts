import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mock, test } from 'node:test';

import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { FileBytes } from '../media/wholeFile/fileBytes.mts';
import { mendingOfFlac } from '../media/wholeFile/flac.mts';
import { mendingOfSound } from '../media/wholeFile/joinedSound.mts';
import { mendingOfStreams } from '../media/wholeFile/joinedStreams.mts';
import { mendingOfMp4 } from '../media/wholeFile/mp4.mts';
import { beepWav } from './support/realFiles/beeps.mts';
import { saying, SIZE_FIELDS } from './support/realFiles/sizes.mts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const wav = beepWav().subarray(0, 44);

/** The beginning of a file, and what looks to a search like the beginning of something else. */
const FILES = {
	mp4: { head: latin1('\0\0\0\x08free\0\0\0\0mdat'), hit: 'moov', mending: mendingOfMp4 },
	mkv: {
		head: latin1('\x1a\x45\xdf\xa3matroska V_MPEG4'),
		hit: '\x1a\x45\xdf\xa3',
		mending: mendingOfStreams,
	},
	wav: { head: saying(wav, SIZE_FIELDS.wav, 0), hit: 'RIFF', mending: mendingOfSound },
};

async function opened(path: string, bytes: Buffer): Promise<FileBytes> {
	await writeFile(path, bytes);
	return await FileBytes.open(path);
}

for (const [kind, { head, hit, mending }] of Object.entries(FILES)) {
	await test(`reads a ${kind} once, however often it looks like two`, async () => {
		await using folder = await temporaryFolder();
		const file = Buffer.concat([head, latin1(hit.repeat(40_000))]);
		await using bytes = await opened(join(folder.path, kind), file);
		const read = mock.method(bytes, 'read');
		const { pieces } = (await mending(bytes)) ?? {};
		assert.ok(pieces === undefined || kind === 'wav');
		const counts = read.mock.calls.map(({ arguments: [at, length] }) =>
			Math.min(length, file.length - at),
		);
		const readBytes = counts.reduce((sum, count) => sum + count);
		assert.ok(readBytes < 10 * file.length, `${readBytes} of ${file.length} bytes`);
	});
}

const STOPPED = {
	...FILES,
	flac: { head: latin1('fLaC\0\0\0\x22'), hit: 'fLaC', mending: mendingOfFlac },
};

for (const [kind, { head, hit, mending }] of Object.entries(STOPPED)) {
	await test(`stops the search in a ${kind} when nobody waits for it`, async () => {
		await using folder = await temporaryFolder();
		const file = Buffer.concat([head, Buffer.alloc(3_000_000), latin1(hit)]);
		await using bytes = await opened(join(folder.path, kind), file);
		const stop = new AbortController();
		const read = bytes.read.bind(bytes);
		mock.method(bytes, 'read', async (at: number, length: number) => {
			if (at > 1_000_000) stop.abort(new Error('stopped'));
			return await read(at, length);
		});
		await assert.rejects(mending(bytes, stop.signal), /^Error: stopped$/);
	});
}

await test('gives a box an end behind its head', async () => {
	await using folder = await temporaryFolder();
	const long = latin1('\0\0\0\x14ftypM4A \0\0\0\0M4A \0\0\0\x01mdat\0\0\0\0moov\0\0\0\0mvhd');
	const index = latin1('\0\0\0\x10moov\0\0\0\x08mvhd');
	const file = Buffer.concat([long, Buffer.alloc(100), index]);
	await using bytes = await opened(join(folder.path, 'm4a'), file);
	const { pieces = [] } = (await mendingOfMp4(bytes)) ?? {};
	const size = Buffer.alloc(8);
	size.writeBigUInt64BE(BigInt(file.length - index.length - 20));
	assert.deepEqual(pieces[1], size);
});
