import { describePassages } from '../../../testkit/media/passages';

/** Encodings with different frame sizes, bit reservoirs and versions of MPEG. */
describePassages({
	'320 kbit/s, 48 kHz': ['-b:a', '320k', '-ar', '48000'],
	'mono, 32 kHz': ['-b:a', '64k', '-ac', '1', '-ar', '32000'],
	'MPEG 2, 22 kHz': ['-b:a', '32k', '-ar', '22050'],
	'without a bit reservoir': ['-b:a', '128k', '-reservoir', '0'],
	'without an information frame': ['-b:a', '96k', '-write_xing', '0'],
	'with a tag': ['-b:a', '128k', '-metadata', `title=${'long '.repeat(5_000)}`],
});
