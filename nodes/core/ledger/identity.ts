import { createHash } from 'crypto';

import type { FileBody } from '../../../api/fileBody';

/*
 * How we recognize a recording or a request that we have seen before.
 */

/** Signatures on any host: a link has one if it has a parameter for each of `needs`; `parts` belong to it. */
const SIGNATURES: ReadonlyArray<{ readonly needs: readonly RegExp[]; readonly parts: RegExp }> = [
	// Version 4 of S3 and its likes, Google and Alibaba.
	{
		needs: [/^x-(amz|goog|oss)-signature$/i],
		parts:
			/^x-(amz|goog|oss)-(additional-headers|algorithm|content-sha256|credential|date|expires|security-token|signature|signature-version|signedheaders)$/i,
	},
	// Their version 2.
	{
		needs: [/^((aws|oss)?accesskeyid|googleaccessid)$/i, /^signature$/i, /^expires$/i],
		parts: /^((aws|oss)?accesskeyid|googleaccessid|signature|expires|(x-amz-)?security-token)$/i,
	},
	// CloudFront.
	{
		needs: [/^key-pair-id$/i, /^signature$/i, /^(expires|policy)$/i],
		parts: /^(key-pair-id|signature|expires|policy|hash-algorithm)$/i,
	},
	// Azure.
	{
		needs: [/^sig$/i, /^sv$/i],
		parts:
			/^(sig|sv|ss|srt|sp|st|se|sr|spr|sip|si|sdd|ses|skoid|sktid|skt|ske|sks|skv|saoid|suoid|scid)$/i,
	},
];

/** Names that are a signature on these hosts. Elsewhere they may say which recording it is. */
const ON_HOSTS: ReadonlyArray<readonly [hosts: RegExp, parts: RegExp]> = [
	[/(^|\.)discordapp\.(com|net)$/, /^(ex|is|hm)$/],
	[/(^|\.)zoom\.us$|^www\.googleapis\.com$/, /^access_token$/],
	[/^(firebasestorage\.googleapis|raw\.githubusercontent)\.com$/, /^token$/],
	[/(^|\.)sharepoint\.com$/, /^tempauth$/],
];

/** A link without its signature, so that it stays the same when a storage signs it again. */
export function unsigned(link: string): string {
	const url = new URL(link);
	const parameters = [...url.searchParams];
	const has = (need: RegExp) => parameters.some(([name]) => need.test(name));
	const parts = [
		...SIGNATURES.filter(({ needs }) => needs.every(has)).map((signature) => signature.parts),
		...ON_HOSTS.filter(([hosts]) => hosts.test(url.hostname)).map(([, names]) => names),
	];
	const kept = parameters.filter(([name]) => !parts.some((part) => part.test(name)));
	if (kept.length < parameters.length) url.search = new URLSearchParams(kept).toString();
	return url.toString();
}

/** The SHA-256 of a file in hexadecimal digits. A stream is read to its end. */
export async function sha256Of(content: FileBody['content']): Promise<string> {
	const hash = createHash('sha256');
	if (Buffer.isBuffer(content)) return hash.update(content).digest('hex');
	for await (const chunk of content) hash.update(chunk as Buffer);
	return hash.digest('hex');
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
