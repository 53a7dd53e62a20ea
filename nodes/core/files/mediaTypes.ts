import type { IBinaryData } from 'n8n-workflow';

import { SUPPORTED_AUDIO_EXTENSIONS, SUPPORTED_VIDEO_EXTENSIONS } from '../../../api/contract';

/** The extensions of the formats that the service supports, in lower case and without the dot. */
export const MEDIA_EXTENSIONS: readonly string[] = [
	...SUPPORTED_AUDIO_EXTENSIONS,
	...SUPPORTED_VIDEO_EXTENSIONS,
];

/**
 * Types that say nothing about a file. S3 and others use octet-stream for unknown files, and n8n
 * `text/plain`; n8n takes a camcorder's `.mts` for `model/vnd.mts`.
 */
const UNTYPED =
	/^((application|binary)\/(octet-stream|(x-)?(force-)?download|unknown)|text\/plain|model\/vnd\.mts|)$/i;

/** Whether a media type, with or without parameters, says nothing about a file. */
export function saysNothing(contentType: string): boolean {
	return UNTYPED.test(contentType.split(';')[0].trim());
}

/** Media types, without parameters, whose edits would be charged and end with FAILURE. */
const NOT_MEDIA_TYPE = new RegExp(
	[
		'^(chemical|font|image|message|model|multipart|text)/.',
		'^application/(.+\\+)?(json|xml|zip|yaml)$',
		'^application/(x-)?(7z-compressed|bzip2?|gzip|javascript|rar|rar-compressed|tar|zip-compressed)$',
		'^application/(epub|java-archive|msword|pdf|postscript|rtf|sql|wasm|x-msdownload|x-sh)$',
		'^application/(x-www-form-urlencoded|vnd\\.rar)$',
		'^application/vnd\\.(apple\\.(keynote|numbers|pages)|ms-(excel|outlook|powerpoint|word)|oasis\\.opendocument|openxmlformats)',
	].join('|'),
	'i',
);

/** Extensions of such files. Those of web pages are missing: such a URL may lead to a recording. */
const NOT_MEDIA_EXTENSIONS: ReadonlySet<string> = new Set(
	[
		'avif bmp gif heic heif ico jpeg jpg png psd svg tif tiff webp',
		'conf csv doc docx epub ini json key log md numbers odp ods odt pages pdf ppt pptx rtf srt txt vtt xls xlsx xml',
		'7z bz2 gz rar tar tgz zip',
	]
		.join(' ')
		.split(' '),
);

/** Whether a media type, with or without parameters, is known not to be audio or video. */
export function isNotMediaType(contentType: string): boolean {
	return NOT_MEDIA_TYPE.test(contentType.split(';')[0].trim());
}

/** Whether an extension, in lower case and without the dot, is known not to be of audio or video. */
export function isNotMediaExtension(extension: string): boolean {
	return NOT_MEDIA_EXTENSIONS.has(extension);
}

/** Whether a file is known not to be audio or video: by its type, or by its name if the type says nothing. */
export function isNotMedia(contentType: string, fileName: string): boolean {
	return saysNothing(contentType)
		? isNotMediaExtension(extensionOf(fileName))
		: isNotMediaType(contentType);
}

/** The media types of a login page, or of a storage's error message. */
const PAGE_TYPE = /^(text\/.*|application\/(.*\+)?(json|xml))$/i;

/**
 * Whether a media type, without parameters, is that of a page or data instead of an edited file. This refuses
 * fewer types than {@link isNotMediaType}: the edit is charged, and storages give wrong types to good files.
 */
export function isPageType(type: string): boolean {
	return PAGE_TYPE.test(type);
}

/** The length of a safe file name in UTF-8: disks allow 255 bytes, and we add endings such as `-chapters.json`. */
const MAX_NAME_BYTES = 200;

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
 * Returns a file name that is safe in a request and on a disk: the last part of a path in NFC, cut to 200
 * bytes before its extension, at a whole character. It has no control characters, quotes, reserved
 * characters or halves of surrogate pairs.
 *
 * @param fallback the name to use when nothing is left
 */
