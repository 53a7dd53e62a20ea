/** How many redirects of a download are followed. */
export const MAX_REDIRECTS = 5;

/** The statuses that send a GET elsewhere. */
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A URL, and what the first one of its redirects was. */
interface Hop {
	readonly url: string;
	readonly firstUrl: string;
}

/**
 * Where a redirect leads a GET that carries no key and no body. A host may not leave TLS, nor lead from a public
 * address into a private network.
 *
 * @returns undefined for a response that is no redirect, or whose redirect is not to be followed
 */
export function redirectOf(
	{ url, firstUrl }: Hop,
	statusCode: number,
	location: unknown,
): string | undefined {
	if (!REDIRECT_STATUSES.has(statusCode) || typeof location !== 'string') return undefined;
	if (!URL.canParse(location, url)) return undefined;
	const next = new URL(location, url);
	const first = new URL(firstUrl);
	const isWeb = next.protocol === 'https:' || next.protocol === 'http:';
	const leavesTls = next.protocol === 'http:' && first.protocol === 'https:';
	const entersNetwork = isPrivateHost(next.hostname) && !isPrivateHost(first.hostname);
	return !isWeb || leavesTls || entersNetwork ? undefined : next.href;
}

/** Names that only a private network has. */
const PRIVATE_NAME = /^([^.:]+|.*\.(home\.arpa|internal|lan|local|localhost))\.?$/;

/** 0/8, 10/8, 100.64/10, 127/8, 169.254/16, 172.16/12, 192.168/16, and all from 224 on (RFC 6890). */
const PRIVATE_IPV4 =
	/^(0|10|127|22[4-9]|2[345]\d)\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^192\.(168|0\.0)\.|^198\.1[89]\./;

/** Loopback, unspecified, unique local, link-local and multicast, and all that carry an IPv4 address. */
const PRIVATE_IPV6 = /^\[(::|64:ff9b:|2002:|f[cd]|fe[89a-f]|ff)/;

/**
 * Whether a host is one of a private network, judging by its name or literal address alone. `URL` writes IPv4
 * addresses as four numbers, however they were written.
 *
 * @param hostname as `URL` has it
 */
export function isPrivateHost(hostname: string): boolean {
	return [PRIVATE_NAME, PRIVATE_IPV4, PRIVATE_IPV6].some((form) => form.test(hostname));
}
