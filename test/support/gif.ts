/** One frame of a GIF. */
export interface GifFrame {
	readonly seconds: number;
	/** The bytes of its pixels, compressed. */
	readonly bytes: number;
}

const EXTENSION = 0x21;
const GRAPHIC_CONTROL = 0xf9;
const IMAGE = 0x2c;
const END = 0x3b;

/** Returns the bytes of a color table that a packed field announces. */
const tableBytes = (packed: number) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);

/** Returns the position after a chain of sub-blocks. */
function afterSubBlocks(gif: Buffer, start: number): number {
	let at = start;
	while (gif[at] !== 0) at += gif[at] + 1;
	return at + 1;
}

/** Reads the frames of a GIF (89a). @throws on anything that is not one */
export function gifFrames(gif: Buffer): GifFrame[] {
	if (gif.toString('latin1', 0, 6) !== 'GIF89a') throw new Error('Not a GIF');
	const frames: GifFrame[] = [];
	let seconds = 0;
	let at = 13 + tableBytes(gif[10]);
	while (gif[at] !== END) {
		if (gif[at] === EXTENSION) {
			if (gif[at + 1] === GRAPHIC_CONTROL) seconds = gif.readUInt16LE(at + 4) / 100;
			at = afterSubBlocks(gif, at + 2);
		} else if (gif[at] === IMAGE) {
			const start = at + 11 + tableBytes(gif[at + 9]);
			at = afterSubBlocks(gif, start);
			frames.push({ seconds, bytes: at - start });
		} else throw new Error(`A damaged GIF: block ${gif[at]} at ${at}`);
	}
	return frames;
}
