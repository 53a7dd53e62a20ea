import { boxesIn } from './boxes';

/** Boxes with tags, which a file, a movie and a track can have. */
const TAGS: ReadonlySet<string> = new Set(['meta', 'udta']);

/** Boxes that have others inside. */
const AROUND: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia']);

/** Turns the tags between two offsets of an MP4 file into free space, also those of its movie and tracks. */
export function blankTags(bytes: Buffer, start = 0, end = bytes.length): Buffer {
	for (const one of boxesIn(bytes, start, end)) {
		if (TAGS.has(one.type)) {
			bytes.write('free', one.start + 4, 'latin1');
			bytes.fill(0, one.bodyStart, one.end);
		} else if (AROUND.has(one.type)) blankTags(bytes, one.bodyStart, one.end);
	}
	return bytes;
}
