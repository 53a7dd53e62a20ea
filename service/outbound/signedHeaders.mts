/** Query parameters with the names of the signed headers, separated by semicolons; in lower case. */
const PARAMETERS: readonly string[] = ['x-amz-signedheaders', 'x-goog-signedheaders'];

/** Suppresses the header that the HTTP client would add by itself. */
const NONE = false;

/**
 * Returns the headers with which a file is PUT to a signed URL. Where the URL says which headers are
 * signed (S3 and compatible storages, Google), it sends no others: a storage may refuse them. Otherwise
 * it sends the media type.
 */
export function deliveryHeaders(signedUrl: string, mediaType: string, sizeBytes: number) {
	const signed = signedHeaders(signedUrl);
	const sendsType = signed === undefined || signed.includes('content-type');
	return {
		'Content-Type': sendsType ? mediaType : NONE,
		'Content-Length': sizeBytes,
		Accept: NONE,
		'Accept-Encoding': NONE,
		'User-Agent': NONE,
	};
}

/** The names of the signed headers in lower case; undefined where the URL does not say. */
function signedHeaders(signedUrl: string): readonly string[] | undefined {
	const parameters = [...new URL(signedUrl).searchParams];
	const [, names] = parameters.find(([name]) => PARAMETERS.includes(name.toLowerCase())) ?? [];
	return names?.toLowerCase().split(';');
}
