/** The length of a safe file name, in characters. */
const NAME_LENGTH_MAXIMUM = 150;

/** The extension of a file name in lower case without the dot; empty where there is none. */
export function extensionOf(fileName: string): string {
	return /\.([a-z0-9]{1,8})$/i.exec(fileName)?.[1].toLowerCase() ?? '';
}

/** A file name without its extension. */
export function withoutExtension(fileName: string): string {
	const extension = extensionOf(fileName);
	return extension === '' ? fileName : fileName.slice(0, -extension.length - 1);
}

/**
 * Returns a file name that is safe in a request and on a disk: the last part of a path, cut to 150
 * characters before its extension. It has no control characters, quotes, reserved characters or halves of
 * surrogate pairs.
 *
 * @param fallback the name to use when nothing is left
 */
export function safeFileName(name: string, fallback: string): string {
	const base = name
		.split(/[/\\]/)
		.pop()!
		.replace(/[\p{Cc}\p{Cs}\u2028\u2029<>:"|?*]+/gu, '_')
		.replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '');
	if (base === '') return fallback;
	const characters = [...base];
	if (characters.length <= NAME_LENGTH_MAXIMUM) return base;
	const extension = extensionOf(base);
	const kept = characters.slice(0, NAME_LENGTH_MAXIMUM - extension.length - 1).join('');
	return extension ? `${kept}.${extension}` : kept;
}

/** A name without its percent-encoding; unchanged where the encoding is invalid. */
export function decodedName(name: string): string {
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}

/** The decoded file name at the end of a URL's path; empty where there is none. */
export function nameInUrl(url: string): string {
	return decodedName(new URL(url).pathname.split('/').pop() ?? '');
}

/** The extensions of the media types that the service delivers; separate tracks come as a ZIP. */
const EXTENSIONS: Readonly<Record<string, string>> = {
	'application/zip': 'zip',
	'audio/aac': 'aac',
	'audio/aiff': 'aiff',
	'audio/flac': 'flac',
	'audio/mp4': 'm4a',
	'audio/mpeg': 'mp3',
	'audio/ogg': 'ogg',
	'audio/opus': 'opus',
	'audio/wav': 'wav',
	'audio/x-flac': 'flac',
	'audio/x-m4a': 'm4a',
	'audio/x-wav': 'wav',
	'video/mp4': 'mp4',
	'video/quicktime': 'mov',
	'video/webm': 'webm',
	'video/x-matroska': 'mkv',
	'video/x-msvideo': 'avi',
};

/** The usual extension of a media type without the dot; `bin` for an unknown type. */
export function mediaExtension(mediaType: string): string {
	return EXTENSIONS[mediaType.toLowerCase()] ?? 'bin';
}

/** The usual media type for an extension; `application/octet-stream` for an unknown one. */
export function mediaTypeOf(extension: string): string {
	const found = Object.entries(EXTENSIONS).find(([, known]) => known === extension);
	return found?.[0] ?? 'application/octet-stream';
}
