import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isRncPacked, unpackRnc } from './unpackRnc.mts';

const GAMES = '/usr/share/scummvm';
const SKY = join(GAMES, 'beneath-a-steel-sky');
const QUEEN = join(GAMES, 'flight-of-the-amazon-queen/queen.1c');

/** The lines that actors speak in a game, by name, as files for ffmpeg. */
export type SpokenLines = ReadonlyMap<string, () => Buffer>;

/** The game's lines, and how ffmpeg reads one. */
export interface Recordings {
	readonly lines: SpokenLines;
	readonly inputArguments: readonly string[];
}

/** The first and the last file of the table that hold a line. */
const SKY_LINES = [50_000, 59_999] as const;

/** Each file of a line begins with a header. */
const SKY_HEADER_BYTES = 22;

/** The lines of Beneath a Steel Sky by number: 8 bits unsigned at 11,025 Hz. */
export async function skyLines(): Promise<Recordings> {
	const table = await readFile(join(SKY, 'sky.dnr'));
	const disk = await readFile(join(SKY, 'sky.dsk'));
	const lines = new Map<string, () => Buffer>();
	for (let place = 4; place + 8 <= table.length; place += 8) {
		const number = table.readUInt16LE(place);
		if (number < SKY_LINES[0] || number > SKY_LINES[1]) continue;
		const offset = table.readUIntLE(place + 2, 3);
		// The highest bit says that the rest counts in units of 16 bytes.
		const start = offset >= 2 ** 23 ? (offset - 2 ** 23) * 16 : offset;
		const bytes = table.readUIntLE(place + 5, 3) % 2 ** 22;
		lines.set(String(number), () => skyLine(disk.subarray(start, start + bytes)));
	}
	return { lines, inputArguments: ['-f', 'u8', '-ar', '11025', '-ac', '1'] };
}

function skyLine(file: Buffer): Buffer {
	const content = file.subarray(SKY_HEADER_BYTES);
	return isRncPacked(content) ? unpackRnc(content) : content;
}

const QUEEN_HEADER_BYTES = 13;
const QUEEN_ENTRY_BYTES = 21;
const QUEEN_NAME_BYTES = 12;

/** The lines of Flight of the Amazon Queen, such as `080391P1`: the dialogue, the sentence, who, and the part. MP3. */
export async function queenLines(): Promise<Recordings> {
	const disk = await readFile(QUEEN);
	const lines = new Map<string, () => Buffer>();
	const count = disk.readUInt16BE(QUEEN_HEADER_BYTES);
	for (let entry = 0; entry < count; entry++) {
		const place = QUEEN_HEADER_BYTES + 2 + entry * QUEEN_ENTRY_BYTES;
		const name = disk.toString('latin1', place, place + QUEEN_NAME_BYTES).replace(/\0.*/s, '');
		if (!name.endsWith('.SB')) continue;
		const start = disk.readUInt32BE(place + QUEEN_NAME_BYTES + 1);
		const bytes = disk.readUInt32BE(place + QUEEN_NAME_BYTES + 5);
		lines.set(name.slice(0, -3), () => disk.subarray(start, start + bytes));
	}
	return { lines, inputArguments: ['-f', 'mp3'] };
}
