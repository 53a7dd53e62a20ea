import { open } from 'node:fs/promises';

import { parse } from 'content-disposition';

import { safeFileName } from '../shared/fileNames.mts';

/** Bytes at the beginning of a file in which a web page shows itself. */
const PAGE_BYTES = 1_024;

const WEB_PAGE =
	/^\uFEFF?\s*(?:<!--[^]{0,400}?-->\s*)?<(?:!doctype\s+html|html|head|body|script)\b/i;

/**
 * Returns the name of the file that a response carries (RFC 6266), as a safe file name; undefined where it
 * names none. Servers also write UTF-8 or percent signs where the standard has neither.
 */
export function nameInDisposition(contentDisposition: unknown): string | undefined {
	if (typeof contentDisposition !== 'string') return undefined;
	const { filename } = parse(contentDisposition).parameters;
	return filename ? safeFileName(percentDecoded(asUtf8(filename))) : undefined;
}

/** Node.js reads the bytes of headers as Latin-1. */
function asUtf8(text: string): string {
	if (/[\u0100-\uffff]/.test(text)) return text;
	const decoded = Buffer.from(text, 'latin1').toString('utf8');
	return decoded.includes('\ufffd') ? text : decoded;
}

function percentDecoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Whether a file is a web page: hosts answer so for a link that has expired or needs a login. */
export async function isWebPage(path: string): Promise<boolean> {
	await using file = await open(path);
	const { buffer, bytesRead } = await file.read(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES);
	return WEB_PAGE.test(buffer.toString('utf8', 0, bytesRead));
}
