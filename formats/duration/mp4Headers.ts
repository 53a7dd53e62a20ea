import { BOX_HEADER_BYTES, LONG_HEADER_BYTES, boxAt } from '../tags/mp4/boxes';
import type { HeaderReading } from './headerWalk';

/** The header of the movie, as far as its length: with times of 64 bits. */
const MOVIE_HEADER_BYTES = BOX_HEADER_BYTES + 32;

/** A file with more boxes than these around its sound is none that a program writes. */
const MAX_BOXES = 10_000;

/** What MP4, M4A and QuickTime files begin with. */
const FIRST_BOXES: ReadonlySet<string> = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip']);

/** Whether a file begins like an MP4, M4A or QuickTime file. */
export function isMovie(start: Buffer): boolean {
	return FIRST_BOXES.has(start.toString('latin1', 4, BOX_HEADER_BYTES));
}

/** Reads the length of an MP4 file, whose index may come after its sound. */
export function* mp4Headers(): HeaderReading {
	let at = 0;
	for (let boxes = 0; boxes < MAX_BOXES; boxes++) {
		const next = boxAt(yield { at, bytes: LONG_HEADER_BYTES }, 0);
		if (next === undefined || next.end === Infinity) break;
		if (next.type === 'mvhd') {
			const header = yield { at, bytes: MOVIE_HEADER_BYTES };
			return () => movieSeconds(header);
		}
		// The header of the movie is the first box in the index.
		at += next.type === 'moov' ? next.bodyStart : next.end;
	}
	return () => undefined;
}

/** The length that the header of a movie states; none in a file of fragments. */
function movieSeconds(header: Buffer): number | undefined {
	const isLong = header[BOX_HEADER_BYTES] === 1;
	const timeScale = header.readUInt32BE(isLong ? 28 : 20);
	const duration = isLong ? Number(header.readBigUInt64BE(32)) : header.readUInt32BE(24);
	return duration / timeScale;
}
