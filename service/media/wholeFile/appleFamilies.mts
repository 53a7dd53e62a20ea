import { asciiId, asIds, type Family, type SampleLayout } from './family.mts';

const AIFF_IDS = asIds('COMM FVER MARK INST MIDI AESD APPL COMT NAME AUTH (c)  ANNO ID3 CHAN PEAK');
export const CAF_IDS = asIds(
	'free info chan kuki pakt mark regn strg umid uuid midi edct inst ovvw peak',
);

/** Reads a rate as AIFF has it, in 80 bits; all rates are whole numbers of 32 bits. */
function rateOf(format: Buffer, at: number): number {
	const exponent = format.readUInt16BE(at) - 16_383 - 31;
	return Math.round(format.readUInt32BE(at + 2) * 2 ** Math.min(0, exponent));
}

/** Codecs of AIFF-C with samples of whole bytes. */
const AIFC_PCM_PATTERN = /^(NONE|none|twos|sowt|in24|in32|42ni|23ni|raw )$/;
const AIFC_PLAIN_PATTERN = /^(fl32|FL32|fl64|FL64|alaw|ALAW|ulaw|ULAW)$/;

/** Flags of CAF. */
const CAF_FLOAT = 1;
const CAF_LITTLE_ENDIAN = 2;

/** What the samples of an Apple format are that are no integers. */
function codecOf(id: string): SampleLayout['codec'] {
	if (/^fl/i.test(id)) return 'float';
	if (/^alaw$/i.test(id)) return 'alaw';
	return /^ulaw$/i.test(id) ? 'ulaw' : undefined;
}

/** AIFF, or AIFF-C with its codecs. */
export function aiffFamily(name: 'AIFF' | 'AIFC'): Family {
	return {
		beginning: Buffer.from('FORM'),
		endsAsStated: true,
		isLongAsCaf: true,
		name: { at: 8, text: Buffer.from(name) },
		headBytes: 12,
		chunkHeadBytes: 8,
		alignment: 2,
		formatId: 'COMM',
		soundId: 'SSND',
		leadBytes: 8,
		otherIds: AIFF_IDS,
		maxBytes: 0xffff_ffff,
		idOf: asciiId,
		sizeOf: (head) => head.readUInt32BE(4),
		withSize(head, bodyBytes) {
			const sized = Buffer.from(head);
			sized.writeUInt32BE(bodyBytes, 4);
			return sized;
		},
		layoutOf(format) {
			if (format.length < 18) return undefined;
			const codec = format.length < 22 ? 'NONE' : format.toString('latin1', 18, 22);
			const isPcm = AIFC_PCM_PATTERN.test(codec);
			if (!isPcm && !AIFC_PLAIN_PATTERN.test(codec)) return undefined;
			const bits = /law$/i.test(codec) ? 8 : format.readUInt16BE(6);
			const channels = Math.max(1, format.readUInt16BE(0));
			const frameBytes = Math.max(1, Math.ceil(bits / 8) * channels);
			return {
				frameBytes,
				bytesPerSecond: Math.max(1, frameBytes * rateOf(format, 8)),
				integerBits: isPcm ? bits : undefined,
				isUnsigned: codec === 'raw ',
				codec: codecOf(codec),
				channels,
				isBigEndian: !/^(sowt|42ni|23ni)$/.test(codec),
			};
		},
		async bodyFor(bytes, { id, bodyAt, to }, frames) {
			if (id !== 'COMM') return undefined;
			const body = await bytes.read(bodyAt, to - bodyAt);
			body.writeUInt32BE(Math.min(Math.floor(frames), 0xffff_ffff), 2);
			return body;
		},
		// The second field is the number of frames.
		formatOnly: (format) => Buffer.concat([format.subarray(0, 2), format.subarray(6)]),
		head(_bytes, _at, chunkBytes) {
			const head = Buffer.from(`FORM0000${name}`);
			// A file that is longer is one by its sound alone.
			head.writeUInt32BE(Math.min(chunkBytes + 4, 0xffff_ffff), 4);
			return Promise.resolve(head);
		},
	};
}

export const CAF: Family = {
	beginning: Buffer.from('caff'),
	name: { at: 4, text: Buffer.from([0, 1]) },
	headBytes: 8,
	chunkHeadBytes: 12,
	alignment: 1,
	formatId: 'desc',
	soundId: 'data',
	// The number of edits.
	leadBytes: 4,
	otherIds: CAF_IDS,
	maxBytes: Number.MAX_SAFE_INTEGER,
	idOf: asciiId,
	sizeOf: (head) => Number(head.readBigInt64BE(4)),
	withSize(head, bodyBytes) {
		const sized = Buffer.from(head);
		sized.writeBigInt64BE(BigInt(bodyBytes), 4);
		return sized;
	},
	layoutOf(format) {
		if (format.length < 32) return undefined;
		const frameBytes = format.readUInt32BE(16);
		const framesPerPacket = format.readUInt32BE(20);
		// Packets of any size need their table.
		if (frameBytes === 0 || framesPerPacket === 0) return undefined;
		const flags = format.readUInt32BE(12);
		const isInteger = format.toString('latin1', 8, 12) === 'lpcm' && (flags & 1) === 0;
		const bytesPerSecond = (format.readDoubleBE(0) / framesPerPacket) * frameBytes;
		return {
			frameBytes,
			bytesPerSecond: Math.max(1, bytesPerSecond),
			integerBits: isInteger ? format.readUInt32BE(28) : undefined,
			channels: format.readUInt32BE(24),
			isBigEndian: (flags & 2) === 0,
		};
	},
	formatOnly: (format) => format,
	head: (bytes, at) => bytes.read(at, 8),
};

/** Returns the beginning of a CAF up to its samples; undefined if it cannot hold them. */
export function cafHead(layout: SampleLayout, sampleBytes: number): Buffer | undefined {
	const { integerBits, codec, channels, frameBytes, bytesPerSecond, isBigEndian } = layout;
	if ((integerBits === undefined && codec === undefined) || layout.isUnsigned) return undefined;
	const flags = (codec === 'float' ? CAF_FLOAT : 0) | (isBigEndian ? 0 : CAF_LITTLE_ENDIAN);
	const head = Buffer.alloc(68);
	head.write('caff\0\x01', 0, 'latin1');
	head.write('desc', 8);
	head.writeBigInt64BE(32n, 12);
	head.writeDoubleBE(bytesPerSecond / frameBytes, 20);
	const isLaw = codec === 'alaw' || codec === 'ulaw';
	head.write(isLaw ? codec : 'lpcm', 28);
	head.writeUInt32BE(isLaw ? 0 : flags, 32);
	head.writeUInt32BE(frameBytes, 36);
	head.writeUInt32BE(1, 40);
	head.writeUInt32BE(channels, 44);
	head.writeUInt32BE((8 * frameBytes) / channels, 48);
	head.write('data', 52);
	// The number of edits is a part of it.
	head.writeBigInt64BE(BigInt(sampleBytes + 4), 56);
	return head;
}
