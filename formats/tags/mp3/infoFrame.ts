import { type Mp3Header, silentFrame } from './frames';

/** What the information frame at the start of an MP3 file says about the file. */
export interface Mp3Info {
	/** How many frames with sound follow, if it says so. */
	readonly frames?: number;
	/** How many samples of the sound the encoder added at the start. */
	readonly delaySamples: number;
}

const HAS_FRAMES = 1;
const HAS_BYTES = 2;

/** Lengths of the optional fields by their flag: frames, bytes, table for seeking, quality. */
const FIELD_BYTES = [4, 4, 100, 4];

/** The name, the flags, and the number of frames. */
const XING_BYTES = 12;

/** Where LAME's part has the encoder's delay, in 12 bits. */
const DELAY_OFFSET = 21;

/** Samples by which every decoder delays the sound. */
const DECODER_DELAY_SAMPLES = 529;

/** Where a frame of the encoder by Fraunhofer has its name, from the frame's start. */
const VBRI_OFFSET = 36;
const VBRI_FRAMES_OFFSET = 14;

/** Reads an information frame (Xing, Info or VBRI), which has no sound. Undefined for other frames. */
export function mp3Info(frame: Buffer, header: Mp3Header): Mp3Info | undefined {
	const start = header.beforeMainBytes;
	const name = frame.toString('latin1', start, start + 4);
	if (name === 'Xing' || name === 'Info') return xingInfo(frame.subarray(start));
	const isVbri = frame.toString('latin1', VBRI_OFFSET, VBRI_OFFSET + 4) === 'VBRI';
	const at = VBRI_OFFSET + VBRI_FRAMES_OFFSET;
	return isVbri && frame.length >= at + 4
		? { frames: frame.readUInt32BE(at), delaySamples: 0 }
		: undefined;
}

function xingInfo(info: Buffer): Mp3Info | undefined {
	// A frame of few bits has no room for it, and the name by chance.
	if (info.length < XING_BYTES) return undefined;
	const flags = info.readUInt32BE(4);
	const frames = (flags & HAS_FRAMES) !== 0 ? info.readUInt32BE(8) : undefined;
	const isThere = (index: number) => (flags & (1 << index)) !== 0;
	const lameStart = FIELD_BYTES.reduce(
		(end, bytes, index) => end + (isThere(index) ? bytes : 0),
		8,
	);
	const lame = info.subarray(lameStart);
	// ffmpeg's own encoder writes Lavc or Lavf where LAME writes its name.
	const isLame =
		lame.length >= DELAY_OFFSET + 2 && /^(LAME|Lav[cf])/.test(lame.toString('latin1', 0, 4));
	const delaySamples = isLame ? (lame.readUInt16BE(DELAY_OFFSET) >> 4) + DECODER_DELAY_SAMPLES : 0;
	return { frames, delaySamples };
}

/**
 * An information frame for sound whose frames differ in bit rate. Without it, players guess the length.
 *
 * @param like a frame of the sound
 */
export function infoFrame(like: Buffer, frames: number, soundBytes: number): Buffer {
	const fields = Buffer.alloc(16);
	fields.write('Xing', 'latin1');
	fields.writeUInt32BE(HAS_FRAMES | HAS_BYTES, 4);
	const { frame, dataStart } = silentFrame(like, fields.length);
	fields.writeUInt32BE(frames, 8);
	fields.writeUInt32BE(frame.length + soundBytes, 12);
	fields.copy(frame, dataStart);
	return frame;
}
