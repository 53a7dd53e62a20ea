import { createHash } from 'crypto';

/*
 * How we recognise a recording or a request that we have seen before.
 */

/** How a storage signs its links. */
interface Signature {
	/** The hosts that sign like this, with their subdomains; any host if missing. */
	readonly hosts?: readonly string[];
	/** A link is signed like this if each of these is the name of one of its parameters. */
	readonly needs: readonly RegExp[];
	/** The names of the parameters that belong to the signature. */
	readonly parts: RegExp;
}

/**
 * A name that only signatures have, or all names of a signature, count on any host. Names such as `token`
 * count only on hosts that are known to use them so: elsewhere they may say which recording it is.
 */
const SIGNATURES: readonly Signature[] = [
	// AWS version 4 (S3 and its likes), Google version 4, Alibaba version 4.
	{
		needs: [/^x-(amz|goog|oss)-signature$/i],
		parts:
			/^x-(amz|goog|oss)-(additional-headers|algorithm|content-sha256|credential|date|expires|security-token|signature|signature-version|signedheaders)$/i,
	},
	// AWS version 2 and its likes.
	{
		needs: [/^((aws|oss)?accesskeyid|googleaccessid)$/i, /^signature$/i, /^expires$/i],
		parts: /^((aws|oss)?accesskeyid|googleaccessid|signature|expires|(x-amz-)?security-token)$/i,
	},
	// CloudFront.
	{
		needs: [/^key-pair-id$/i, /^signature$/i, /^(expires|policy)$/i],
		parts: /^(key-pair-id|signature|expires|policy|hash-algorithm)$/i,
	},
	// Azure's shared access signature.
	{
		needs: [/^sig$/i, /^sv$/i],
		parts:
			/^(sig|sv|ss|srt|sp|st|se|sr|spr|sip|si|sdd|ses|skoid|sktid|skt|ske|sks|skv|saoid|suoid|scid)$/i,
	},
	{ hosts: ['discordapp.com', 'discordapp.net'], needs: [/^hm$/], parts: /^(ex|is|hm)$/ },
	{ hosts: ['zoom.us', 'www.googleapis.com'], needs: [], parts: /^access_token$/ },
	{
		hosts: ['firebasestorage.googleapis.com', 'raw.githubusercontent.com'],
		needs: [],
		parts: /^token$/,
	},
	{ hosts: ['sharepoint.com'], needs: [], parts: /^tempauth$/ },
];

/** A link without its signature, so that it stays the same when a storage signs it again. */
export function unsigned(link: string): string {
	const url = new URL(link);
	const parameters = [...url.searchParams];
	const signatures = SIGNATURES.filter(
		({ hosts, needs }) =>
			isOneOf(hosts, url.hostname) &&
			needs.every((need) => parameters.some(([name]) => need.test(name))),
	);
	const kept = parameters.filter(([name]) => !signatures.some(({ parts }) => parts.test(name)));
	if (kept.length < parameters.length) url.search = new URLSearchParams(kept).toString();
	return url.toString();
}

function isOneOf(hosts: readonly string[] | undefined, hostname: string): boolean {
	return (
		hosts === undefined || hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
	);
}

/** A hash of a value, because names and signed URLs must not be stored. The order of keys does not count. */
export function hashOf(value: object): string {
	return createHash('sha256').update(JSON.stringify(value, inOrder)).digest('hex');
}

/** For `JSON.stringify`: the keys of each object in alphabetical order. */
function inOrder(_key: string, value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
