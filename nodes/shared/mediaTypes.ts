/** What a login page or a storage's own words come as; no recording does. */
const NO_MEDIA_TYPE = /^(text\/.*|application\/(.*\+)?(json|xml))$/i;

/** Whether a media type, without parameters, is that of a page or of data instead of audio or video. */
export function isNoMediaType(type: string): boolean {
	return NO_MEDIA_TYPE.test(type);
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
