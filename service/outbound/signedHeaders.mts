/**
 * Returns the headers with which a file is PUT to a signed URL. Where the URL says which headers are
 * signed (S3 and compatible storages, Google), it sends no others: a storage may refuse them. Otherwise
 * it sends the media type.
 */
export function deliveryHeaders(signedUrl: string, mediaType: string, sizeBytes: number) {
	const parameters = [...new URL(signedUrl).searchParams];
	const signed = parameters.find(([name]) => /^x-(amz|goog)-signedheaders$/i.test(name))?.[1];
	const sendsType = signed?.toLowerCase().split(';').includes('content-type') ?? true;
	return {
		'Content-Type': sendsType && mediaType,
		'Content-Length': sizeBytes,
		// `false` suppresses what the HTTP client would add by itself.
		Accept: false,
		'Accept-Encoding': false,
		'User-Agent': false,
	};
}
