import assert from 'node:assert/strict';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { convertedTo } from '../../testkit/service/media.mts';
import { FileBytes, type Piece } from '../media/wholeFile/fileBytes.mts';
import { mendingOfSound } from '../media/wholeFile/joinedSound.mts';
import { assertNear } from './support/assertNear.mts';
import { casesOf } from './support/casesOf.mts';
import { BEEPS, beepWav, heardIn } from './support/realFiles/beeps.mts';
import { asRifx, saying, SIZE_FIELDS } from './support/realFiles/sizes.mts';

const wav = beepWav();
const WRAPS_BYTES = 2 ** 32;

/** A file of more than 4 GB, whose size is what remains in 32 bits. */
interface Long {
	kind: 'wav' | 'rifx' | 'aiff' | 'au';
	make: () => Buffer | Promise<Buffer>;
	/** More about its samples. */
	what?: string;
	/** Where its samples begin. */
	samplesAt: (file: Buffer) => number;
}

/** A RIFX with samples of 32 bits that are no integers. */
async function floatRifx(): Promise<Buffer> {
	const floats = await convertedTo(wav, 'wav', '-c:a', 'pcm_f32be', '-f', 'aiff');
	const samples = floats.subarray(floats.indexOf('SSND') + 16);
	const head = asRifx(wav.subarray(0, 44));
	const rateHz = head.readUInt32BE(24);
	const channels = head.readUInt16BE(22);
	head.writeUInt16BE(3, 20);
	head.writeUInt32BE(4 * channels * rateHz, 28);
	head.writeUInt16BE(4 * channels, 32);
	head.writeUInt16BE(32, 34);
	head.writeUInt32BE(samples.length, 40);
	return Buffer.concat([head, samples]);
}

const FILES = casesOf<Long>(
	[],
	[
		{
			kind: 'aiff',
			make: () => convertedTo(wav, 'aiff', '-c:a', 'pcm_f32be'),
			samplesAt: (file) => file.indexOf('SSND') + 16,
			what: 'aiff with floats',
		},
		{
			kind: 'rifx',
			make: async () => await floatRifx(),
			samplesAt: () => 44,
			what: 'rifx with floats',
		},
		{ kind: 'wav', make: () => wav, samplesAt: () => 44 },
		{ kind: 'rifx', make: () => asRifx(wav), samplesAt: () => 44 },
		{
			kind: 'aiff',
			make: () => convertedTo(wav, 'aiff'),
			samplesAt: (file) => file.indexOf('SSND') + 16,
		},
		{ kind: 'au', make: () => convertedTo(wav, 'au'), samplesAt: (file) => file.readUInt32BE(4) },
	],
);

/** The beginning of a file that is made of pieces. */
async function beginningOf(bytes: FileBytes, pieces: readonly Piece[], length: number) {
	const parts: Buffer[] = [];
	for (const piece of pieces) {
		const size = Math.min(length, 'from' in piece ? piece.to - piece.from : piece.length);
		parts.push('from' in piece ? await bytes.read(piece.from, size) : piece.subarray(0, size));
		length -= size;
	}
	return Buffer.concat(parts);
}

for (const { kind, make, samplesAt, what = kind } of FILES) {
	await test(`reads all of a ${what} whose size has wrapped`, async () => {
		await using folder = await temporaryFolder();
		const path = join(folder.path, 'long');
		const whole = await make();
		const at = samplesAt(whole);
		const said = saying(whole, SIZE_FIELDS[kind], whole.length - at);
		await writeFile(path, said);
		const last = Buffer.alloc(2_000, 1);
		{
			// Between the beeps and the end, the file is sparse.
			await using file = await open(path, 'r+');
			await file.write(last, 0, last.length, whole.length + WRAPS_BYTES - last.length);
		}
		await using bytes = await FileBytes.open(path);
		const { pieces = [], notes } = (await mendingOfSound(bytes)) ?? { notes: [''] };
		assert.deepEqual(notes, []);
		const range = pieces.find((piece) => 'from' in piece && piece.from === at && piece.to > at);
		assert.deepEqual(range, { from: at, to: bytes.sizeBytes });
		const beginning = await beginningOf(bytes, pieces, whole.length);
		const heard = await heardIn(await convertedTo(beginning, 'wav'));
		for (const [index, beep] of BEEPS.atSeconds.entries()) {
			assertNear(heard.atSeconds[index], beep, 0.02, 'seconds where a beep begins');
		}
	});
}
