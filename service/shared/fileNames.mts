import { extname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

/** Characters that some file systems refuse, and control characters. */
const UNSAFE_CHARACTERS = /[\p{C}:*?"<>|]/gu;

/** Leaves room for suffixes below the usual 255 bytes of a file name. */
const MAX_NAME_BYTES = 180;

/**
 * Converts a name to one path segment that works on any system: without folders and leading dots,
 * with unsafe characters replaced, at most 180 bytes of UTF-8 including the extension.
 */
export function safeFileName(name: string): string {
	const lastSegment = name.split(/[/\\]/).at(-1) ?? '';
	const clean = withoutEnds(withSafeCharacters(lastSegment));
	const whole = extname(clean);
	const extension = Array.from(whole).slice(0, 16).join('');
	const stem = clean.slice(0, clean.length - whole.length);
	return startOf(stem, MAX_NAME_BYTES - Buffer.byteLength(extension)) + extension || 'file';
}

/** Returns a name as it is stored: `safeFileName` replaces these characters, too. */
export function withSafeCharacters(name: string): string {
	return name.replace(UNSAFE_CHARACTERS, '_');
}

/** A name without blanks and dots at its ends. A pattern that ends in `$` would be tried at each of them. */
function withoutEnds(name: string): string {
	let end = name.length;
	while (end > 0 && /[\s.]/.test(name[end - 1])) end--;
	return name.slice(0, end).replace(/^[\s.]+/, '');
}

/** The start of a text, up to this many bytes of UTF-8: half an emoji cannot be percent-encoded. */
function startOf(text: string, maxBytes: number): string {
	return new StringDecoder().write(Buffer.from(text).subarray(0, maxBytes));
}

/** Returns the file name at the end of a URL's path, decoded and safe. */
export function fileNameOfUrl(url: string): string {
	const segment = new URL(url).pathname.split('/').at(-1) ?? '';
	try {
		return safeFileName(decodeURIComponent(segment));
	} catch {
		return safeFileName(segment);
	}
}

/** Returns the header `Content-Disposition` that makes a browser save a file under this name. */
export function attachmentHeader(fileName: string): string {
	const encoded = encodeURIComponent(fileName).replace(/['()*]/g, '_');
	return `attachment; filename*=UTF-8''${encoded}`;
}

/** Returns a name's extension with its dot, in lower case; an empty string if it has no usual one. */
export function dottedExtensionOf(name: string): string {
	const extension = extname(name).toLowerCase();
	return /^\.[a-z0-9]{1,8}$/.test(extension) ? extension : '';
}
