import { FileBytes } from './wholeFile/fileBytes.mts';

const PAGE = Buffer.from('OggS');
const PAGE_HEAD_BYTES = 27;
const FIRST_PAGE = 2;

/** Returns how many files are chained in an Ogg file, up to the first byte that is of no page. */
export async function oggLinks(path: string): Promise<number> {
	await using bytes = await FileBytes.open(path);
	let links = 0;
	let wasFirst = false;
	for (let at = 0; ; ) {
		const head = await bytes.at(at, PAGE_HEAD_BYTES);
		if (head.length < PAGE_HEAD_BYTES || !head.subarray(0, 4).equals(PAGE)) return links;
		const isFirst = (head[5] & FIRST_PAGE) !== 0;
		const segments = head[26];
		const sizes = await bytes.at(at + PAGE_HEAD_BYTES, segments);
		// The first pages of all streams of a link stand together.
		if (isFirst && !wasFirst) links += 1;
		wasFirst = isFirst;
		at += PAGE_HEAD_BYTES + segments + sizes.reduce((sum, size) => sum + size, 0);
	}
}
