import type { PcmFormat } from './pcmFile.mts';

const SAMPLE_BYTES = 2;

/** Returns the 44-byte header of a WAV file with 16 bits a sample. */
export function wavHeader({ sampleRateHz, channels }: PcmFormat, dataBytes: number): Buffer {
	const frameBytes = channels * SAMPLE_BYTES;
	const header = Buffer.alloc(44);
	header.write('RIFF', 0);
	header.writeUInt32LE(36 + dataBytes, 4);
	header.write('WAVEfmt ', 8);
	header.writeUInt32LE(16, 16);
	// PCM.
	header.writeUInt16LE(1, 20);
	header.writeUInt16LE(channels, 22);
	header.writeUInt32LE(sampleRateHz, 24);
	header.writeUInt32LE(sampleRateHz * frameBytes, 28);
	header.writeUInt16LE(frameBytes, 32);
	header.writeUInt16LE(8 * SAMPLE_BYTES, 34);
	header.write('data', 36);
	header.writeUInt32LE(dataBytes, 40);
	return header;
}
