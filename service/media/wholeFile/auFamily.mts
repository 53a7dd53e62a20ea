import type { Family } from './family.mts';

/** Bytes a sample by the number of the encoding: mu-law, integers, floats, and A-law at the end. */
const AU_SAMPLE_BYTES: readonly number[] = [0, 1, 1, 2, 3, 4, 4, 8];
const AU_ALAW = 27;

/** Sun's format: a head, then the samples. */
export const AU: Family = {
	beginning: Buffer.from('.snd'),
	readsUnknown: true,
	name: { at: 4, text: Buffer.from([0, 0]) },
	headBytes: 24,
	chunkHeadBytes: 24,
	alignment: 1,
	formatId: '',
	soundId: '.snd',
	leadBytes: 0,
	otherIds: [],
	maxBytes: 0xffff_ffff,
	idOf: () => '',
	sizeOf: () => 0,
	withSize(head, bodyBytes) {
		const sized = Buffer.from(head);
		sized.writeUInt32BE(bodyBytes, 8);
		return sized;
	},
	layoutOf: () => undefined,
	soundOf(head, at) {
		const encoding = head.readUInt32BE(12);
		const sampleBytes = encoding === AU_ALAW ? 1 : AU_SAMPLE_BYTES[encoding];
		const bodyAt = at + head.readUInt32BE(4);
		if (!sampleBytes || bodyAt < at + 24) return undefined;
		const channels = Math.max(1, head.readUInt32BE(20));
		const frameBytes = sampleBytes * channels;
		const bodyBytes = head.readUInt32BE(8);
		return {
			format: Buffer.from(head.subarray(12, 24)),
			layout: {
				frameBytes,
				bytesPerSecond: Math.max(1, frameBytes * head.readUInt32BE(16)),
				integerBits: encoding >= 2 && encoding <= 5 ? 8 * sampleBytes : undefined,
				channels,
				isBigEndian: true,
			},
			sound: { id: '.snd', from: at, bodyAt, bodyBytes, to: bodyAt + bodyBytes },
		};
	},
	formatOnly: (format) => format,
	head: () => Promise.resolve(Buffer.alloc(0)),
};
