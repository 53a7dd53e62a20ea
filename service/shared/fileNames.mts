import { extname } from 'node:path';

/** What some file system refuses in a name, and control characters. */
const UNSAFE_CHARACTERS = /[\p{C}:*?"<>|]/gu;

/** Leaves room below the 255 bytes of a file name for what is added to it. */
const LONGEST_NAME_BYTES = 180;

/**
 * A name that is one path segment on any system: folders cut off, unsafe characters replaced, no
 * leading dots, at most 180 bytes of UTF-8 with the extension kept.
 */
export function safeFileName(name: string): string {
	const lastSegment = name.split(/[/\\]/).at(-1) ?? '';
	const clean = lastSegment.replace(UNSAFE_CHARACTERS, '_').replace(/^[\s.]+|[\s.]+$/g, '');
	// By characters, not by UTF-16 units: half an emoji cannot be percent-encoded.
	const extension = Array.from(extname(clean)).slice(0, 16).join('');
	const stem = Array.from(clean.slice(0, clean.length - extname(clean).length));
	while (Buffer.byteLength(stem.join('') + extension) > LONGEST_NAME_BYTES) stem.pop();
	return stem.join('') + extension || 'file';
}

/** The file name at the end of a URL's path, decoded and made safe. */
export function fileNameOfUrl(url: string): string {
	const segment = new URL(url).pathname.split('/').at(-1) ?? '';
	try {
		return safeFileName(decodeURIComponent(segment));
	} catch {
		return safeFileName(segment);
	}
}

/** The extension of a name with its dot, lower case, or an empty text when it has no usual one. */
export function extensionOf(name: string): string {
	const extension = extname(name).toLowerCase();
	return /^\.[a-z0-9]{1,8}$/.test(extension) ? extension : '';
}
