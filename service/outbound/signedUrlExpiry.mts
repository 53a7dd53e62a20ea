/** `20261121T060000Z`, the format in which S3 and Google write the time of signing. */
const COMPACT_TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** Query parameters for the time of signing and the lifetime in seconds. */
const SIGNED_AND_LIFETIME = [
	['X-Amz-Date', 'X-Amz-Expires'],
	['X-Goog-Date', 'X-Goog-Expires'],
] as const;

/**
 * Returns when a signed URL expires, in real milliseconds since 1970; undefined if the URL does not
 * say. Knows S3 and compatible storages (`X-Amz-Date` with `X-Amz-Expires`, or the older `Expires`),
 * Google Cloud Storage, and Azure (`se`).
 */
export function expiryOf(signedUrl: string): number | undefined {
	const query = new URL(signedUrl).searchParams;
	for (const [signedName, lifetimeName] of SIGNED_AND_LIFETIME) {
		const signedAtMs = compactTimeMs(query.get(signedName));
		const lifetime = query.get(lifetimeName);
		if (signedAtMs !== undefined && lifetime !== null && /^\d{1,9}$/.test(lifetime)) {
			return signedAtMs + Number(lifetime) * 1000;
		}
	}
	const expires = query.get('Expires') ?? '';
	if (query.has('Signature') && /^\d{1,12}$/.test(expires)) return Number(expires) * 1000;
	const azureEnd = query.has('sig') ? Date.parse(query.get('se') ?? '') : NaN;
	return Number.isNaN(azureEnd) ? undefined : azureEnd;
}

function compactTimeMs(text: string | null): number | undefined {
	const parts = COMPACT_TIME.exec(text ?? '');
	if (parts === null) return undefined;
	const [, year, month, day, hours, minutes, seconds] = parts.map(Number);
	return Date.UTC(year, month - 1, day, hours, minutes, seconds);
}
