import assert from 'node:assert/strict';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';
import { convertedTo } from '../../testkit/service/media.mts';
import { QUICK, startService } from '../../testkit/service/testService.mts';
import { FileBytes } from '../media/wholeFile/fileBytes.mts';
import { mendingOfMp4 } from '../media/wholeFile/mp4.mts';
import { casesOf } from './support/casesOf.mts';
import { beepWav, heardIn } from './support/realFiles/beeps.mts';
import { testCases, type Case } from './support/realFiles/caseTable.mts';

const wav = beepWav();
const PARTS = ['-movflags', 'frag_keyframe+empty_moov', '-frag_duration', '1000000'];
const FAST = ['-movflags', '+faststart'];

/** How a size is wrong. */
const WRONG = casesOf<readonly [how: string, change: (size: number) => number]>(
	[
		['too small', (size) => Math.floor(size / 2)],
		['too large', (size) => 3 * size],
		['missing', () => 0],
	],
	[
		['much too small', () => 9],
		['a little too large', (size) => size + 5],
		['smaller than its head', () => 4],
	],
);

const FORMATS = casesOf(['m4a'], ['mov', '3gp']);

/** How long the samples are. */
const LONG = casesOf([], [2 ** 32 + 1_000_000]);

/** Returns where a box begins. */
function placeOf(file: Buffer, type: string, which: number): number {
	let at = file.indexOf(type);
	for (let n = 0; n < which; n++) at = file.indexOf(type, at + 1);
	return at - 4;
}

/** Changes the size of a box. */
function withSize(file: Buffer, type: string, change: (size: number) => number, which = 0): Buffer {
	const changed = Buffer.from(file);
	const at = placeOf(file, type, which);
	changed.writeUInt32BE(change(file.readUInt32BE(at)), at);
	return changed;
}

/** Gives the samples a size of 64 bits, in place of the empty box before them. */
function withLongSize(file: Buffer, change: (size: number) => number): Buffer {
	const changed = Buffer.from(file);
	const at = placeOf(file, 'mdat', 0);
	assert.equal(file.toString('latin1', at - 4, at), 'free');
	changed.writeUInt32BE(1, at - 8);
	changed.write('mdat', at - 4, 'latin1');
	changed.writeBigUInt64BE(BigInt(change(file.readUInt32BE(at) + 8)), at);
	return changed;
}

function made(format: string, options: readonly string[], change: (file: Buffer) => Buffer): Case {
	const good = async () => await convertedTo(wav, format, ...options);
	return {
		file: async () => change(await good()),
		heard: async () => await heardIn(await good()),
		name: `talk.${format}`,
	};
}

const cases: Record<string, Case> = {};
for (const [how, change] of WRONG) {
	const samples = (file: Buffer) => withSize(file, 'mdat', change);
	for (const format of FORMATS) {
		cases[`${format} whose samples have a size that is ${how}`] = made(
			format,
			['-c:a', 'aac', '-ar', '16000'],
			samples,
		);
	}
	cases[`a m4a with its index first and a size of the samples that is ${how}`] = made(
		'm4a',
		FAST,
		samples,
	);
	const long = (file: Buffer) => withLongSize(file, change);
	cases[`a m4a with a long size that is ${how}`] = made('m4a', [], long);
	for (const type of ['mdat', 'moof']) {
		cases[`a m4a in parts, of which two have a ${type} whose size is ${how}`] = made(
			'm4a',
			PARTS,
			(file) => withSize(withSize(file, type, change, 2), type, change, 6),
		);
	}
}
cases['a m4a with an unknown box before its index'] = made('m4a', [], (file) => {
	const at = placeOf(file, 'moov', 0);
	const box = Buffer.from('\0\0\0\x0cthumxxxx', 'latin1');
	return Buffer.concat([file.subarray(0, at), box, file.subarray(at)]);
});

for (const longAt of LONG)
	await test('gives samples of more than 4 GB a long size', async () => {
		await using folder = await temporaryFolder();
		const path = join(folder.path, 'long.m4a');
		const m4a = await convertedTo(wav, 'm4a');
		const [samplesAt, indexAt] = [placeOf(m4a, 'mdat', 0), placeOf(m4a, 'moov', 0)];
		await writeFile(
			path,
			withSize(m4a.subarray(0, indexAt), 'mdat', () => longAt - 2 ** 32),
		);
		{
			await using file = await open(path, 'r+');
			await file.write(m4a.subarray(indexAt), 0, m4a.length - indexAt, longAt);
		}
		await using bytes = await FileBytes.open(path);
		const { pieces = [], notes } = (await mendingOfMp4(bytes)) ?? { notes: [''] };
		assert.deepEqual(notes, []);
		const head = Buffer.from('\0\0\0\x01mdat\0\0\0\0\0\0\0\0', 'latin1');
		const from = samplesAt - 8;
		head.writeBigUInt64BE(BigInt(longAt - from), 8);
		const rest = { from: from + head.length, to: bytes.sizeBytes };
		assert.deepEqual(pieces, [{ from: 0, to: from }, head, rest]);
	});

await using service = await startService(...QUICK);
await testCases(cases, service.ann);
