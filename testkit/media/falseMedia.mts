import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import { ZipFile } from 'yazl';

import { wavFile } from './wavFile.ts';
import { Chance } from '../measure/chance.mts';

export interface HostileFile {
	what: string;
	name: string;
	bytes: Buffer;
	/** Whether the file itself has audio, which may leave the machine. */
	hasSound: boolean;
	/** Whether to edit it as a video. */
	isVideo?: boolean;
}

/** What hostile files point at: a recording, and a server that must not receive requests. */
export interface Targets {
	recordingPath: string;
	serverUrl: string;
	/** For files that ffmpeg creates. */
	folder: string;
}

/** What a WAV file of 1 s says of itself. */
export const USUAL_WAV = { channels: 1, rateHz: 16_000, bits: 16, dataBytes: 32_000 };

const RATES_HZ = [0, 1, 3, 100, 3_999, 192_000, 384_000, 768_000, 2_000_000_000, 0xff_ff_ff_ff];

/** WAV files with impossible headers, and with lengths that are not theirs. */
export function* wavHeaders(): Generator<HostileFile> {
	const headers: Readonly<Record<string, Partial<typeof USUAL_WAV>>> = {
		...Object.fromEntries(RATES_HZ.map((rateHz) => [`${rateHz} Hz`, { rateHz }])),
		'64 channels': { channels: 64 },
		'255 channels': { channels: 255 },
		'65,535 channels': { channels: 65_535 },
		'no channels': { channels: 0 },
		'65,535 bits': { bits: 65_535 },
		'0 bits': { bits: 0 },
		'a data length of 0': { dataBytes: 0 },
		'half the data length': { dataBytes: 16_000 },
		'twice the data length': { dataBytes: 64_000 },
		'an odd data length': { dataBytes: 31_999 },
		endless: { dataBytes: 0xff_ff_ff_ff },
	};
	for (const [what, header] of Object.entries(headers))
		yield wav(what, wavOf({ ...USUAL_WAV, ...header }));
}

export function wav(what: string, bytes: Buffer): HostileFile {
	return { what: `WAV, ${what}`, name: 'talk.wav', bytes, hasSound: true };
}

export function wavOf({ channels, rateHz, bits, dataBytes }: typeof USUAL_WAV): Buffer {
	const file = wavFile(noise(32_000), 16_000);
	file.writeUInt32LE(Math.min(0xff_ff_ff_ff, dataBytes + 36), 4);
	file.writeUInt16LE(channels, 22);
	file.writeUInt32LE(rateHz, 24);
	file.writeUInt32LE((rateHz * channels * (bits >> 3)) % 0x1_00_00_00_00, 28);
	file.writeUInt16LE((channels * (bits >> 3)) % 0x1_00_00, 32);
	file.writeUInt16LE(bits, 34);
	file.writeUInt32LE(dataBytes, 40);
	return file;
}

/** Random bytes, the same in every run. */
export function noise(length: number): Buffer {
	const chance = new Chance(1);
	return Buffer.from(Uint8Array.from({ length }, () => chance.whole(0, 255)));
}

export async function* notMedia(): AsyncGenerator<HostileFile> {
	const archive = new ZipFile();
	archive.addBuffer(Buffer.alloc(20_000_000), 'a');
	archive.end();
	const zip = await buffer(archive.outputStream);
	const cases: ReadonlyArray<readonly [what: string, name: string, bytes: Buffer]> = [
		['empty', 'talk.wav', Buffer.alloc(0)],
		['one byte', 'talk.mp3', Buffer.from([0])],
		['zeros', 'talk.mp3', Buffer.alloc(2_000_000)],
		['noise', 'talk.mp3', noise(2_000_000)],
		['MP3 sync words only', 'talk.mp3', Buffer.alloc(400_000, Buffer.from([0xff, 0xfb]))],
		['a ZIP bomb', 'talk.mp3', zip],
		['a ZIP bomb, named wav', 'talk.wav', zip],
		['gzip', 'talk.m4a', gzipSync(Buffer.alloc(2_000_000))],
		['a program', 'talk.mkv', Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01'), noise(4_000)])],
		['HTML', 'talk.mp4', Buffer.from('<script>alert(1)</script>'.repeat(999))],
	];
	for (const [what, name, bytes] of cases) yield { what, name, bytes, hasSound: false };
}
