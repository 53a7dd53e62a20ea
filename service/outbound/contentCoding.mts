import type { Duplex } from 'node:stream';
import {
	createBrotliDecompress,
	createGunzip,
	createInflate,
	createZstdDecompress,
} from 'node:zlib';

/** What unpacks each content coding (RFC 9110, section 8.4.1). */
const UNPACKERS: Readonly<Partial<Record<string, () => Duplex>>> = {
	gzip: createGunzip,
	'x-gzip': createGunzip,
	deflate: createInflate,
	br: createBrotliDecompress,
	zstd: createZstdDecompress,
};

/** More than anybody applies to one file: each takes memory. */
const MAX_CODINGS = 4;

/**
 * Returns the streams that unpack a body with this Content-Encoding. Object storages send the one that a file
 * was stored with, although identity was asked for. Other names are often no codings at all (`aws-chunked`,
 * `UTF-8`), so they count as none.
 */
export function unpackersOf(contentEncoding: unknown): Duplex[] {
	if (typeof contentEncoding !== 'string') return [];
	const codings = contentEncoding
		.toLowerCase()
		.split(',', MAX_CODINGS)
		.map((coding) => coding.trim());
	return codings.reverse().flatMap((coding) => UNPACKERS[coding]?.() ?? []);
}

/** Whether an error says that a body cannot be unpacked. A body that ends too early may arrive whole next time. */
export function isDamagedCoding(error: unknown): boolean {
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	const isOfUnpacker = /^(Z_|ERR_(_?ZLIB|BROTLI|ZSTD)|ZSTD_)/.test(code);
	return isOfUnpacker && code !== 'Z_BUF_ERROR';
}
