import { asciiId, asIds, type Family, type SampleLayout } from './family.mts';

/** Ids of chunks; one of three letters ends with a space. */
const WAVE_IDS = asIds(
	'LIST id3 ID3 bext iXML cue smpl inst fact PEAK JUNK junk PAD FLLR axml chna cart _PMX umid ' +
		'acid strc plst DISP link levl afsp minf elm1 regn SAUR Cr8r aXML ubxt CDif MD5 DGDA LGWV',
);

/** PCM, A-law, mu-law and floats in a WAV, among them those of WAVE_FORMAT_EXTENSIBLE. */
const WAVE_PCM = 1;
const WAVE_EXTENSIBLE = 0xfffe;
/** The codes of samples that are no integers. */
const WAVE_CODECS = new Map<number, SampleLayout['codec']>([
	[3, 'float'],
	[6, 'alaw'],
	[7, 'ulaw'],
]);

/** WAV and its kin. */
export function waveFamily(beginning: string, isBigEndian: boolean): Family {
	const u16 = (bytes: Buffer, at: number) =>
		isBigEndian ? bytes.readUInt16BE(at) : bytes.readUInt16LE(at);
	const u32 = (bytes: Buffer, at: number) =>
		isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
	const put = (bytes: Buffer, value: number, at: number) =>
		isBigEndian ? bytes.writeUInt32BE(value, at) : bytes.writeUInt32LE(value, at);
	return {
		beginning: Buffer.from(beginning),
		readsUnknown: beginning === 'RIFF',
		isLongAsCaf: isBigEndian,
		name: { at: 8, text: Buffer.from('WAVE') },
		headBytes: 12,
		chunkHeadBytes: 8,
		alignment: 2,
		formatId: 'fmt ',
		soundId: 'data',
		leadBytes: 0,
		otherIds: WAVE_IDS,
		maxBytes: 0xffff_ffff,
		idOf: asciiId,
		sizeOf: (head) => u32(head, 4),
		withSize(head, bodyBytes) {
			const sized = Buffer.from(head);
			put(sized, bodyBytes, 4);
			return sized;
		},
		layoutOf(format) {
			if (format.length < 16) return undefined;
			const code = u16(format, 0);
			const isExtensible = code === WAVE_EXTENSIBLE && format.length >= 26;
			const kind = isExtensible ? u16(format, 24) : code;
			return {
				frameBytes: Math.max(1, u16(format, 12)),
				bytesPerSecond: Math.max(1, u32(format, 8)),
				integerBits: kind === WAVE_PCM ? u16(format, 14) : undefined,
				isUnsigned: kind === WAVE_PCM && u16(format, 14) <= 8,
				codec: WAVE_CODECS.get(kind),
				channels: Math.max(1, u16(format, 2)),
				isBigEndian,
			};
		},
		formatOnly: (format) => format,
		head(_bytes, _at, chunkBytes) {
			const head = Buffer.from(`${isBigEndian ? 'RIFX' : 'RIFF'}0000WAVE`);
			put(head, Math.min(chunkBytes + 4, 0xffff_ffff), 4);
			return Promise.resolve(head);
		},
	};
}

/** GUIDs of Wave64 end alike, but for that of the file itself. */
const W64_GUID_END = Buffer.from('f3acd3118cd100c04f8edb8a', 'hex');
const W64_FILE = Buffer.from('726966662e91cf11a5d628db04c10000', 'hex');
const w64Guid = (id: string) => Buffer.concat([Buffer.from(id), W64_GUID_END]);

export const WAVE = waveFamily('RIFF', false);

export const WAVE64: Family = {
	...WAVE,
	readsUnknown: false,
	beginning: W64_FILE,
	name: { at: 24, text: w64Guid('wave') },
	headBytes: 40,
	chunkHeadBytes: 24,
	alignment: 8,
	otherIds: ['fact', 'levl', 'junk', 'bext', 'LIST', 'list'].map(w64Guid),
	maxBytes: Number.MAX_SAFE_INTEGER,
	idOf: (head) => (head.subarray(4, 16).equals(W64_GUID_END) ? asciiId(head) : ''),
	sizeOf: (head) => Number(head.readBigUInt64LE(16)) - 24,
	withSize(head, bodyBytes) {
		const sized = Buffer.from(head);
		sized.writeBigUInt64LE(BigInt(bodyBytes + 24), 16);
		return sized;
	},
	async head(bytes, at, chunkBytes) {
		const head = await bytes.read(at, 40);
		head.writeBigUInt64LE(BigInt(chunkBytes + 40), 16);
		return head;
	},
};

/** Returns the beginning of a WAV whose sizes need more than 32 bits. */
export function longHead(chunkBytes: number, sampleBytes: number): Buffer {
	const head = Buffer.alloc(48);
	head.write('RF64', 0);
	head.writeUInt32LE(0xffff_ffff, 4);
	head.write('WAVEds64', 8);
	head.writeUInt32LE(28, 16);
	head.writeBigUInt64LE(BigInt(chunkBytes + head.length - 8), 20);
	head.writeBigUInt64LE(BigInt(sampleBytes), 28);
	return head;
}
