/** The file's own header: its mark, two lengths, two checksums and two counts. */
const HEADER_BYTES = 18;
const MARK = 'RNC\x01';

/** A code of a Huffman table, its first bit lowest. */
interface Code {
	readonly bits: number;
	readonly length: number;
	readonly value: number;
}

/** True for a file that Rob Northen's packer made with its first method. */
export const isRncPacked = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 4) === MARK;

/**
 * Unpacks a file of Rob Northen's packer, first method: blocks of Huffman tables, of bytes as they are,
 * and of copies of what came before.
 *
 * @throws RangeError for a file that is damaged.
 */
export function unpackRnc(packed: Buffer): Buffer {
	const output = Buffer.alloc(packed.readUInt32BE(4));
	const bits = new BitReader(packed, HEADER_BYTES);
	bits.read(2);
	let end = 0;
	while (end < output.length) {
		const [literals, distances, lengths] = [tableOf(bits), tableOf(bits), tableOf(bits)];
		let rounds = bits.read(16);
		for (;;) {
			const count = numberFrom(literals, bits);
			bits.copyBytes(count, output, end);
			end += count;
			if (--rounds <= 0) break;
			const distance = numberFrom(distances, bits) + 1;
			const length = numberFrom(lengths, bits) + 2;
			// A copy may overlap itself.
			for (let i = 0; i < length; i++, end++) output[end] = output[end - distance];
		}
	}
	return output;
}

/** Bits in words of 16, least significant first. Whole bytes lie between them. */
class BitReader {
	private buffer: number;
	private count = 16;

	constructor(
		private readonly bytes: Buffer,
		private place: number,
	) {
		this.buffer = this.wordAt(place);
	}

	peek(count: number): number {
		return this.buffer % 2 ** count;
	}

	read(count: number): number {
		const value = this.peek(count);
		this.buffer = Math.floor(this.buffer / 2 ** count);
		this.count -= count;
		if (this.count < 16) {
			this.place += 2;
			this.appendWord();
		}
		return value;
	}

	/** Copies bytes from where the last word was read, and goes on with the word after them. */
	copyBytes(count: number, target: Buffer, targetStart: number): void {
		if (count === 0) return;
		this.bytes.copy(target, targetStart, this.place, this.place + count);
		this.place += count;
		this.count -= 16;
		this.buffer %= 2 ** this.count;
		this.appendWord();
	}

	private appendWord(): void {
		this.buffer += this.wordAt(this.place) * 2 ** this.count;
		this.count += 16;
	}

	private wordAt(place: number): number {
		return (this.bytes[place] ?? 0) + 256 * (this.bytes[place + 1] ?? 0);
	}
}

function tableOf(bits: BitReader): Code[] {
	const lengths = Array.from({ length: bits.read(5) }, () => bits.read(4));
	const codes: Code[] = [];
	let code = 0;
	for (let length = 1; length <= 16; length++) {
		for (const [value, own] of lengths.entries()) {
			if (own === length) codes.push({ bits: mirrored(code++, length), length, value });
		}
		code *= 2;
	}
	return codes;
}

function mirrored(code: number, length: number): number {
	let bits = 0;
	for (let i = 0; i < length; i++) bits += (Math.floor(code / 2 ** i) % 2) * 2 ** (length - 1 - i);
	return bits;
}

/** A number: its code gives the count of its bits, and these follow. */
function numberFrom(table: readonly Code[], bits: BitReader): number {
	const code = table.find((one) => bits.peek(one.length) === one.bits);
	if (code === undefined) throw new RangeError('No code of the table fits: the file is damaged.');
	bits.read(code.length);
	return code.value < 2 ? code.value : 2 ** (code.value - 1) + bits.read(code.value - 1);
}
