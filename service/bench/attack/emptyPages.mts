/** The header of a page without content. */
const HEADER_BYTES = 27;

const PAGES = 4_000_000;

/** The checksum of each byte in Ogg: CRC-32 from the highest bit on, without the inversions of ZIP's. */
const CHECKSUMS = Uint32Array.from({ length: 256 }, (_, byte) => {
	let sum = byte << 24;
	for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum < 0 ? 0x04_c1_1d_b7 : 0);
	return sum;
});

/** The first page of an Ogg file, and 100 MB of pages without content. A page with a wrong checksum would be skipped. */
export function emptyPages(ogg: Buffer): Buffer {
	const firstPage = ogg.subarray(0, ogg.indexOf('OggS', 4));
	const pages = Buffer.alloc(PAGES * HEADER_BYTES);
	const empty = Buffer.from(ogg.subarray(0, HEADER_BYTES));
	empty.writeUInt8(0, 5);
	empty.writeUInt8(0, 26);
	for (let page = 1; page <= PAGES; page++) {
		empty.writeUInt32LE(page, 18);
		empty.writeUInt32LE(0, 22);
		empty.writeUInt32LE(checksumOf(empty), 22);
		empty.copy(pages, (page - 1) * HEADER_BYTES);
	}
	return Buffer.concat([firstPage, pages]);
}

function checksumOf(page: Buffer): number {
	let sum = 0;
	for (const byte of page) sum = (sum << 8) ^ CHECKSUMS[(sum >>> 24) ^ byte];
	return sum >>> 0;
}
