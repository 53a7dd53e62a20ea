import { SUPPORTED_AUDIO_EXTENSIONS, SUPPORTED_VIDEO_EXTENSIONS } from '../../api/contract';

/** The extensions of the formats that the service lists, in lower case and without the dot. */
export const MEDIA_EXTENSIONS: readonly string[] = [
	...SUPPORTED_AUDIO_EXTENSIONS,
	...SUPPORTED_VIDEO_EXTENSIONS,
];

/*
 * Files that are known not to be audio or video. The service takes such a file, charges for it and
 * ends the edit with FAILURE. Of other files the service decides.
 */

/** Media types, without their parameters. */
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

/** Extensions of file names. Those of web pages are missing: such an address may return a file. */
const NOT_MEDIA_EXTENSIONS: ReadonlySet<string> = new Set(
	[
		'avif bmp gif heic heif ico jpeg jpg png psd svg tif tiff webp',
		'conf csv doc docx epub ini json key log md numbers odp ods odt pages pdf ppt pptx rtf srt txt vtt xls xlsx xml',
		'7z bz2 gz rar tar tgz zip',
	]
		.join(' ')
		.split(' '),
);

/** Whether a media type, with parameters or without, is known not to be audio or video. */
export function isNotMediaType(contentType: string): boolean {
	return NOT_MEDIA_TYPE.test(contentType.split(';')[0].trim());
}

/** Whether the extension of a file name, in lower case and without the dot, is known not to be of audio or video. */
export function isNotMediaExtension(extension: string): boolean {
	return NOT_MEDIA_EXTENSIONS.has(extension);
}

/** The media types of a login page, or of what a storage says instead of a file. */
const PAGE_TYPE = /^(text\/.*|application\/(.*\+)?(json|xml))$/i;

/**
 * Whether a media type, without parameters, says that a page or data came instead of an edited file. Of
 * received files fewer types are refused: the edit is charged, and storages give odd types to good files.
 */
export function isPageType(type: string): boolean {
	return PAGE_TYPE.test(type);
}

/** The header of an empty WAV file. */
const SMALLEST_MEDIA_BYTES = 44;

/** So many first bytes tell what a file is. */
export const TELLING_BYTES = 64;

/**
 * What keeps the first bytes of a file from being audio or video; undefined where nothing does. Every
 * format of the service has bytes in its header that no text has.
 *
 * @param head the first 64 bytes, or the whole file where it is shorter
 */
export function notMediaReason(head: Buffer): string | undefined {
	if (head.length < SMALLEST_MEDIA_BYTES) return `${head.length} bytes are no recording`;
	// The last character may be cut in two.
	const text = head.toString('utf8').replace(/\ufffd$/, '');
	const isText = !/[\p{Cc}\ufffd]/u.test(text.replace(/[\t\r\n]/g, ''));
	return isText ? 'its content is text' : undefined;
}
