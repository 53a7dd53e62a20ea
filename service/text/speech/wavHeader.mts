import { SPEECH_RATE_HZ, SPEECH_SAMPLE_BYTES } from './speech.mts';

/** The 44-byte header of a WAV file with speech. */
export function wavHeader(dataBytes: number): Buffer {
	const header = Buffer.alloc(44);
	header.write('RIFF', 0);
	header.writeUInt32LE(36 + dataBytes, 4);
	header.write('WAVEfmt ', 8);
	header.writeUInt32LE(16, 16);
	// PCM, one channel.
	header.writeUInt16LE(1, 20);
	header.writeUInt16LE(1, 22);
	header.writeUInt32LE(SPEECH_RATE_HZ, 24);
	header.writeUInt32LE(SPEECH_RATE_HZ * SPEECH_SAMPLE_BYTES, 28);
	header.writeUInt16LE(SPEECH_SAMPLE_BYTES, 32);
	header.writeUInt16LE(8 * SPEECH_SAMPLE_BYTES, 34);
	header.write('data', 36);
	header.writeUInt32LE(dataBytes, 40);
	return header;
}