export function safeFileName(name: string, fallback: string): string {
	const base = name
		.split(/[/\\]/)
		.pop()!
		.normalize('NFC')
		.replace(/[\p{Cc}\p{Cs}\u2028\u2029<>:"|?*]+/gu, '_')
		.replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '');
	if (base === '') return fallback;
	const extension = extensionOf(base);
	const ending = extension && `.${extension}`;
	return cutToBytes(withoutExtension(base), MAX_NAME_BYTES - ending.length) + ending;
}

/** The beginning of a text, in whole characters as people see them, that has at most this many bytes. */
function cutToBytes(text: string, maxBytes: number): string {
	if (Buffer.byteLength(text) <= maxBytes) return text;
	let kept = '';
	let bytes = 0;
	for (const { segment } of new Intl.Segmenter().segment(text)) {
		bytes += Buffer.byteLength(segment);
		if (bytes > maxBytes) break;
		kept += segment;
	}
	return kept.trimEnd();
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

/** The extensions of media types; the first type of an extension is its usual one. Separate tracks come as a ZIP. */
const EXTENSIONS: Readonly<Record<string, string>> = {
	'application/zip': 'zip',
	'audio/aac': 'aac',
	'audio/aiff': 'aiff',
	'audio/amr': 'amr',
	'audio/flac': 'flac',
	'audio/mp4': 'm4a',
	'audio/mpeg': 'mp3',
	'audio/ogg': 'ogg',
	'audio/opus': 'opus',
	'audio/wav': 'wav',
	'audio/webm': 'weba',
	'audio/x-caf': 'caf',
	'audio/x-matroska': 'mka',
	'audio/x-ms-wma': 'wma',
	'video/3gpp': '3gp',
	'video/mp2t': 'ts',
	'video/mp4': 'mp4',
	'video/mpeg': 'mpg',
	'video/ogg': 'ogv',
	'video/quicktime': 'mov',
	'video/webm': 'webm',
	'video/x-matroska': 'mkv',
	'video/x-ms-wmv': 'wmv',
	'video/x-msvideo': 'avi',
	'application/ogg': 'ogg',
	'audio/3gpp': '3gp',
	'audio/mp3': 'mp3',
	'audio/vnd.wave': 'wav',
	'audio/wave': 'wav',
	'audio/x-aac': 'aac',
	'audio/x-aiff': 'aiff',
	'audio/x-flac': 'flac',
	'audio/x-m4a': 'm4a',
	'audio/x-mpeg': 'mp3',
	'audio/x-wav': 'wav',
	'video/x-m4v': 'mp4',
};

/** The usual extension of a media type, with or without parameters, without the dot; `bin` for an unknown type. */
export function mediaExtension(mediaType: string): string {
	return EXTENSIONS[mediaType.split(';')[0].trim().toLowerCase()] ?? 'bin';
}

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map(
	Object.entries(EXTENSIONS)
		.map(([type, extension]) => [extension, type] as const)
		// The last of several entries stays.
		.reverse(),
);

/** The usual media type for an extension; `application/octet-stream` for an unknown one. */
export function mediaTypeOf(extension: string): string {
	return MEDIA_TYPES.get(extension) ?? 'application/octet-stream';
}

/** Extensions of audio and video that services and programs know, besides those that types have. */
const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set(
	[
		'3g2 ac3 aif aifc ape au dts eac3 f4v flv gsm m2ts m4b m4v mp1 mp2 mpa mpeg mpga mts mxf oga',
		'ra snd spx tta vob w64 wave wv',
	]
		.join(' ')
		.split(' '),
);

/** Extensions that programs give to files that they know nothing about. */
const EMPTY_EXTENSION = /\.(bin|dat|download|file|part|tmp|unknown)$/i;

/** A query that a name from a URL has kept. */
const QUERY = /(\.\w{1,8})\?.*$/s;

/** The name that a file of an item is sent under: services decide by its extension. */
export function sentFileName(
	{ fileName = '', fileExtension }: IBinaryData,
	given: string | undefined,
	contentType: string,
): string {
	const name = nameWithExtension(given || fileName, contentType, fileExtension);
	return safeFileName(name, `recording.${fileExtension ?? 'bin'}`);
}

/** The own name of a file of an item, by which people know it. A Mac and a server may write an umlaut in two ways. */
export function ownFileName({ fileName = '', fileExtension }: IBinaryData): string {
	return safeFileName(fileName, `recording.${fileExtension ?? 'bin'}`);
}

const isMediaExtension = (extension: string): boolean =>
	KNOWN_EXTENSIONS.has(extension) || mediaTypeOf(extension) !== 'application/octet-stream';

/**
 * A file name with an extension, by which services decide what a file is (api.md#input-formats): its own,
 * if it is one of audio or video; otherwise the one that n8n knows, or that of its media type. "Episode 1.2"
 * has none.
 *
 * @param type its media type
 * @param extension what n8n knows about the file, without the dot
 */
export function nameWithExtension(name: string, type: string, extension = ''): string {
	const own = name.replace(QUERY, '$1');
	if (isMediaExtension(extensionOf(own))) return own;
	const known = [extension.toLowerCase(), mediaExtension(type)].find(isMediaExtension);
	if (name === '' || known === undefined) return name;
	return `${EMPTY_EXTENSION.test(own) ? withoutExtension(own) : own}.${known}`;
}
