import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type VbrLevel, vbrLevelOf } from '../media/mp3Quality.mts';
import { encoderArguments, encoderGain } from '../media/outputFormat.mts';
import { probe } from '../media/probe.mts';
import { soundRecipe } from '../media/videoFormat.mts';
import { finishedFile } from '../../testkit/service/client.mts';
import { convertedTo, loudnessLufs, samplesOf, withFile } from '../../testkit/service/media.mts';
import { PLAIN, talk } from '../../testkit/service/recordings.mts';
import { startService } from '../../testkit/service/testService.mts';
import { assertNear } from './support/assertNear.mts';

await using service = await startService();

const MONO_MP3 = {
	durationSeconds: 60,
	leadSeconds: 0,
	sampleRateHz: 44_100,
	channels: 1,
	codec: 'mp3',
	container: 'mp3',
	hasVideo: false,
	bitsPerSample: null,
	bitRate: 80_000,
	soundTrack: 0,
	soundTracks: 1,
};

async function editedFrom(source: Buffer, name: string) {
	const { file } = await finishedFile(await service.ann.runTracks({ [name]: source }, PLAIN));
	return file;
}

/** The level of an MP3; undefined if its bit rate is constant. */
async function levelOf(mp3: Buffer): Promise<VbrLevel | undefined> {
	return await withFile(mp3, vbrLevelOf);
}

async function bitRateOf(file: Buffer): Promise<number> {
	return await withFile(file, async (path) => (await probe(path)).bitRate ?? 0);
}

/** How far the difference of two recordings is below the first, dB. */
function signalToNoiseDb(samples: Float32Array, others: Float32Array): number {
	const power = (of: Float32Array) => of.reduce((sum, value) => sum + value * value, 0);
	const noise = samples.map((value, index) => value - (others.at(index) ?? 0));
	return 10 * Math.log10(power(samples) / power(noise));
}

await test('an MP3 with a variable bit rate comes back with one, and loses no more than it had lost', async () => {
	const source = await convertedTo(talk, 'mp3', '-ar', '44100', '-q:a', '2');
	const edited = await editedFrom(source, 'talk.mp3');
	assert.notEqual(await levelOf(edited), undefined);
	assertNear(await loudnessLufs(edited), await loudnessLufs(source), 0.1, 'LUFS');
	const [first, second, third] = [talk, source, edited].map(async (file) => await samplesOf(file));
	assert.equal((await third).length, (await second).length);
	const hadLost = signalToNoiseDb(await first, await second);
	const hasLost = signalToNoiseDb(await second, await third);
	assert.ok(hasLost >= hadLost - 0.5, `${hasLost} dB after ${hadLost} dB`);
});

for (const [vbrLevel, level] of [
	[0, '0'],
	[2, '2'],
	[4, '4'],
	[9, '4'],
	[null, '0'],
] as const) {
	await test(`an MP3 of level ${String(vbrLevel)} is written at level ${level}`, () => {
		const info = { ...MONO_MP3, vbrLevel };
		assert.match(encoderArguments('mp3', info).join(' '), new RegExp(`-q:a ${level} `));
		assert.equal(encoderGain('mp3', info), 1);
	});
}

await test('the sound of a video gets a constant bit rate', () => {
	const { codecArguments } = soundRecipe('avi', { ...MONO_MP3, vbrLevel: 2 });
	assert.match(codecArguments.join(' '), /-b:a 96000 /);
});

await test('an MP3 with a constant bit rate keeps it', async () => {
	const source = await convertedTo(talk, 'mp3', '-ar', '44100', '-b:a', '192k');
	const edited = await editedFrom(source, 'talk.mp3');
	assert.equal(await levelOf(edited), undefined);
	assert.equal(await bitRateOf(edited), 192_000);
});

for (const [extension, ...codec] of [
	['ogg', '-c:a', 'libvorbis', '-ar', '44100', '-q:a', '8'],
	['opus', '-c:a', 'libopus', '-b:a', '160k'],
	['m4a', '-c:a', 'aac', '-ar', '44100', '-b:a', '192k'],
	['aac', '-c:a', 'aac', '-ar', '44100', '-b:a', '192k'],
] as const) {
	await test(`a file of type ${extension} comes back with at least the bit rate that it had`, async () => {
		const source = await convertedTo(talk, extension, ...codec);
		const edited = await editedFrom(source, `talk.${extension}`);
		assert.ok(edited.length >= 0.9 * source.length, `${edited.length} of ${source.length} bytes`);
	});
}

/** The head of an MP3 by LAME, after an ID3 tag with a cover. */
function headOf(name: string, quality: number | undefined, coverBytes = 20_000): Buffer {
	const id3 = Buffer.alloc(10 + coverBytes);
	id3.write('ID3', 'latin1');
	id3[7] = coverBytes >> 14;
	id3[8] = (coverBytes >> 7) & 0x7f;
	id3[9] = coverBytes & 0x7f;
	const frame = Buffer.alloc(417);
	frame.set([0xff, 0xfb, 0x90, 0x64]);
	frame.write(name, 36, 'latin1');
	frame.writeUInt32BE(quality === undefined ? 7 : 15, 40);
	frame.writeUInt32BE(quality ?? 0, 152);
	return Buffer.concat([id3, frame]);
}

for (const [what, head, level] of [
	['the best of LAME', headOf('Xing', 97), 0],
	["LAME's level 4", headOf('Xing', 57), 4],
	['the worst of LAME', headOf('Xing', 7), 9],
	['no level', headOf('Xing', undefined), null],
	["ffmpeg's 0", headOf('Xing', 0), null],
	["Fraunhofer's header", headOf('VBRI', 97), null],
	['a constant bit rate', headOf('Info', 57), undefined],
	['a header cut off', headOf('Xing', 57).subarray(0, -300), null],
	['nothing', Buffer.alloc(0), undefined],
] as const) {
	await test(`reads the level of an MP3: ${what}`, async () => {
		assert.equal(await levelOf(head), level);
	});
}

await test('an MP3 of more tags than anybody writes says nothing of its level', async () => {
	const tag = Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1');
	const vbr = await convertedTo(talk, 'mp3', '-ar', '44100', '-q:a', '2');
	const tagged = (tags: number) => Buffer.concat([...Array.from({ length: tags }, () => tag), vbr]);
	assert.notEqual(await levelOf(tagged(3)), undefined);
	assert.equal(await levelOf(tagged(1_000_000)), undefined);
});
